import { mkdir, unlink, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { ExecSession, ExecSpec, Output } from "../../../containers/records/runtime.ts";
import { SIGKILL } from "../../../containers/records/signals.ts";
import { bothDone } from "../../../engine/concurrency/both-done.ts";
import { merged } from "../../../engine/concurrency/merged.ts";
import { isEngineError } from "../../../engine/errors.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import { answerWithin, NoAnswer } from "../client/connection.ts";
import { encodeJson } from "../client/protos.ts";
import type { TaskIo, TaskService } from "../client/tasks.ts";
import { type Fifos, readFifo } from "../io/fifos.ts";
import type { Places } from "../io/places.ts";
import { openInput } from "../io/stdin.ts";
import { execFileOf } from "./left-execs.ts";
import { toStartError } from "./start-error.ts";
import { throughRestarts } from "./waits.ts";

/** How long an exec that failed waits until the shim has forgotten it. */
const DISCARD_TIMEOUT_MS = 15_000;
const DISCARD_EVERY_MS = 100;

const PROCESS_TYPE = "types.containerd.io/opencontainers/runtime-spec/1/Process";

export interface ExecOptions {
  readonly tasks: TaskService;
  readonly places: Places;
  readonly fifos: Fifos;
  /** The OCI process, which is made meanwhile. */
  readonly process: Promise<object>;
  readonly signal: AbortSignal;
  /** Runs the starts of one task one after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

interface ExecOutput {
  readonly stream: "stdout" | "stderr";
  readonly socket: Socket;
}

/** Where the output of a detached exec goes: without a place for it, the shim opens `/dev/null` for reading, and every write fails. */
const NOWHERE = "file:///dev/null";

function ioOf(spec: ExecSpec, path: (stream: "stdin" | "stdout" | "stderr") => string): TaskIo {
  // A terminal has to be copied somewhere, so that a detached one is read and thrown away.
  const read = !spec.detached || spec.terminal;
  return {
    stdin: spec.stdin ? path("stdin") : "",
    stdout: read ? path("stdout") : NOWHERE,
    stderr: spec.terminal ? "" : read ? path("stderr") : NOWHERE,
    terminal: spec.terminal,
  };
}

/**
 * Starts one more process in a task, with FIFOs for its streams.
 *
 * A shim (containerd 1.6) keeps at most 32 exits that it has not handled yet, and handles none while it starts a process: with many
 * starts waiting in it, it locks up for good. So they wait here, `inTurn`; in the shim they would run one after the other too.
 */
export async function startExec(
  id: ContainerId,
  execId: string,
  spec: ExecSpec,
  { tasks, places, fifos, process, signal, inTurn }: ExecOptions,
): Promise<ExecSession> {
  const io = ioOf(spec, (stream) => execFileOf(places, id, execId, stream));
  const isFifo = (name: string) => name !== "" && name !== NOWHERE;
  const fifoPaths = [io.stdin, io.stdout, io.stderr].filter(isFifo);
  const mark = execFileOf(places, id, execId, "detached");
  const paths = fifoPaths.length > 0 ? fifoPaths : [mark];
  const outputs: ExecOutput[] = [];
  const release = () => Promise.all(paths.map((name) => unlink(name).catch(() => {})));
  const closeOutputs = () => {
    for (const { socket } of outputs) socket.destroy();
  };
  const forget = async () => {
    await throughRestarts(() => tasks.deleteExec(id, execId), signal).catch(() => {});
    await release();
  };
  const discard = async () => {
    await discardExec(id, execId, tasks, signal);
    await release();
  };
  try {
    const made = Promise.all(fifoPaths.map((name) => fifos.make(name)));
    await bothDone(fifoPaths.length === 0 ? markDetached(places.io(id), mark) : made, process);
    for (const stream of ["stdout", "stderr"] as const) {
      if (isFifo(io[stream])) outputs.push({ stream, socket: await readFifo(io[stream]) });
    }
  } catch (thrown) {
    closeOutputs();
    await release();
    throw thrown;
  }
  try {
    const { exit, pid } = await inTurn(async () => {
      await tasks.exec(id, execId, io, encodeJson(PROCESS_TYPE, await process));
      const exit = awaitExit(id, execId, tasks, signal);
      exit.catch(() => {});
      return { exit, ...(await tasks.start(id, execId)) };
    });
    return sessionOf(id, execId, spec, { tasks, io, outputs, pid, exit, forget });
  } catch (thrown) {
    // A shim that is about to open the FIFOs blocks without a reader: keep them open until it has deleted the exec.
    const discarded = discard().finally(closeOutputs);
    if (!(thrown instanceof NoAnswer))
      await answerWithin(discarded, "DeleteProcess", tasks.patience(DISCARD_TIMEOUT_MS)).catch(() => {});
    throw toStartError(thrown, spec.args[0] ?? "");
  }
}

/**
 * Ends and deletes an exec whose start failed. A killed containerd cuts off a start that the shim carries on with: the process may come
 * yet, and until it does it can be neither killed nor deleted.
 */
async function discardExec(id: ContainerId, execId: string, tasks: TaskService, signal: AbortSignal): Promise<void> {
  for (const end = Date.now() + tasks.patience(DISCARD_TIMEOUT_MS); Date.now() < end; await delay(DISCARD_EVERY_MS)) {
    try {
      await throughRestarts(() => tasks.deleteExec(id, execId), signal);
      return;
    } catch (thrown) {
      if (isEngineError(thrown, "not-found") || signal.aborted) return;
    }
    await tasks.kill(id, SIGKILL, { execId }).catch(() => {});
  }
}

/** After a crash the mark tells of an exec that has no FIFO. */
async function markDetached(folder: string, mark: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(mark, "");
}

/** The exit code; 137 where the exec ended with its shim. */
async function awaitExit(id: ContainerId, execId: string, tasks: TaskService, signal: AbortSignal): Promise<number> {
  try {
    return (await throughRestarts(() => tasks.wait(id, { execId, signal }), signal)).exitStatus;
  } catch (thrown) {
    if (isEngineError(thrown, "not-found") || isEngineError(thrown, "failed")) return 128 + SIGKILL;
    throw thrown;
  }
}

interface StartedExec extends Pick<ExecOptions, "tasks"> {
  readonly io: TaskIo;
  readonly outputs: readonly ExecOutput[];
  readonly pid: number;
  readonly exit: Promise<number>;
  forget(): Promise<void>;
}

function sessionOf(
  id: ContainerId,
  execId: string,
  spec: ExecSpec,
  { tasks, io, outputs, pid, exit, forget }: StartedExec,
): ExecSession {
  const input = spec.stdin
    ? openInput(io.stdin, {
        opened: Promise.resolve(),
        kind: async () => (spec.terminal ? "terminal" : "pipe"),
        release: () => tasks.closeStdin(id, execId).catch(() => {}),
      })
    : undefined;
  const ended = exit.then((exitCode) => {
    input?.close();
    // Nobody waits for it. Deleting takes until the shim has copied all that was written.
    void forget();
    return { exitCode };
  });
  ended.catch(() => {});
  const detach = () => {
    // Read on, to nowhere: a full FIFO would stall the process.
    for (const { socket } of outputs) socket.resume();
  };
  if (spec.detached) detach();
  return {
    pid,
    stdin: input?.writable(),
    output: merge(outputs),
    resize: (size) => tasks.resize(id, size, execId),
    exit: ended,
    kill: () => tasks.kill(id, SIGKILL, { execId }),
    detach,
  };
}

/** The chunks of all sockets as they come; a reader that is slow holds back the process, as a pipe would. */
async function* merge(outputs: readonly ExecOutput[]): Output {
  const readers = outputs.map(({ socket }) => socket.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>);
  for await (const { index, item } of merged(readers)) {
    const stream = outputs[index]?.stream;
    if (stream !== undefined) yield [{ stream, data: item }];
  }
}
