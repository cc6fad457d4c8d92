import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const SETTINGS = resolve(import.meta.dirname, "../scripts/settings.sh");

/** What the scripts say while a step takes as long, on a terminal or in a pipe. */
function said(seconds: number, where: "terminal" | "pipe"): Promise<string> {
  const line = `patiently build building bash -c 'sleep ${seconds}; exit 3'; echo "ended with $?"`;
  const functions = `$(sed -n '/^step()/p; /^patiently()/,/^}/p; /^moving_bar()/,/^}/p' ${SETTINGS})`;
  const script = `eval "${functions}"; ${line}`;
  const [program, args] =
    where === "pipe"
      ? ["bash", ["-c", script]]
      : ["script", ["-qec", `bash -c '${script.replaceAll("'", "'\\''")}'`, "/dev/null"]];
  return new Promise((settle) => {
    execFile(program, args, (_, stdout) => settle(stdout.replaceAll("\u001b", "ESC")));
  });
}

test("a long step moves a bar on a terminal, and leaves no line of it", async () => {
  const output = await said(2.5, "terminal");
  expect(output).toMatch(/\r {2}build {7}building \[-*###-*\] \d sESC\[K/);
  expect(output).toMatch(/\rESC\[Kended with 3\r\n$/);
});

test("elsewhere it writes plain lines", async () => {
  const output = await said(6, "pipe");
  expect(output).toMatch(/^ {2}build {7}still building \(\d s\)\nended with 3\n$/);
});
