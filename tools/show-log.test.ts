import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLog } from "../packages/service-kit/src/log.ts";

const SHOW_LOG = join(import.meta.dirname, "../scripts/show-log.mjs");

test("the log of a service is shown with what an error says, where it came from, and its cause", () => {
  const lines: string[] = [];
  const log = createLog("container", { level: "info", destination: { write: (line) => void lines.push(line) } });
  const cause = new Error("connect ENOENT");
  log.fatal({ err: new Error("BERTH_INSTANCE: want another one", { cause }) }, "the service cannot go on");
  // It writes to its standard error.
  const command = ["-c", 'exec "$@" 2>&1', "sh", process.execPath, SHOW_LOG, "container"];
  const shown = execFileSync("sh", command, { input: `${lines.join("")}no JSON\n`, encoding: "utf8" });
  expect(shown).toMatch(
    /^container .* FATAL the service cannot go on\nError: BERTH_INSTANCE: want another one\n {4}at /,
  );
  expect(shown).toContain("\nError: connect ENOENT\n    at ");
  expect(shown.trimEnd().split("\n").at(-1)).toBe("container no JSON");
});
