import type { Readable } from "node:stream";
import { StartError } from "../../containers/records/start-error.ts";

/** What a program of the memory runtime has to do with. */
export interface ProgramIo {
  readonly args: readonly string[];
  readonly env: readonly string[];
  readonly stdin: Readable;
  write(stream: "stdout" | "stderr", data: string | Buffer): void;
  /** Aborted when a signal ends the process. */
  readonly signal: AbortSignal;
}

/** Answers the exit code. */
export type Program = (io: ProgramIo) => Promise<number>;

function never(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
}

/** `exit N`, `echo WORDS` and `echo WORDS >&2`, with `;` between them. */
const shell: Program = async ({ args, write }) => {
  for (const command of (args[2] ?? "").split(";").map((text) => text.trim())) {
    const exit = /^exit (\d+)$/.exec(command);
    if (exit) return Number(exit[1]);
    const echo = /^echo (.*?)( >&2)?$/.exec(command);
    if (!echo) return 127;
    write(echo[2] === undefined ? "stdout" : "stderr", `${echo[1]}\n`);
  }
  return 0;
};

/** The programs that there are, by name; as much of busybox as tests of a runtime's users need. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  true: async () => 0,
  false: async () => 1,
  sh: shell,
  echo: async ({ args, write }) => {
    write("stdout", `${args.slice(1).join(" ")}\n`);
    return 0;
  },
  cat: async ({ stdin, write }) => {
    for await (const data of stdin) write("stdout", data);
    return 0;
  },
  sleep: async ({ args, signal }) => {
    const seconds = Number(args[1]);
    if (!(seconds > 1000)) return 1;
    await never(signal);
    return 0;
  },
};

/** Finds a program by name or by its path in /bin; fails as runc does for what is not there or no program. */
export function programOf(name: string, own: Readonly<Record<string, Program>>): Program {
  const found = own[name] ?? PROGRAMS[name.replace(/^\/bin\//, "")];
  if (found !== undefined) return found;
  const failure =
    "failed to create task for container: OCI runtime create failed: unable to start container process: exec:";
  if (name === "/etc/notes") throw new StartError(126, `${failure} "${name}": permission denied: unknown`);
  const reason = name.includes("/") ? `stat ${name}: no such file or directory` : "executable file not found in $PATH";
  throw new StartError(127, `${failure} "${name}": ${reason}: unknown`);
}
