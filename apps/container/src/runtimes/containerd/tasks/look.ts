import type { RuntimeContainer } from "../../../containers/records/runtime.ts";
import { isEngineError } from "../../../engine/errors.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import type { Containerd } from "../client/client.ts";
import { NoAnswer } from "../client/connection.ts";
import type { TaskProcess } from "../client/tasks.ts";
import { CONTAINER_LABEL } from "../rootfs/container-snapshots.ts";
import type { Answers } from "./answers.ts";

/** How long a task may take to say how it is, where many are asked at once: one that hangs must not hold up the others. */
const LOOK_TIMEOUT_MS = 1_000;

/** Asks each task for its state; undefined stands for one that does not answer. */
export async function lookAtTasks(
  { containers, tasks }: Pick<Containerd, "containers" | "tasks">,
  answers: Answers,
): Promise<ReadonlyMap<ContainerId, TaskProcess | undefined>> {
  const records = await containers.list([`labels."${CONTAINER_LABEL}"`]);
  const found = await Promise.all(
    records.map(async (record) => {
      const id = record.id as ContainerId;
      try {
        return [[id, await answers.of(id, tasks.get(id, { timeoutMs: tasks.patience(LOOK_TIMEOUT_MS) }))]] as const;
      } catch (thrown) {
        if (isEngineError(thrown, "not-found")) return [];
        if (thrown instanceof NoAnswer) return [[id, undefined]] as const;
        throw thrown;
      }
    }),
  );
  return new Map(found.flat());
}

const TASK_STATUS = {
  CREATED: "created",
  RUNNING: "running",
  STOPPED: "stopped",
  PAUSED: "paused",
  PAUSING: "paused",
} as const;

/** Every container that was made and not removed, with its task where it has one. */
export async function listContainers(containerd: Containerd, answers: Answers): Promise<readonly RuntimeContainer[]> {
  const [snapshots, tasks] = await Promise.all([
    containerd.snapshots.list([`labels."${CONTAINER_LABEL}"`]),
    lookAtTasks(containerd, answers),
  ]);
  const ids = new Set([...snapshots.map(({ labels }) => labels[CONTAINER_LABEL] as ContainerId), ...tasks.keys()]);
  return [...ids].map((id): RuntimeContainer => {
    if (!tasks.has(id)) return { id, task: undefined };
    const task = tasks.get(id);
    if (task === undefined) return { id, task: { status: "unknown" } };
    return { id, task: { status: TASK_STATUS[task.status], pid: task.pid } };
  });
}
