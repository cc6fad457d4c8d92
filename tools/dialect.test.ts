import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "berth-dialect-"));
afterAll(() => rmSync(folder, { recursive: true }));

const FAULTS = [
  ["apps/container/src/function.ts", "export const square = (n: number) => n * n;\n", "Write a named function"],
  ["packages/cli/src/constant.ts", 'export const name = "web";\n', "Spell a file's constant in UPPER_CASE"],
  ["packages/cli/src/cast.ts", "export const LIST = 1 as unknown as string;\n", "Do not cast by way of unknown"],
  ["conformance/fake.testing.ts", "export const LIST = 1 as unknown as string;\n", "Do not cast by way of unknown"],
  ["apps/container/src/no-fault.ts", "export const LIST = [1].map((n) => n as unknown);\n", undefined],
] as const;

test("the linter catches a planted fault of the dialect, in tests too", () => {
  for (const [file, text] of FAULTS) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ plugins: [join(ROOT, "tools/dialect.grit")] }));
  const biome = spawnSync(join(ROOT, "node_modules/.bin/biome"), ["lint", "--reporter=json", "."], { cwd: folder });
  const { diagnostics }: { diagnostics: { location: { path: string }; message: string }[] } = JSON.parse(
    String(biome.stdout),
  );
  const found = FAULTS.map(([file, , wanted]) => [
    file,
    diagnostics.find(({ location }) => location.path.endsWith(file))?.message.slice(0, wanted?.length),
  ]);
  expect(found).toEqual(FAULTS.map(([file, , wanted]) => [file, wanted]));
});
