import { spawn } from "node:child_process";

/** A program of the host that failed; the message holds its name, its exit code and what it said. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly output: string;

  constructor(program: string, code: number | null, output: string) {
    super(`${program} ended with ${code ?? "a signal"}: ${output.trim()}`);
    this.output = output;
  }
}

/**
 * Runs a program to its end.
 *
 * @param input what it reads from its standard input.
 * @returns its standard output.
 * @throws CommandError on any exit code but 0, with both output streams in it.
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
    // A program that ends before it has read everything: its exit code tells the story, not the broken pipe.
    child.stdin.on("error", () => undefined);
    child.on("close", (code) => {
      if (code === 0) resolve(stdout);
      else reject(new CommandError(program, code, stderr + stdout));
    });
    child.stdin.end(input);
  });
}

/** Runs `ip` commands of one namespace in one process; stops at the first that fails, with those before it done. */
export async function ipBatch(commands: readonly string[]): Promise<void> {
  if (commands.length > 0) await runCommand("ip", ["-batch", "-"], `${commands.join("\n")}\n`);
}
