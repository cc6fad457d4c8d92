import { readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, mergeConfig } from "vitest/config";
import { unitSuites } from "./tools/unit-suites.ts";
import { SHARED } from "./vitest.config.ts";

const MEMBERS = ["packages", "apps"].flatMap((group) => readdirSync(group).map((name) => join(group, name)));

function testFiles(folder: string): string[] {
  const names = readdirSync(folder, { withFileTypes: true, recursive: true });
  return names.filter((one) => one.name.endsWith(".test.ts")).map((one) => join(one.parentPath, one.name));
}

/** `npm run test:unit`: what needs neither root nor a program of the machine. */
export default mergeConfig(
  SHARED,
  defineConfig({
    test: {
      include: [...unitSuites(MEMBERS.flatMap((one) => testFiles(join(import.meta.dirname, one))))],
    },
  }),
);
