import { setMaxListeners } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import type {
  ContainerSpec,
  ExecSession,
  ExecSpec,
  Exit,
  LayerPath,
  OutputOptions,
  Runtime,
  RuntimeContainer,
  RuntimeEvent,
  SpecResources,
  TerminalSize,
} from "../../containers/records/runtime.ts";
import type { RuntimeStats } from "../../containers/records/runtime-stats.ts";
import { SIGKILL } from "../../containers/records/signals.ts";
import { KeyedLock } from "../../engine/concurrency/keyed-lock.ts";
import { EngineError, unlessAbsent } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { exists } from "../../host/exists.ts";
import type { LayerTar } from "../../images/images.ts";
import type { Containerd } from "./client/client.ts";
import { answerWithin } from "./client/connection.ts";
import { readVersions } from "./daemon/versions.ts";
import { type Outputs, outputsOf } from "./io/output.ts";
import type { Places } from "./io/places.ts";
import { loggerRun, type Runs, trackRuns } from "./io/runs.ts";
import { type Inputs, inputsOf } from "./io/stdin.ts";
import { makeSnapshots, removeSnapshots } from "./rootfs/container-snapshots.ts";
import { snapshotDiff } from "./rootfs/diff.ts";
import { userFilesReader } from "./rootfs/rootfs.ts";
import { Roots, type UseRoot } from "./rootfs/roots.ts";
import { resourcesOf } from "./spec/resources.ts";
import { ociProcess } from "./spec/spec.ts";
import { TaskStats } from "./stats/task-stats.ts";
import { Answers } from "./tasks/answers.ts";
import { Discards } from "./tasks/discards.ts";
import { runtimeEvents } from "./tasks/events.ts";
import { startExec } from "./tasks/exec.ts";
import { FirstProcesses, type RunningTask, runningTasks } from "./tasks/first-processes.ts";
import { adoptLeftExecs } from "./tasks/left-execs.ts";
import { endRunc, startsCutOff } from "./tasks/left-start.ts";
import { listContainers, lookAtTasks } from "./tasks/look.ts";
import { pauseTask, resumeTask } from "./tasks/pauses.ts";
import { clearSockets } from "./tasks/shim-sockets.ts";
import { discardTask, type StartOptions, startTask } from "./tasks/start.ts";
import { TaskKiller } from "./tasks/task-killer.ts";
import { deleteTask, TaskWaits } from "./tasks/waits.ts";

/** How long a start waits for whoever reads or writes the files of the stopped container. */
const STOPPED_ROOT_MS = 5_000;

/** How long a task that has ended may take to be cleared away, its log included. */
const CLEAR_TIMEOUT_MS = 60_000;

/** What the runtime is made of. */
export type Parts = Omit<StartOptions, "containerd" | "instance" | "userFiles" | "discards">;

/** See `openContainerdRuntime`. */
export class ContainerdRuntime implements Runtime {
  readonly name = "containerd";
  readonly #containerd: Containerd;
  readonly #places: Places;
  readonly #startOptions: StartOptions;
  readonly #closing = new AbortController();
  readonly #runs: Runs;
  readonly #outputs: Outputs;
  readonly #inputs: Inputs;
  readonly #answers: Answers;
  readonly #killer: TaskKiller;
  readonly #discards: Discards;
  readonly #waits: TaskWaits;
  readonly #firstProcesses: FirstProcesses;
  readonly #runningTask: RunningTask;
  readonly #stats: TaskStats;
  readonly #roots: Roots;
  /** Held by whatever makes a task or removes its root file system. */
  readonly #serial = new KeyedLock<ContainerId>();
  readonly #execStarts = new KeyedLock<ContainerId>();

  constructor(containerd: Containerd, instance: string, parts: Parts) {
    const { places, bundles } = parts;
    const [{ tasks, patience }, { signal }] = [containerd, this.#closing];
    // Every wait listens to it.
    setMaxListeners(0, signal);
    this.#containerd = containerd;
    this.#places = places;
    this.#runs = trackRuns(places.alive);
    this.#outputs = outputsOf(places, this.#runs);
    this.#inputs = inputsOf(places, this.#runs, tasks);
    this.#answers = new Answers(tasks, signal);
    this.#killer = new TaskKiller(tasks, places, this.#answers);
    const firstProcesses = new FirstProcesses(places);
    this.#firstProcesses = firstProcesses;
    this.#stats = new TaskStats(containerd, firstProcesses, this.#answers);
    const discard = (id: ContainerId) => discardTask(id, { containerd, killer: this.#killer, bundles, places });
    this.#discards = new Discards(discard, signal, patience);
    this.#waits = new TaskWaits({
      tasks,
      places,
      signal,
      killer: this.#killer,
      endCommands: async (id) => {
        if (this.#answers.takeHung(id)) await endRunc(id, containerd.namespace);
      },
      over: (id) => {
        this.#inputs.close(id);
        this.#answers.settle(id);
        firstProcesses.forget(id);
      },
    });
    const runningTask = runningTasks({ tasks, firstProcesses, answers: this.#answers, waits: this.#waits });
    this.#runningTask = runningTask;
    this.#roots = new Roots({ containerd, mounts: places.mounts, serial: this.#serial, runningTask });
    const userFiles = userFilesReader(places.mounts);
    this.#startOptions = { ...parts, containerd, instance, userFiles, discards: this.#discards };
  }

  /**
   * Waits for the end of every task. Discards those that were created and never started, which no client knows of, and what is left of
   * starts that were cut off before that.
   */
  async watchAll(): Promise<void> {
    // Before any task is looked at: a shim may hang until an exec's output has a reader.
    await adoptLeftExecs(this.#containerd.tasks, this.#places, this.#closing.signal);
    const tasks = await lookAtTasks(this.#containerd, this.#answers);
    const unfinished = new Set(await startsCutOff(this.#places));
    for (const [id, task] of tasks)
      if (task?.status === "CREATED") unfinished.add(id);
      else this.#waits.of(id, { started: true });
    await Promise.all([...unfinished].map((id) => this.#discards.begin(id)));
  }

  version() {
    return readVersions(this.#containerd);
  }

  async create(id: ContainerId, layers: string, options: Parameters<Runtime["create"]>[2] = {}): Promise<void> {
    await makeSnapshots(this.#containerd, id, layers, { ...options, mounts: this.#places.mounts });
    await mkdir(this.#places.container(id), { recursive: true, mode: 0o700 });
  }

  start(spec: ContainerSpec): Promise<{ readonly pid: number }> {
    const { id } = spec;
    // A client may leave an archive of the stopped container unread for as long as it likes.
    const patience = setTimeout(() => this.#roots.evict(id), STOPPED_ROOT_MS);
    return this.#serial.hold(id, async () => {
      clearTimeout(patience);
      if ((await this.#runningTask(id)) !== undefined)
        throw new EngineError("conflict", `container ${id} is already running`);
      // What ended, or failed to start, is not yet cleared away.
      const endings = Promise.allSettled([this.#waits.get(id)?.whole, this.#discards.get(id)]);
      await answerWithin(endings, "Delete", this.#containerd.patience(CLEAR_TIMEOUT_MS));
      let begun = false;
      const begin = async () => {
        begun = true;
        this.#runs.begin(id, (await loggerRun(this.#places.alive(id)))?.ended ?? Promise.resolve());
        this.#inputs.open(id);
      };
      try {
        const task = await this.#answers.of(id, startTask(spec, this.#startOptions, begin));
        this.#waits.of(id, { started: true });
        return task;
      } catch (thrown) {
        // A client that attached before waits for a run that is over now.
        if (!begun) this.#runs.begin(id, Promise.resolve());
        this.#inputs.close(id);
        this.#answers.settle(id);
        throw thrown;
      }
    });
  }

  wait(id: ContainerId, signal?: AbortSignal): Promise<Exit> {
    return this.#waits.end(id, signal);
  }

  async kill(id: ContainerId, signal: number, options?: { readonly all?: boolean }): Promise<void> {
    await this.#killer.signal(id, signal, options);
    const wait = this.#waits.get(id);
    // The waiters of the exit learn of a failure.
    if (signal === SIGKILL && wait !== undefined) this.#killer.ensureEnd(id, wait.exited).catch(() => {});
  }

  pause(id: ContainerId): Promise<void> {
    return this.#answers.of(id, pauseTask(id, this.#containerd.tasks, this.#firstProcesses));
  }

  resume(id: ContainerId): Promise<void> {
    return this.#answers.of(id, resumeTask(id, this.#containerd.tasks, this.#firstProcesses));
  }

  resize(id: ContainerId, size: TerminalSize): Promise<void> {
    return this.#answers.of(id, this.#containerd.tasks.resize(id, size));
  }

  update(id: ContainerId, resources: SpecResources): Promise<void> {
    const { host } = this.#startOptions;
    return this.#answers.of(id, this.#containerd.tasks.update(id, resourcesOf(resources, host.cgroups)));
  }

  remove(id: ContainerId): Promise<void> {
    this.#roots.evict(id);
    return this.#serial.hold(id, async () => {
      const { containers, tasks, patience } = this.#containerd;
      const { exited, whole } = this.#waits.of(id);
      await this.#killer.end(id, exited);
      const known = await answerWithin(whole, "Delete", patience(CLEAR_TIMEOUT_MS)).catch(unlessAbsent);
      if (known === undefined) await deleteTask(id, tasks);
      if (await exists(this.#places.starting(id))) await this.#discards.begin(id);
      await containers.delete(id).catch(unlessAbsent);
      await Promise.all([removeSnapshots(this.#containerd, id), clearSockets(id, this.#containerd)]);
      this.#runs.forget(id);
      this.#inputs.close(id);
      for (const folder of [this.#places.container(id), this.#places.io(id)])
        await rm(folder, { recursive: true, force: true });
    });
  }

  list(): Promise<readonly RuntimeContainer[]> {
    return listContainers(this.#containerd, this.#answers);
  }

  output(id: ContainerId, options: OutputOptions) {
    return this.#outputs.read(id, options);
  }

  outputEnd(id: ContainerId) {
    return this.#outputs.end(id);
  }

  logPath(id: ContainerId): string {
    return this.#places.log(id);
  }

  async stdin(id: ContainerId): Promise<Writable> {
    return await this.#inputs.writable(id);
  }

  async exec(id: ContainerId, execId: string, spec: ExecSpec): Promise<ExecSession> {
    const { fifos, host, places } = this.#startOptions;
    const user = this.#roots.userOf(id, spec.user, spec.container.additionalGroups);
    const started = startExec(id, execId, spec, {
      ...{ places, fifos, tasks: this.#containerd.tasks },
      process: user.then((found) => ociProcess(spec, found, host)),
      signal: this.#closing.signal,
      inTurn: (work) => this.#execStarts.hold(id, work),
    });
    return await this.#answers.of(id, started);
  }

  async assertUser(id: ContainerId, user: string): Promise<void> {
    await this.#roots.userOf(id, user);
  }

  processes(id: ContainerId): Promise<readonly number[]> {
    return this.#answers.of(id, this.#containerd.tasks.pids(id));
  }

  stats(id: ContainerId): Promise<RuntimeStats> {
    return this.#stats.of(id);
  }

  events(signal: AbortSignal): AsyncIterable<RuntimeEvent> {
    return runtimeEvents(this.#containerd.events, this.#answers, AbortSignal.any([signal, this.#closing.signal]));
  }

  async usage(id: ContainerId): Promise<{ readonly writable: number }> {
    return { writable: await this.#roots.size(id) };
  }

  diskUsage(id: ContainerId): Promise<number> {
    return this.#roots.diskUsage(id, this.#places.container(id));
  }

  withRootfs<T>(id: ContainerId, use: UseRoot<T>, images?: number): Promise<T> {
    return this.#roots.withRoot(id, use, images);
  }

  withBase<T>(id: ContainerId, use: (path: string) => Promise<T>): Promise<T> {
    return this.#roots.withBase(id, use);
  }

  changedPaths(id: ContainerId): Promise<readonly LayerPath[]> {
    return this.#roots.changedPaths(id);
  }

  diff(id: ContainerId): Promise<LayerTar> {
    return snapshotDiff(id, this.#containerd);
  }

  async close(): Promise<void> {
    this.#closing.abort(new EngineError("unavailable", "the runtime is closed"));
    this.#inputs.closeAll();
    await Promise.allSettled([...this.#waits.all(), this.#startOptions.fifos.idle()]);
  }
}
