import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Exit } from "../../../containers/records/runtime.ts";
import { EngineError, isEngineError } from "../../../engine/errors.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import { writeWhole } from "../../../host/whole-file.ts";
import { NoAnswer } from "../client/connection.ts";
import { formatTimestamp } from "../client/protos.ts";
import type { TaskService } from "../client/tasks.ts";
import type { Places } from "../io/places.ts";
import { logEnd, loggerRun } from "../io/runs.ts";
import type { TaskKiller } from "./task-killer.ts";

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

/** Deletes an ended task, or finds that it is gone: its shim ends with it, and may do so before it answers a second caller. */
export async function deleteTask(id: string, tasks: TaskService): Promise<void> {
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

/** The end of one task. */
export interface TaskWait {
  /** Settles when the exit is known and on disk. */
  readonly exited: Promise<unknown>;
  /** Settles when the task is deleted too, and its log is whole. */
  readonly whole: Promise<Exit>;
}

export interface WaitOptions {
  readonly tasks: TaskService;
  readonly places: Places;
  readonly signal: AbortSignal;
  readonly killer: Pick<TaskKiller, "killShim" | "killLeft">;
  /** Ends commands that still wait for an answer about a task that is gone: a later one has its id. */
  endCommands(id: ContainerId): Promise<void>;
  /** Called when a task is gone. */
  over(id: ContainerId): void;
}

/**
 * All waiters of a process share one wait, because a task can be deleted only once. Every task has a wait, because its log is complete,
 * and ends for followers, only when the task is deleted.
 */
export class TaskWaits {
  readonly #options: WaitOptions;
  readonly #waits = new Map<ContainerId, TaskWait>();

  constructor(options: WaitOptions) {
    this.#options = options;
  }

  get(id: ContainerId): TaskWait | undefined {
    return this.#waits.get(id);
  }

  all(): readonly Promise<Exit>[] {
    return [...this.#waits.values()].map(({ whole }) => whole);
  }

  /** @param started whether the task is known to have run: when it is gone then, it was killed with its shim. */
  of(id: ContainerId, { started = false } = {}): TaskWait {
    const known = this.#waits.get(id);
    if (known !== undefined) return known;
    const { places } = this.#options;
    // Before the task is deleted, which lets the logger end.
    const logged = loggerRun(places.alive(id));
    const exited = logged.then(() => this.#exit(id, started));
    const whole = this.#finish(id, exited, logged).finally(() => this.#waits.delete(id));
    exited.catch(() => {});
    whole.catch(() => {});
    const wait = { exited, whole };
    this.#waits.set(id, wait);
    return wait;
  }

  /** The exit, when all of it is over; or the signal's reason, should that come before. */
  async end(id: ContainerId, signal?: AbortSignal): Promise<Exit> {
    signal?.throwIfAborted();
    const { whole } = this.of(id);
    if (signal === undefined) return await whole;
    let abort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(signal.reason);
      signal.addEventListener("abort", abort);
    });
    return await Promise.race([whole, aborted]).finally(() => signal.removeEventListener("abort", abort));
  }

  async #finish(id: ContainerId, exited: Promise<Exit>, logged: ReturnType<typeof loggerRun>): Promise<Exit> {
    const { tasks, signal, killer, endCommands, over } = this.#options;
    const exit = await exited;
    await throughRestarts(async () => {
      try {
        await deleteTask(id, tasks);
      } catch (thrown) {
        // Nothing runs any more: containerd clears up after a shim that is gone.
        if (thrown instanceof NoAnswer) await killer.killShim(id);
        throw thrown;
      }
    }, signal);
    await endCommands(id);
    await logEnd(await logged);
    over(id);
    return exit;
  }

  /** The exit is on disk before the task is deleted: after a crash in between it is still known. */
  async #exit(id: ContainerId, started: boolean): Promise<Exit> {
    const exit = await this.#awaitExit(id, started);
    await saveExit(this.#options.places, id, exit);
    return exit;
  }

  async #awaitExit(id: ContainerId, started: boolean): Promise<Exit> {
    const { tasks, places, signal, killer } = this.#options;
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
      const known = await loadExit(places, id);
      if (known !== undefined) return known;
      const isGone = isEngineError(thrown, "not-found") || (seen && isEngineError(thrown, "failed"));
      if (!isGone) throw thrown;
      // Its shim was killed: containerd kills what was in it and forgets it, unless its clean-up fails, too.
      await killer.killLeft(id);
      if (seen) return { exitCode: 137, exitedAt: now() };
      throw new EngineError("not-found", `container ${id} has no process`, { cause: thrown });
    }
  }
}

/** A full disk must not keep the exit from those who wait for it; the run folder is mostly on another one. */
async function saveExit(places: Pick<Places, "exit" | "exitOnFullDisk">, id: ContainerId, exit: Exit): Promise<void> {
  const text = JSON.stringify(exit);
  await writeWhole(places.exit(id), text)
    .catch(() => writeWhole(places.exitOnFullDisk(id), text))
    .catch(() => {});
}

async function loadExit(places: Pick<Places, "exit" | "exitOnFullDisk">, id: ContainerId): Promise<Exit | undefined> {
  for (const path of [places.exit(id), places.exitOnFullDisk(id)]) {
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as Exit;
  }
  return undefined;
}

function now(): string {
  return new Date().toISOString();
}
