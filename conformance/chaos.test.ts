import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const CHAOS = join(resolve(import.meta.dirname, ".."), "chaos/chaos.mjs");

/** `npm run chaos` in short: it has its own Berth, and ends badly where something that a client was promised is lost. */
test("a service that is killed in mixed traffic loses and leaks nothing", { timeout: 180_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [CHAOS, "2", "3"]).catch((fault) => fault);
  expect(stdout).toContain("lost 0, leaked 0");
});
