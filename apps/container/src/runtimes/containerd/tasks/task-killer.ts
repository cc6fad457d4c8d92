import { setTimeout as delay } from "node:timers/promises";
import { SIGKILL } from "../../../containers/records/signals.ts";
import { EngineError, isEngineError } from "../../../engine/errors.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import type { TaskService } from "../client/tasks.ts";
import type { Places } from "../io/places.ts";
import type { Answers } from "./answers.ts";
import { endsWithin, killShimOf, loadProcesses, setFrozen, signalProcess } from "./kernel-process.ts";

/** How long a call may take for a container that left one unanswered before. */
const HUNG_TIMEOUT_MS = 2_000;

/** How long a task may take to end of a SIGKILL before its process is looked at, as in moby's `daemon.Kill`. */
const GRACE_MS = 10_000;
const HUNG_GRACE_MS = 500;

/** How long the shim of a process that is gone may take to report the exit. */
const REPORT_MS = 5_000;
const HUNG_REPORT_MS = 1_000;

const RESUME_TIMEOUT_MS = 5_000;

/** What containerd says of a task that has ended and is not deleted: of runc, and of a shim that is gone before it answers. */
const ENDED = /^ttrpc: closed|cannot pause a (stopped|deleted) (container|process)|container not running/;

/** Calls a task; `not-found` too where it has ended. */
export async function unlessEnded(id: string, call: Promise<void>): Promise<void> {
  try {
    await call;
  } catch (thrown) {
    if (!isEngineError(thrown, "failed") || !ENDED.test(thrown.message)) throw thrown;
    throw new EngineError("not-found", `container ${id} has no process`, { cause: thrown });
  }
}

async function settlesWithin(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
  const stop = new AbortController();
  const settled = promise.then(
    () => true,
    () => true,
  );
  const late = delay(limitMs, false, { signal: stop.signal }).catch(() => false);
  return await Promise.race([settled, late]).finally(() => stop.abort());
}

/** Sends signals to tasks, and to their processes themselves where containerd, the shim or runc fails to. */
export class TaskKiller {
  readonly #tasks: TaskService;
  readonly #places: Pick<Places, "processes">;
  readonly #answers: Answers;

  constructor(tasks: TaskService, places: Pick<Places, "processes">, answers: Answers) {
    this.#tasks = tasks;
    this.#places = places;
    this.#answers = answers;
  }

  /**
   * Sends a signal to a task's first process, or to `all`; `not-found` where nothing runs. The first process is signalled by the kernel
   * alone: containerd would run runc for it, which takes longer than the end of most processes.
   */
  async signal(id: ContainerId, signal: number, { all = false } = {}): Promise<void> {
    if (!all && (await this.#signalFirst(id, signal))) return;
    try {
      const call = this.#tasks.kill(id, signal, { all, ...this.#limit(id) });
      await this.#answers.of(id, unlessEnded(id, call));
    } catch (thrown) {
      if (!isEngineError(thrown) || isEngineError(thrown, "invalid")) throw thrown;
      // Where runc has lost its state, containerd says `not-found` of a process that runs.
      if (await this.#signalFirst(id, signal)) return;
      const isKnown = (await loadProcesses(this.#places.processes(id))) !== undefined;
      // The process has ended already, but its shim does not report it.
      if (!isKnown || signal !== SIGKILL || !isEngineError(thrown, "unavailable")) throw thrown;
    }
  }

  /**
   * Kills all that runs in a task, paused or not. Settles with `exited`; `unavailable` where that does not come. With the first process the
   * kernel ends all of its process namespace, and in one that it shares the shim kills the rest.
   */
  async end(id: ContainerId, exited: Promise<unknown>): Promise<void> {
    if (!(await this.#signalFirst(id, SIGKILL))) {
      const timeoutMs = this.#tasks.patience(RESUME_TIMEOUT_MS);
      const resumed = this.#tasks.resume(id, { timeoutMs, ...this.#limit(id) });
      await this.#answers.of(id, resumed).catch(() => {});
      await this.signal(id, SIGKILL, { all: true }).catch(() => {});
    }
    await this.ensureEnd(id, exited);
  }

  /** False where no first process is known that runs. */
  async #signalFirst(id: ContainerId, signal: number): Promise<boolean> {
    const processes = await loadProcesses(this.#places.processes(id));
    if (processes === undefined) return false;
    if (signal === SIGKILL) await setFrozen(processes.init, false);
    return await signalProcess(processes.init, signal);
  }

  /**
   * Makes sure that a task that was sent SIGKILL ends: kills its process, then the shim where that does not report the exit, so that
   * containerd clears the task away. Settles with `exited`; `unavailable` where that does not come.
   */
  async ensureEnd(id: ContainerId, exited: Promise<unknown>): Promise<void> {
    const { patience } = this.#tasks;
    if (await settlesWithin(exited, patience(this.#answers.isHung(id) ? HUNG_GRACE_MS : GRACE_MS))) return;
    const processes = await loadProcesses(this.#places.processes(id));
    if (processes !== undefined) {
      await setFrozen(processes.init, false);
      await signalProcess(processes.init, SIGKILL);
      if (await endsWithin(processes.init, patience(GRACE_MS))) {
        if (await settlesWithin(exited, patience(this.#answers.isHung(id) ? HUNG_REPORT_MS : REPORT_MS))) return;
        await killShimOf(processes);
      }
    }
    if (await settlesWithin(exited, patience(GRACE_MS))) return;
    throw new EngineError("unavailable", `container ${id} was killed, but containerd does not report its exit`);
  }

  /** Kills the first process of a task that is gone, should it run on. */
  async killLeft(id: ContainerId): Promise<void> {
    await this.#signalFirst(id, SIGKILL);
  }

  /** Kills the shim of a task whose process has ended: containerd then clears the task away. */
  async killShim(id: ContainerId): Promise<void> {
    const processes = await loadProcesses(this.#places.processes(id));
    if (processes !== undefined) await killShimOf(processes);
  }

  #limit(id: ContainerId) {
    return this.#answers.isHung(id) ? { timeoutMs: this.#tasks.patience(HUNG_TIMEOUT_MS) } : {};
  }
}
