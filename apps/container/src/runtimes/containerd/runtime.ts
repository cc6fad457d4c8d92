import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { access, mkdir, readFile, rm } from "node:fs/promises";
import { promisify } from "node:util";
import type { Exit, Runtime, RuntimeContainer } from "../../containers/records/runtime.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { KeyedLock } from "../../engine/keyed-lock.ts";
import { NATIVE_DIR as builtNativeDir } from "../../host/native-dir.ts";
import type { Containerd } from "./client/client.ts";
import { isAlreadyExists } from "./client/connection.ts";
import { snapshotDiff } from "./rootfs/diff.ts";
import { oomEvents } from "./tasks/events.ts";
import { startExec } from "./tasks/exec.ts";
import { openFifos } from "./io/fifos.ts";
import { readHost } from "./spec/host.ts";
import { outputsOf } from "./io/output.ts";
import { openPins } from "./rootfs/pins.ts";
import { placesOf, SECCOMP_PATH } from "./io/places.ts";
import { encodeJson } from "./client/protos.ts";
import { ownSize, readUserFiles, userFilesReader, withMounted } from "./rootfs/rootfs.ts";
import { loggerRun, trackRuns } from "./io/runs.ts";
import { resourcesOf } from "./spec/resources.ts";
import { ociProcess } from "./spec/spec.ts";
import { resolveUser } from "./spec/user.ts";
import { CONTAINER_LABEL, discardTask, initPaths, killTask, startTask, unlessEnded } from "./tasks/start.ts";
import { statsOf } from "./tasks/stats.ts";
import { inputsOf } from "./io/stdin.ts";
import { waitForTask } from "./tasks/waits.ts";

export interface ContainerdRuntimeOptions {
  /** In the instance's namespace; it stays its owner's to close. */
  readonly containerd: Containerd;
  readonly instance: string;
  readonly stateDir: string;
  readonly runDir: string;
  /** Where the programs are that `native/build.sh` builds; default: where it puts them. */
  readonly nativeDir?: string;
}

const RESOURCES_TYPE = "types.containerd.io/opencontainers/runtime-spec/1/LinuxResources";

/** The runtime over containerd. `unavailable` where the logger is not built. */
export async function openContainerdRuntime(options: ContainerdRuntimeOptions): Promise<Runtime> {
  const { containerd, instance, nativeDir = builtNativeDir } = options;
  const { tasks, snapshots, containers } = containerd;
  const places = placesOf(options);
  const logger = `${nativeDir}/logger`;
  const [host, seccompProfile, init, loggerBuilt, fifos, pins] = await Promise.all([
    readHost(),
    readFile(SECCOMP_PATH, "utf8"),
    firstThere(initPaths(nativeDir)),
    firstThere([logger]),
    openFifos(places.fifos),
    openPins(places.pins, `${nativeDir}/pin`),
  ]);
  if (loggerBuilt === undefined) {
    throw new EngineError("unavailable", `${logger} is not there: native/build.sh builds it`);
  }

  const closing = new AbortController();
  const runs = trackRuns(places.alive);
  const outputs = outputsOf(places, runs);
  const inputs = inputsOf(places, runs, tasks);
  const userFiles = userFilesReader(places.mounts);
  const serial = new KeyedLock<string>();
  const waits = new Map<string, Promise<Exit>>();
  const startOptions = {
    containerd,
    instance,
    host,
    seccompProfile,
    init,
    userFiles,
    places,
    fifos,
    pins,
    program: logger,
  };

  /**
   * All who wait for a process wait for one end of it: the task can be deleted only once. Somebody always waits, for a log is
   * whole, and ends for its followers, only when the task is deleted.
   */
  const sharedWait = (id: ContainerId, { started = false } = {}): Promise<Exit> => {
    const known = waits.get(id);
    if (known !== undefined) return known;
    const wait = (async () => {
      try {
        const exit = await waitForTask(id, { containerd, places, started, signal: closing.signal });
        inputs.close(id);
        return exit;
      } finally {
        waits.delete(id);
      }
    })();
    wait.catch(() => {});
    waits.set(id, wait);
    return wait;
  };

  for (const { id, status } of await tasks.list()) {
    // We died between its creation and its start: nobody was told that it runs.
    if (status === "CREATED") await discardTask(id, containerd);
    else sharedWait(id as ContainerId, { started: true });
  }

  const runningTask = async (id: ContainerId) => {
    if (!waits.has(id)) return undefined;
    const task = await tasks.get(id).catch((thrown) => {
      if (isEngineError(thrown, "not-found")) return undefined;
      throw thrown;
    });
    return task !== undefined && task.pid > 0 && task.status !== "STOPPED" ? task : undefined;
  };

  /** The path of a running process's root: what it sees, its volumes too. */
  const rootOf = (pid: number) => `/proc/${pid}/root`;

  const needTask = async (id: ContainerId) => {
    const task = await runningTask(id);
    if (task === undefined) throw new EngineError("not-found", `container ${id} has no running process`);
    return task;
  };

  return {
    name: "containerd",
    version: async () => {
      const { version } = await containerd.version();
      const { stdout } = await promisify(execFile)("runc", ["--version"]).catch(() => ({ stdout: "" }));
      return { name: "containerd", version, runc: /^runc version (\S+)/.exec(stdout)?.[1] ?? "" };
    },

    create: async (id, layers, signal) => {
      // The label roots the snapshot for containerd's garbage collector, and finds it again when all else is lost.
      const labels = { [CONTAINER_LABEL]: id, "containerd.io/gc.root": new Date().toISOString() };
      try {
        await snapshots.prepare(id, layers, { labels, ...(signal ? { signal } : {}) });
      } catch (thrown) {
        if (!isAlreadyExists(thrown)) throw thrown;
      }
      await mkdir(places.container(id), { recursive: true, mode: 0o700 });
    },

    start: (spec) =>
      serial.hold(spec.id, async () => {
        const { id } = spec;
        if ((await runningTask(id)) !== undefined) throw new EngineError("conflict", `container ${id} runs already`);
        // It has ended, but is not yet cleared away.
        await waits.get(id)?.catch(() => {});
        let begun = false;
        const begin = async () => {
          begun = true;
          runs.begin(id, (await loggerRun(places.alive(id)))?.ended ?? Promise.resolve());
          inputs.open(id);
        };
        try {
          const task = await startTask(spec, startOptions, begin);
          sharedWait(id, { started: true });
          return task;
        } catch (thrown) {
          // Who attached before waits for a run that is over now.
          if (!begun) runs.begin(id, Promise.resolve());
          inputs.close(id);
          throw thrown;
        }
      }),

    wait: async (id, signal) => {
      signal?.throwIfAborted();
      const wait = sharedWait(id);
      if (signal === undefined) return await wait;
      let abort = () => {};
      const aborted = new Promise<never>((_, reject) => {
        abort = () => reject(signal.reason);
        signal.addEventListener("abort", abort);
      });
      return await Promise.race([wait, aborted]).finally(() => signal.removeEventListener("abort", abort));
    },

    kill: (id, signal, { all = false } = {}) => unlessEnded(id, tasks.kill(id, signal, { all })),
    pause: (id) => unlessEnded(id, tasks.pause(id)),
    resume: (id) => tasks.resume(id),
    resize: (id, size) => tasks.resize(id, size),
    update: (id, resources) => tasks.update(id, encodeJson(RESOURCES_TYPE, resourcesOf(resources, host.cgroups))),

    remove: (id) =>
      serial.hold(id, async () => {
        await killTask(id, containerd);
        await sharedWait(id).catch(unlessAbsent);
        await containers.delete(id).catch(unlessAbsent);
        await snapshots.remove(id).catch(unlessAbsent);
        runs.forget(id);
        inputs.close(id);
        await rm(places.container(id), { recursive: true, force: true });
        await rm(places.io(id), { recursive: true, force: true });
      }),

    list: async () => {
      const [mine, records, running] = await Promise.all([
        snapshots.list([`labels."${CONTAINER_LABEL}"`]),
        containers.list([`labels."${CONTAINER_LABEL}"`]),
        tasks.list(),
      ]);
      const taskOf = new Map(running.map((task) => [task.id, task]));
      const ids = new Set([...mine, ...records].map(({ labels }) => labels[CONTAINER_LABEL] as ContainerId));
      return [...ids].map((id): RuntimeContainer => {
        const task = taskOf.get(id);
        if (task === undefined) return { id, task: undefined };
        return { id, task: { status: TASK_STATUS[task.status], pid: task.pid } };
      });
    },

    output: outputs.read,
    outputEnd: outputs.end,
    logPath: places.log,
    stdin: async (id) => inputs.writable(id),

    exec: async (id, execId, spec) => {
      const { pid } = await needTask(id);
      const user = resolveUser(spec.user, spec.container.additionalGroups, await readUserFiles(rootOf(pid)));
      const process = ociProcess(spec, user, host);
      return await startExec(id, execId, spec, { containerd, places, fifos, process, signal: closing.signal });
    },

    processes: (id) => tasks.pids(id),
    stats: async (id) => {
      const metric = await tasks.metrics(id);
      if (metric === undefined) throw new EngineError("not-found", `container ${id} has no running process`);
      return statsOf(metric);
    },
    events: (signal) => oomEvents(containerd, AbortSignal.any([signal, closing.signal])),

    usage: async (id) => ({ writable: await ownSize(await snapshots.mounts(id)) }),
    withRootfs: async (id, use) => {
      const task = await runningTask(id);
      if (task !== undefined) return await use(rootOf(task.pid));
      // Two mounts of one writable layer confuse overlayfs: a start waits until this one is gone.
      return await serial.hold(id, async () => {
        const started = await runningTask(id);
        if (started !== undefined) return await use(rootOf(started.pid));
        return await withMounted(await snapshots.mounts(id), places.mounts, use);
      });
    },
    withLayers: (layers, use) =>
      containerd.withLease(async (leased) => {
        const key = `layers-${randomBytes(6).toString("hex")}`;
        return await withMounted(await leased.snapshots.view(key, layers), places.mounts, use);
      }),
    diff: (id) => snapshotDiff(id, containerd),

    close: async () => {
      closing.abort(new EngineError("unavailable", "the runtime is closed"));
      inputs.closeAll();
      await Promise.allSettled([...waits.values(), fifos.idle()]);
    },
  };
}

const TASK_STATUS = {
  UNKNOWN: "stopped",
  CREATED: "created",
  RUNNING: "running",
  STOPPED: "stopped",
  PAUSED: "paused",
  PAUSING: "paused",
} as const;

function unlessAbsent(thrown: unknown): void {
  if (!isEngineError(thrown, "not-found")) throw thrown;
}

async function firstThere(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const there = await access(path).then(
      () => true,
      () => false,
    );
    if (there) return path;
  }
  return undefined;
}
