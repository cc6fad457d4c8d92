import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RuntimeStats } from "../../../containers/records/runtime-stats.ts";
import { EngineError } from "../../../engine/errors.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import type { Containerd } from "../client/client.ts";
import type { Answers } from "../tasks/answers.ts";
import type { FirstProcesses } from "../tasks/first-processes.ts";
import type { ProcessId } from "../tasks/kernel-process.ts";
import { runcRoot } from "../tasks/runc-state.ts";
import { type GroupFolders, readGroupStats } from "./group-stats.ts";
import { statsOf } from "./metrics.ts";

/** The control groups that runc wrote down for the process; undefined for another one, and with version 2. */
async function foldersOf(path: string, { pid }: ProcessId): Promise<GroupFolders | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const state = JSON.parse(text) as { readonly init_process_pid?: number; readonly cgroup_paths?: GroupFolders };
  return state.init_process_pid === pid && state.cgroup_paths?.memory !== undefined ? state.cgroup_paths : undefined;
}

/**
 * Measures tasks by the files of their control groups. To ask containerd, which asks the shim, which reads the same files, takes ten times
 * as much of the processor, and gets no answer where one of them hangs. It is asked with version 2, and where runc's state is out of reach.
 */
export class TaskStats {
  readonly #containerd: Pick<Containerd, "namespace" | "tasks">;
  readonly #processes: Pick<FirstProcesses, "alive">;
  readonly #answers: Pick<Answers, "of">;
  readonly #folders = new WeakMap<ProcessId, Promise<GroupFolders | undefined>>();

  constructor(
    containerd: Pick<Containerd, "namespace" | "tasks">,
    processes: Pick<FirstProcesses, "alive">,
    answers: Pick<Answers, "of">,
  ) {
    this.#containerd = containerd;
    this.#processes = processes;
    this.#answers = answers;
  }

  /** Throws `not-found` where the container has no running process. */
  async of(id: ContainerId): Promise<RuntimeStats> {
    const own = await this.#read(id);
    if (own !== undefined) return own;
    const metric = await this.#answers.of(id, this.#containerd.tasks.metrics(id));
    if (metric === undefined) throw new EngineError("not-found", `container ${id} has no running process`);
    return statsOf(metric);
  }

  async #read(id: ContainerId): Promise<RuntimeStats | undefined> {
    const process = await this.#processes.alive(id);
    if (process === undefined) return undefined;
    const path = join(runcRoot(this.#containerd.namespace), id, "state.json");
    const found = this.#folders.get(process) ?? foldersOf(path, process);
    this.#folders.set(process, found);
    const folders = await found;
    return folders && readGroupStats(folders, new Date().toISOString());
  }
}
