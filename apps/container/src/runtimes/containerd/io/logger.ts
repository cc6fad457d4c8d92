import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ContainerSpec } from "../../../containers/records/runtime.ts";
import { EngineError } from "../../../engine/errors.ts";
import type { TaskIo } from "../client/tasks.ts";
import type { Fifos } from "./fifos.ts";
import type { Places } from "./places.ts";

export interface LoggerOptions {
  readonly places: Places;
  readonly fifos: Fifos;
  /** The logger program. */
  readonly program: string;
}

export interface Streams {
  /** What the task is to be told. */
  readonly io: TaskIo;
  /** There will be no task: ends a logger that would wait for it. */
  abandon(): void;
}

/** Prepares a container's log file and the program that writes it. */
export async function prepareIo(
  { id, terminal, stdin, log }: Pick<ContainerSpec, "id" | "terminal" | "stdin" | "log">,
  { places, fifos, program }: LoggerOptions,
): Promise<Streams> {
  await Promise.all([
    mkdir(places.container(id), { recursive: true, mode: 0o700 }),
    mkdir(places.io(id), { recursive: true, mode: 0o700 }),
    stdin ? fifos.make(places.stdin(id)) : undefined,
  ]);
  const options = {
    log: places.log(id),
    alive: places.alive(id),
    "max-bytes": String(log.maxBytes ?? 0),
    "max-files": String(log.maxFiles),
    ...(terminal ? { terminal: "1" } : {}),
  };
  const input = stdin ? places.stdin(id) : "";
  if (stdin && !terminal) {
    const { stdout, stderr, abandon } = await startLogger(id, options, { places, fifos, program });
    return { io: { stdin: input, stdout, stderr, terminal }, abandon };
  }
  // The shim starts the logger: a binary's standard error is its standard output's.
  const uri = `binary://${encodeURI(program)}?${new URLSearchParams(options)}`;
  return { io: { stdin: input, stdout: uri, stderr: terminal ? "" : uri, terminal }, abandon: () => {} };
}

/** containerd's shim knows no standard input beside `binary://`: with one, the logger is ours to start, and reads FIFOs. */
async function startLogger(
  id: string,
  options: Readonly<Record<string, string>>,
  { places, fifos, program }: LoggerOptions,
): Promise<Pick<TaskIo, "stdout" | "stderr"> & Pick<Streams, "abandon">> {
  const stdout = join(places.io(id), "stdout");
  const stderr = join(places.io(id), "stderr");
  await Promise.all([fifos.make(stdout), fifos.make(stderr)]);
  const child = spawn(program, Object.entries({ ...options, stdout, stderr }).flat(), {
    detached: true,
    cwd: "/",
    env: {},
    stdio: ["ignore", "ignore", "ignore", "ignore", "ignore", "pipe"],
  });
  const ready: unknown = child.stdio.at(5);
  const failed = once(child, "error").then(([cause]) => {
    throw new EngineError("unavailable", `the logger can't be started: is ${program} built?`, { cause });
  });
  // It closes the pipe when it has opened all; so does its death, which the task's start then notices.
  if (ready instanceof Readable) {
    ready.resume();
    await Promise.race([once(ready, "close"), failed]);
  }
  failed.catch(() => {});
  child.unref();
  return { stdout, stderr, abandon: () => child.kill() };
}
