import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const FUZZ = join(resolve(import.meta.dirname, ".."), "chaos/fuzz.mjs");

/** `npm run fuzz` in short: it has its own Berth, and ends badly where a request is answered with an internal error or not at all. */
test("mutated requests of the whole engine API get answers", { timeout: 300_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [FUZZ, "1000", "5"]).catch((fault) => fault);
  expect(stdout).toContain("1000 mutated requests of seed 5: 0 faults");
});
