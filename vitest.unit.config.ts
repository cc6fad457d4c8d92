import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, mergeConfig } from "vitest/config";
import { unitSuites } from "./tools/unit-suites.ts";
import { SHARED } from "./vitest.config.ts";

/** The tests' folders alone: from Node 22 on, a recursive listing of a member follows the links of its node_modules. */
const FOLDERS = ["packages", "apps"]
  .flatMap((group) => readdirSync(group).flatMap((name) => [join(group, name, "src"), join(group, name, "test")]))
  .filter((folder) => existsSync(folder));

function testFiles(folder: string): string[] {
  const names = readdirSync(folder, { withFileTypes: true, recursive: true });
  return names.filter((one) => one.name.endsWith(".test.ts")).map((one) => join(one.parentPath, one.name));
}

/** `npm run test:unit`: what needs neither root nor a program of the machine. */
export default mergeConfig(
  SHARED,
  defineConfig({
    test: {
      include: [...unitSuites(FOLDERS.flatMap((one) => testFiles(join(import.meta.dirname, one))))],
    },
  }),
);
