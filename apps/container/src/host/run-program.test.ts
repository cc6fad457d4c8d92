import { expect, it } from "vitest";
import { runProgram } from "./run-program.ts";

it("gives both outputs, and passes arguments, input, folder and environment on", async () => {
  const script = 'cat; cat /dev/stdin; echo "$1 $PWD $A" >&2';
  const options = { input: "given\n", cwd: "/usr", env: { A: "x y", PATH: "/usr/bin:/bin" } };
  expect(await runProgram("/bin/sh", ["-c", script, "sh", "a\nb"], options)).toEqual({
    stdout: "given\ngiven\n",
    stderr: "a\nb /usr x y\n",
  });
});

it("finds programs, and inherits this process's environment", async () => {
  expect((await runProgram("env", [])).stdout).toContain("PATH=");
});

it("runs many at once, each with its own output", async () => {
  const sizes = Array.from({ length: 40 }, (_, at) => at * 5_000);
  const outputs = await Promise.all(sizes.map((size) => runProgram("head", ["-c", String(size), "/dev/zero"])));
  expect(outputs.map(({ stdout }) => stdout.length)).toEqual(sizes);
});

it("takes megabytes of input while others run", async () => {
  const input = "x".repeat(5 << 20);
  const [counted, slept] = await Promise.all([runProgram("wc", ["-c"], { input }), runProgram("sleep", ["0.01"])]);
  expect([counted.stdout.trim(), slept.stdout]).toEqual([String(5 << 20), ""]);
});

it.each([
  ["exit code", ["sh", "-c", "echo out; echo why >&2; exit 3"], {}, { code: 3, stdout: "out\n", stderr: "why\n" }],
  ["signal", ["sh", "-c", "kill -9 $$"], {}, { code: undefined, killed: undefined }],
  ["time", ["sleep", "1000"], { timeout: 20 }, { code: undefined, killed: "time" }],
  ["signal that aborts", ["sleep", "1000"], { signal: AbortSignal.timeout(20) }, { code: undefined, killed: "signal" }],
  ["aborted signal", ["sleep", "1000"], { signal: AbortSignal.abort() }, { code: undefined, killed: "signal" }],
  ["output without end", ["yes"], { maxBytes: 1_000 }, { code: undefined, killed: "output" }],
  ["program that is not there", ["/no/such/program"], {}, { code: undefined, stderr: "" }],
  ["folder that is not there", ["true"], { cwd: "/no/such/folder" }, { code: undefined }],
  ["NUL in an argument", ["echo", "a\0b"], {}, { message: "echo: an argument has a NUL byte" }],
] as const)("rejects by its %s", async (_, [program, ...args], options, expected) => {
  await expect(runProgram(program, args, options)).rejects.toMatchObject({ name: "ProgramError", ...expected });
});

it("starts again after the launcher's end, and tells those that were running", async () => {
  const { stdout } = await runProgram("sh", ["-c", "echo $PPID"]);
  const lost = runProgram("sleep", ["5"]);
  process.kill(Number(stdout), "SIGKILL");
  await expect(lost).rejects.toThrow("sleep: native/launcher ended before it");
  expect((await runProgram("echo", ["again"])).stdout).toBe("again\n");
});
