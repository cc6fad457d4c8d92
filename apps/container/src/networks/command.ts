import { spawn } from "node:child_process";

/** A failed program of the host; the message has its name, exit code and output. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly output: string;

  constructor(program: string, code: number | null, output: string) {
    super(`${program} ended with ${code ?? "a signal"}: ${output.trim()}`);
    this.output = output;
  }
}

/**
 * Runs a program and waits for its end.
 *
 * @param input its standard input.
 * @returns its standard output.
 * @throws CommandError on a non-zero exit code, with both output streams.
 */
export function runCommand(program: string, args: readonly string[], input = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", reject);
    // A program may exit before it reads everything; its exit code matters, not the broken pipe.
    child.stdin.on("error", () => undefined);
    child.on("close", (code) => {
      if (code === 0) resolve(stdout);
      else reject(new CommandError(program, code, stderr + stdout));
    });
    child.stdin.end(input);
  });
}

/** Runs `ip` commands in one namespace, in one process; stops at the first failure without undoing earlier commands. */
export async function ipBatch(commands: readonly string[]): Promise<void> {
  if (commands.length > 0) await runCommand("ip", ["-batch", "-"], `${commands.join("\n")}\n`);
}
