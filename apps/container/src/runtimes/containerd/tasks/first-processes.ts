import { unlessAbsent } from "../../../engine/errors.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import type { TaskService } from "../client/tasks.ts";
import type { Places } from "../io/places.ts";
import type { Answers } from "./answers.ts";
import { isAlive, loadProcesses, type ProcessId } from "./kernel-process.ts";
import type { TaskWaits } from "./waits.ts";

/**
 * The first processes of tasks, as their starts wrote them down. To ask the kernel whether one is alive costs a tenth of a question to
 * containerd and the shim, and is answered where these hang.
 */
export class FirstProcesses {
  readonly #places: Pick<Places, "processes">;
  readonly #seen = new Map<ContainerId, ProcessId>();

  constructor(places: Pick<Places, "processes">) {
    this.#places = places;
  }

  /** The process if it is alive; undefined where it has ended, or was not written down. */
  async alive(id: ContainerId): Promise<ProcessId | undefined> {
    const seen = this.#seen.get(id);
    if (seen !== undefined && isAlive(seen)) return seen;
    // A later task wrote down another.
    const init = (await loadProcesses(this.#places.processes(id)))?.init;
    if (init === undefined || !isAlive(init)) return undefined;
    this.#seen.set(id, init);
    return init;
  }

  /** The container's task is over. */
  forget(id: ContainerId): void {
    this.#seen.delete(id);
  }
}

/** The task's first process if it runs. `unavailable` if that cannot be determined: a process without an answer may run. */
export type RunningTask = (id: ContainerId) => Promise<{ readonly pid: number } | undefined>;

export function runningTasks({
  tasks,
  waits,
  answers,
  firstProcesses,
}: {
  readonly tasks: Pick<TaskService, "get">;
  readonly waits: Pick<TaskWaits, "get">;
  readonly answers: Pick<Answers, "of">;
  readonly firstProcesses: FirstProcesses;
}): RunningTask {
  return async (id) => {
    if (waits.get(id) === undefined) return undefined;
    const alive = await firstProcesses.alive(id);
    if (alive !== undefined) return alive;
    const task = await answers.of(id, tasks.get(id)).catch(unlessAbsent);
    return task !== undefined && task.pid > 0 && task.status !== "STOPPED" ? task : undefined;
  };
}
