import type { Readable } from "node:stream";
import { EngineError } from "../../engine/errors.ts";
import { type Program, programOf } from "./programs.ts";

export interface MemoryProcess {
  readonly pid: number;
  readonly exit: Promise<number>;
  paused: boolean;
  kill(signal: number): void;
}

let lastPid = 100_000;

/** Runs a program as a process with a pid; fails as runc does where there is no such program or user. */
export async function startProcess(
  { args, env, user }: { readonly args: readonly string[]; readonly env: readonly string[]; readonly user: string },
  {
    programs,
    stdin,
    write,
  }: {
    readonly programs: Readonly<Record<string, Program>>;
    readonly stdin: Readable;
    readonly write: (stream: "stdout" | "stderr", data: string | Buffer) => void;
  },
): Promise<MemoryProcess> {
  checkUser(user);
  const program = programOf(args[0] ?? "", programs);
  const abort = new AbortController();
  let signalled = (_: number) => {};
  const killed = new Promise<number>((resolve) => {
    signalled = resolve;
  });
  const writeWhileAlive: typeof write = (stream, data) => {
    if (!abort.signal.aborted) write(stream, data);
  };
  const ended = program({ args, env, stdin, write: writeWhileAlive, signal: abort.signal });
  return {
    pid: ++lastPid,
    exit: Promise.race([ended, killed]),
    paused: false,
    kill: (signal) => {
      abort.abort();
      signalled(128 + signal);
    },
  };
}

const ACCOUNTS = ["", "root", "alice"];

/** Throws `invalid` for a user that no container here has. */
export function checkUser(user: string): void {
  const [name = "", group = ""] = user.split(":");
  for (const [kind, wanted, file] of [
    ["user", name, "passwd"],
    ["group", group, "group"],
  ] as const) {
    if (ACCOUNTS.includes(wanted) || /^\d+$/.test(wanted)) continue;
    throw new EngineError("invalid", `unable to find ${kind} ${wanted}: no matching entries in ${file} file`);
  }
}
