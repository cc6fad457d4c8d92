import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { RootEnded, type RootView } from "../containers/archive/files.ts";
import { EngineError, type EngineErrorKind } from "../engine/errors.ts";
import { ProgramError, type RunOptions, runProgram } from "../host/run-program.ts";

/** The exit codes of `native/in-rootfs.h`. */
const KINDS: ReadonlyMap<number | null | undefined, EngineErrorKind> = new Map([
  [2, "invalid"],
  [3, "forbidden"],
  [4, "not-found"],
  [6, "conflict"],
  [7, "full"],
]);

const ENDED = 5;

function errorOf(code: number | null | undefined, message: string): EngineError {
  return code === ENDED ? new RootEnded(message) : new EngineError(KINDS.get(code) ?? "failed", message);
}

const LONGEST_COMPLAINT = 1024;

export interface Session {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Its failure once it has ended, or undefined. Never rejects. */
  readonly failure: Promise<EngineError | undefined>;
  /** Ends it at once. */
  kill(): void;
  /** Its output up to the first NUL; leaves the rest unread. Throws its failure if it ended before. */
  head(): Promise<string>;
}

function argumentsOf({ root, access, mounts }: RootView, command: readonly string[]): readonly string[] {
  const wished = mounts.flatMap(({ source, subpath = "", target, readonly, optional }) => [
    source,
    subpath,
    target,
    `${readonly ? "ro" : "rw"}${optional ? "?" : ""}`,
  ]);
  return [root, access, ...wished, ...command];
}

function failureOf(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<EngineError | undefined> {
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-LONGEST_COMPLAINT);
  });
  return new Promise((resolve) => {
    child.once("error", (cause) =>
      resolve(new EngineError("failed", "in-rootfs is not there: native/build.sh builds it", { cause })),
    );
    child.once("close", (code, signal) =>
      resolve(code === 0 ? undefined : errorOf(code, complaint || `in-rootfs ended with ${code ?? signal}`)),
    );
  });
}

function leftEarly(cause?: EngineError): EngineError {
  return new EngineError("conflict", "the container was started or removed meanwhile", { cause });
}

/** Runs `native/in-rootfs` on the view to its end and gives its answer, which is short. Throws its failure. */
export async function runInRootfs(
  program: string,
  view: RootView,
  command: readonly string[],
  options: Pick<RunOptions, "input" | "maxBytes"> = {},
): Promise<string> {
  const { evicted } = view;
  try {
    const args = argumentsOf(view, command);
    return (await runProgram(program, args, { ...options, cwd: "/", env: {}, signal: evicted })).stdout;
  } catch (thrown) {
    if (!(thrown instanceof ProgramError)) throw thrown;
    const fault = errorOf(thrown.code, thrown.stderr.slice(-LONGEST_COMPLAINT) || thrown.message);
    throw evicted?.aborted ? leftEarly(fault) : fault;
  }
}

/** Starts `native/in-rootfs` on the view. It inherits nothing of this process but its three streams. */
export async function startInRootfs(program: string, view: RootView, command: readonly string[]): Promise<Session> {
  const child = spawn(program, argumentsOf(view, command), {
    cwd: "/",
    env: {},
    stdio: ["pipe", "pipe", "pipe"],
  });
  const { stdin, stdout } = child;
  const kill = () => void child.kill("SIGKILL");
  const { evicted } = view;
  const leave = () => {
    kill();
    // Node takes the program for running as long as its output is unread.
    stdout.destroy(leftEarly());
  };
  evicted?.addEventListener("abort", leave, { once: true });
  if (evicted?.aborted) leave();
  const failure = failureOf(child).then((fault) => {
    evicted?.removeEventListener("abort", leave);
    return fault !== undefined && evicted?.aborted ? leftEarly(fault) : fault;
  });
  // It ended early: its failure says why.
  for (const stream of [stdin, stdout]) stream.on("error", () => {});
  return {
    stdin,
    stdout,
    failure,
    kill,
    head: async () => {
      const parts: Buffer[] = [];
      for await (const part of stdout.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        const end = part.indexOf(0);
        parts.push(end < 0 ? part : part.subarray(0, end));
        if (end < 0) continue;
        if (end + 1 < part.length) stdout.unshift(part.subarray(end + 1));
        return Buffer.concat(parts).toString();
      }
      throw (await failure) ?? new EngineError("failed", "in-rootfs gave no answer");
    },
  };
}
