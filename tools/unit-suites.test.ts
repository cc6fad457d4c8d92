import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { unitSuites } from "./unit-suites.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-suites-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

write("adapter.ts", 'import { execFile } from "node:child_process";\nexport const run = execFile;\n');
write("offers.ts", 'export { run } from "./adapter.ts";\n');

test.each([
  ["pure", 'import { expect } from "vitest";\n', true],
  ["starts-programs", 'import {\n  execFile,\n} from "node:child_process";\n', false],
  ["uses-an-adapter", 'import { run } from "./offers.ts";\n', false],
  ["names-its-types", 'import type { run } from "./offers.ts";\n', true],
  ["loads-it-later", 'const { run } = await import("./adapter.ts");\n', false],
  ["opens-a-database", 'import postgres from "postgres";\n', false],
])("%s", (name, text, isUnit) => {
  const file = write(`${name}.test.ts`, text);
  expect(unitSuites([file])).toEqual(isUnit ? [file] : []);
});
