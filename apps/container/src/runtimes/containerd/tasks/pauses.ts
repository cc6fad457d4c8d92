import { setTimeout as delay } from "node:timers/promises";
import { isEngineError } from "../../../engine/errors.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import type { TaskService } from "../client/tasks.ts";
import type { FirstProcesses } from "./first-processes.ts";
import { setFrozen } from "./kernel-process.ts";
import { unlessEnded } from "./task-killer.ts";

// The shim keeps in mind whether its task is paused, and runc asks the kernel. Where a kill of containerd cuts a call off between them, they
// disagree from then on, and each refuses what the other would need. The kernel's freezer settles that.

/** runc tries a fifth of a second; on a busy machine a process may not run once in that, which it has to do to freeze. */
const NOT_FROZEN = /unable to freeze/;
const FREEZE_ATTEMPTS = 10;
const FREEZE_AGAIN_MS = 200;

/** What the shim says of a task that it has as it was asked to be. */
const PAUSED_ALREADY = /cannot pause a paused (container|process)/;
const RUNS_ALREADY = /cannot resume a running (container|process)/;

/** What runc says of a process that is not frozen. */
const NOT_PAUSED = /container not paused/;

type Processes = Pick<FirstProcesses, "alive">;

/** Resumes a task, also one that is not paused. */
export async function resumeTask(
  id: ContainerId,
  tasks: Pick<TaskService, "resume">,
  processes: Processes,
): Promise<void> {
  try {
    await tasks.resume(id);
  } catch (thrown) {
    const isFailed = isEngineError(thrown, "failed");
    const init = isFailed ? await processes.alive(id) : undefined;
    if (isFailed && RUNS_ALREADY.test(thrown.message)) {
      if (init !== undefined) await setFrozen(init, false);
    } else if (init !== undefined && isFailed && NOT_PAUSED.test(thrown.message)) {
      await setFrozen(init, true);
      await tasks.resume(id).finally(() => setFrozen(init, false));
    } else throw thrown;
  }
}

/** Pauses a task, also one that is paused. `not-found` where it has ended. */
export async function pauseTask(
  id: ContainerId,
  tasks: Pick<TaskService, "pause">,
  processes: Processes,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await unlessEnded(id, tasks.pause(id));
    } catch (thrown) {
      const init = await processes.alive(id);
      if (isEngineError(thrown, "failed") && PAUSED_ALREADY.test(thrown.message)) {
        if (init !== undefined) await setFrozen(init, true);
        return;
      }
      const isLate = isEngineError(thrown, "failed") && NOT_FROZEN.test(thrown.message);
      // runc takes a process that is frozen for one that does not run.
      const mayBeFrozen = isEngineError(thrown, "not-found") && init !== undefined;
      if (!(isLate || mayBeFrozen) || attempt === FREEZE_ATTEMPTS) throw thrown;
      if (mayBeFrozen) await setFrozen(init, false);
      await delay(FREEZE_AGAIN_MS);
    }
  }
}
