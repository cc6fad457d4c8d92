import { rm } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { ExecSession, ExecSpec, OutputChunk } from "../../../containers/records/runtime.ts";
import { isEngineError } from "../../../engine/errors.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import type { Containerd } from "../client/client.ts";
import { type Fifos, readFifo } from "../io/fifos.ts";
import type { Places } from "../io/places.ts";
import { encodeJson } from "../client/protos.ts";
import type { TaskIo } from "../client/tasks.ts";
import { toStartError } from "./start-error.ts";
import { openInput } from "../io/stdin.ts";
import { throughRestarts } from "./waits.ts";

const PROCESS_TYPE = "types.containerd.io/opencontainers/runtime-spec/1/Process";

export interface ExecOptions {
  readonly containerd: Containerd;
  readonly places: Places;
  readonly fifos: Fifos;
  /** The OCI process. */
  readonly process: object;
  readonly signal: AbortSignal;
}

/** Starts one more process in a task, with FIFOs for its streams. */
export async function startExec(
  id: ContainerId,
  execId: string,
  spec: ExecSpec,
  { containerd: { tasks }, places, fifos, process, signal }: ExecOptions,
): Promise<ExecSession> {
  const path = (stream: string) => join(places.io(id), `${execId}-${stream}`);
  // A terminal has to be copied somewhere, so that a detached one is read and thrown away.
  const read = !spec.detached || spec.terminal;
  const io: TaskIo = {
    stdin: spec.stdin ? path("stdin") : "",
    stdout: read ? path("stdout") : "",
    stderr: read && !spec.terminal ? path("stderr") : "",
    terminal: spec.terminal,
  };
  const paths = [io.stdin, io.stdout, io.stderr].filter((name) => name !== "");
  const release = () => Promise.all(paths.map((name) => rm(name, { force: true })));
  const outputs: { readonly stream: "stdout" | "stderr"; readonly socket: Socket }[] = [];
  try {
    await Promise.all(paths.map((name) => fifos.make(name)));
    for (const stream of ["stdout", "stderr"] as const) {
      if (io[stream] !== "") outputs.push({ stream, socket: await readFifo(io[stream]) });
    }
    await tasks.exec(id, execId, io, encodeJson(PROCESS_TYPE, process));
    const exit = throughRestarts(() => tasks.wait(id, { execId, signal }), signal);
    exit.catch(() => {});
    const { pid } = await tasks.start(id, execId).catch(async (thrown) => {
      await tasks.deleteExec(id, execId).catch(() => {});
      throw toStartError(thrown, spec.args[0] ?? "");
    });
    const input = spec.stdin
      ? openInput(io.stdin, {
          opened: Promise.resolve(),
          kind: async () => (spec.terminal ? "terminal" : "pipe"),
          release: () => tasks.closeStdin(id, execId).catch(() => {}),
        })
      : undefined;
    const ended = exit.then(async ({ exitStatus }) => {
      // Deleting waits until the shim has copied all that was written.
      await throughRestarts(() => tasks.deleteExec(id, execId), signal).catch((thrown) => {
        if (!isEngineError(thrown, "not-found")) throw thrown;
      });
      input?.close();
      await release();
      return { exitCode: exitStatus };
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
      kill: () => tasks.kill(id, 9, { execId }),
      detach,
    };
  } catch (thrown) {
    for (const { socket } of outputs) socket.destroy();
    await release();
    throw thrown;
  }
}

/** The chunks of all sockets as they come; a reader that is slow holds back the process, as a pipe would. */
async function* merge(
  outputs: readonly { readonly stream: "stdout" | "stderr"; readonly socket: Socket }[],
): AsyncGenerator<Pick<OutputChunk, "stream" | "data">> {
  type Step = { readonly index: number; readonly result: IteratorResult<Buffer> };
  const readers = outputs.map(({ socket }) => socket.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>);
  const next = async (index: number, reader: AsyncIterator<Buffer>): Promise<Step> => ({
    index,
    result: await reader.next().catch(() => ({ done: true as const, value: undefined })),
  });
  const pending = new Map(readers.map((reader, index) => [index, next(index, reader)]));
  while (pending.size > 0) {
    const { index, result } = await Promise.race(pending.values());
    const [reader, stream] = [readers[index], outputs[index]?.stream];
    if (result.done || reader === undefined || stream === undefined) {
      pending.delete(index);
      continue;
    }
    pending.set(index, next(index, reader));
    yield { stream, data: result.value };
  }
}
