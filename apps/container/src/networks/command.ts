import { ProgramError, runProgram } from "../host/run-program.ts";

/** A failed program of the host; the message has its name, exit code and output. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly output: string;

  constructor(program: string, code: number | null, output: string) {
    super(`${program} ended with ${code ?? "a signal"}: ${output.trim()}`);
    this.output = output;
  }
}

/** A host may have a hundred thousand rules. */
const MOST_BYTES = 256 << 20;

/**
 * Runs a program and waits for its end.
 *
 * @param input its standard input.
 * @returns its standard output.
 * @throws CommandError on a non-zero exit code, with both output streams.
 */
export async function runCommand(program: string, args: readonly string[], input = ""): Promise<string> {
  try {
    return (await runProgram(program, args, { input, maxBytes: MOST_BYTES })).stdout;
  } catch (thrown) {
    if (!(thrown instanceof ProgramError) || thrown.code === undefined) throw thrown;
    throw new CommandError(program, thrown.code, thrown.stderr + thrown.stdout);
  }
}

/** Runs `ip` commands in one namespace, in one process; stops at the first failure without undoing earlier commands. */
export async function ipBatch(commands: readonly string[]): Promise<void> {
  if (commands.length > 0) await runCommand("ip", ["-batch", "-"], `${commands.join("\n")}\n`);
}
