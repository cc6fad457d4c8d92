import { readFile, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Exit } from "../../../containers/records/runtime.ts";
import { EngineError, isEngineError } from "../../../engine/errors.ts";
import type { Containerd } from "../client/client.ts";
import type { Places } from "../io/places.ts";
import { formatTimestamp } from "../client/protos.ts";
import { loggerRun } from "../io/runs.ts";

/** Runs `call` until containerd answers it: the daemon may be killed and come back at any time. */
export async function throughRestarts<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (thrown) {
      if (!isEngineError(thrown, "unavailable")) throw thrown;
      await delay(100, undefined, signal ? { signal } : {});
    }
  }
}

export interface WaitOptions {
  readonly containerd: Containerd;
  readonly places: Places;
  /** Whether the task is known to have run: when it is gone then, it was killed with its shim, and not unknown. */
  readonly started: boolean;
  readonly signal: AbortSignal;
}

/**
 * Waits for the end of a task's process, then deletes the task, and answers when its log is whole.
 * The exit is on disk before the task is deleted: whoever asks after a crash in between still learns it.
 */
export async function waitForTask(id: string, options: WaitOptions): Promise<Exit> {
  const { containerd, places, signal } = options;
  // Before the task is deleted, which lets the logger end.
  const logged = await loggerRun(places.alive(id));
  const exit = await waitForExit(id, options);
  await writeFile(places.exit(id), JSON.stringify(exit));
  await throughRestarts(() => deleteTask(id, containerd), signal);
  await logged?.ended;
  return exit;
}

/** Deletes an ended task, or finds that it is gone: its shim ends with it, and may do so before it answers a second caller. */
export async function deleteTask(id: string, { tasks }: Containerd): Promise<void> {
  try {
    await tasks.delete(id);
  } catch (thrown) {
    if (isEngineError(thrown, "not-found")) return;
    const gone = await tasks.get(id).then(
      () => false,
      (absent) => isEngineError(absent, "not-found"),
    );
    if (!gone) throw thrown;
  }
}

async function waitForExit(id: string, { containerd: { tasks }, places, started, signal }: WaitOptions): Promise<Exit> {
  let seen = started;
  try {
    const { exitStatus, exitedAt } = await throughRestarts(async () => {
      const process = await tasks.get(id);
      seen = true;
      return process.status === "STOPPED" ? process : await tasks.wait(id, { signal });
    }, signal);
    return { exitCode: exitStatus, exitedAt: formatTimestamp(exitedAt) ?? now() };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    const kept = await readExit(places.exit(id));
    if (kept !== undefined) return kept;
    // Its shim was killed: containerd kills what was in it and forgets it.
    if (seen && (isEngineError(thrown, "not-found") || isEngineError(thrown, "failed"))) {
      return { exitCode: 137, exitedAt: now() };
    }
    if (!isEngineError(thrown, "not-found")) throw thrown;
    throw new EngineError("not-found", `container ${id} has no process`, { cause: thrown });
  }
}

async function readExit(path: string): Promise<Exit | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Exit);
}

function now(): string {
  return new Date().toISOString();
}
