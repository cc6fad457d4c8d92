import { readdir, rm } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import { isEngineError } from "../../../engine/errors.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import type { TaskService } from "../client/tasks.ts";
import { readFifo } from "../io/fifos.ts";
import type { Places } from "../io/places.ts";
import { throughRestarts } from "./waits.ts";

/** `detached` is a mark: such an exec has no FIFO that would tell of it after a crash. */
const STREAMS = ["stdin", "stdout", "stderr", "detached"] as const;

type ExecFile = (typeof STREAMS)[number];

/** The file of one exec's stream. */
export function execFileOf(places: Pick<Places, "io">, id: ContainerId, execId: string, stream: ExecFile): string {
  return join(places.io(id), `${execId}-${stream}`);
}

/** The execs with files below the container's folder, by their ids. */
async function execsIn(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const name of await readdir(folder).catch(() => [])) {
    const [, execId, stream] = /^(.+)-([a-z]+)$/.exec(name) ?? [];
    if (execId === undefined || !STREAMS.some((known) => known === stream)) continue;
    found.set(execId, [...(found.get(execId) ?? []), join(folder, name)]);
  }
  return found;
}

type ExecTasks = Pick<TaskService, "get" | "wait" | "deleteExec">;

/**
 * Takes over the execs that an earlier service process left behind. When it settles, each of their outputs has a reader: without one a
 * shim that is about to open an output blocks, and every call for its container with it. The output goes nowhere, as its client is gone.
 * An exec's process goes on; when it has ended, the shim forgets it and its files are removed, unless `signal` comes before.
 */
export async function adoptLeftExecs(
  tasks: ExecTasks,
  places: Pick<Places, "io" | "ios">,
  signal: AbortSignal,
): Promise<void> {
  const ids = (await readdir(places.ios).catch(() => [])) as ContainerId[];
  await Promise.all(
    ids.map(async (id) => {
      for (const [execId, paths] of await execsIn(places.io(id))) {
        const outputs = await readAll(paths);
        void forgetEnded(id, execId, tasks, signal).then(async (forgotten) => {
          for (const output of outputs) output.destroy();
          if (forgotten) for (const path of paths) await rm(path, { force: true }).catch(() => {});
        });
      }
    }),
  );
}

async function readAll(paths: readonly string[]): Promise<readonly Socket[]> {
  const outputs: Socket[] = [];
  for (const path of paths.filter((path) => /-std(out|err)$/.test(path))) {
    const output = await readFifo(path).catch(() => undefined);
    if (output === undefined) continue;
    output.on("error", () => {}).unref();
    outputs.push(output.resume());
  }
  return outputs;
}

/** Awaits the end of the exec and has the shim forget it. False where the signal came before. */
async function forgetEnded(id: ContainerId, execId: string, tasks: ExecTasks, signal: AbortSignal): Promise<boolean> {
  try {
    await throughRestarts(async () => {
      // One that was created and never started has no end to wait for.
      const { status } = await tasks.get(id, { execId });
      if (status !== "CREATED") await tasks.wait(id, { execId, signal });
      await tasks.deleteExec(id, execId);
    }, signal);
    return true;
  } catch (thrown) {
    // Neither an exec nor a shim is there any more.
    return isEngineError(thrown, "not-found") || isEngineError(thrown, "failed");
  }
}
