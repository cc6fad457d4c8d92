import { rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ContainerSpec } from "../../../containers/records/runtime.ts";
import { EngineError, unlessAbsent } from "../../../engine/errors.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import { ranOutOfMemory } from "../../../host/control-groups.ts";
import { exists } from "../../../host/exists.ts";
import type { Containerd } from "../client/client.ts";
import { isAlreadyExists } from "../client/connection.ts";
import type { Patience } from "../client/patience.ts";
import type { Mount } from "../client/snapshots.ts";
import { type LoggerOptions, prepareIo } from "../io/logger.ts";
import type { Places } from "../io/places.ts";
import { logEnd, loggerRun } from "../io/runs.ts";
import { dropRuncWords } from "../log/runc-words.ts";
import { CONTAINER_LABEL, mountImages } from "../rootfs/container-snapshots.ts";
import type { Pins } from "../rootfs/pins.ts";
import { findDevices, findThrottles } from "../spec/host.ts";
import { formatSpec, ociSpec, type SpecHost } from "../spec/spec.ts";
import { resolveUser, type UserFiles } from "../spec/user.ts";
import type { Discards } from "./discards.ts";
import { saveProcesses } from "./kernel-process.ts";
import { type BundlePlace, clearLeftStart } from "./left-start.ts";
import { clearRuncState } from "./runc-state.ts";
import { toEarlyEnd, toStartError } from "./start-error.ts";
import type { TaskKiller } from "./task-killer.ts";
import { isSameRuntime, type TaskRuntime } from "./task-runtime.ts";
import { deleteTask } from "./waits.ts";

const SPEC_TYPE = "types.containerd.io/opencontainers/runtime-spec/1/Spec";

export interface StartOptions extends LoggerOptions {
  readonly containerd: Containerd;
  /** Where containerd keeps the bundles of tasks. */
  readonly bundles: BundlePlace;
  readonly instance: string;
  readonly host: SpecHost;
  readonly seccompProfile: string;
  /** The static init's path, where there is one. */
  readonly init: string | undefined;
  readonly taskRuntime: TaskRuntime;
  readonly pins: Pins;
  readonly discards: Discards;
  readonly userFiles: (mounts: readonly Mount[]) => Promise<UserFiles>;
}

/** Makes the task and starts its process; `created` is called in between, when its streams are there. */
export async function startTask(
  spec: ContainerSpec,
  options: StartOptions,
  created: () => Promise<void>,
): Promise<{ readonly pid: number }> {
  const { containerd, places } = options;
  const task = await withSources(spec, options, (ready) => createTask(ready, options));
  try {
    await Promise.all([
      saveProcesses(places.processes(spec.id), task.pid),
      rm(places.starting(spec.id), { force: true }),
      created(),
    ]);
    return await containerd.tasks.start(spec.id);
  } catch (thrown) {
    const [command = ""] = spec.args;
    const cgroup = await lastCgroup(spec.id, containerd).catch(() => undefined);
    const explained = toEarlyEnd(thrown, command, {
      ranOutOfMemory: cgroup !== undefined && (await ranOutOfMemory(cgroup)),
    });
    await options.discards.begin(spec.id);
    await logEnd(await loggerRun(places.alive(spec.id)));
    await dropRuncWords(places.log(spec.id), task.loggedBytes).catch(() => {});
    throw toStartError(explained, command);
  }
}

/** Runs `use` on the spec while what it binds is mounted where only the service can create links. */
async function withSources<T>(
  spec: ContainerSpec,
  { containerd, pins, places }: Pick<StartOptions, "containerd" | "pins" | "places">,
  use: (ready: ContainerSpec) => Promise<T>,
): Promise<T> {
  const images = await mountImages(containerd, spec, places.mounts);
  try {
    const pinned = await pins.pin(images.spec);
    try {
      return await use(pinned.spec);
    } catch (thrown) {
      throw pinned.named(thrown);
    } finally {
      await pinned.release();
    }
  } finally {
    await images.release();
  }
}

/** @returns `loggedBytes`: the log's size before */
async function createTask(
  spec: ContainerSpec,
  options: StartOptions,
): Promise<{ readonly pid: number; readonly loggedBytes: number }> {
  const { containerd, places, instance, host, seccompProfile, init } = options;
  const { id } = spec;
  // A service that ended after such a start has not discarded what is left of it.
  if (await exists(places.starting(id))) await options.discards.begin(id);
  const [mounts, devices, throttles] = await Promise.all([
    containerd.snapshots.mounts(id),
    findDevices(spec),
    findThrottles(spec),
  ]);
  const user = resolveUser(spec.user, spec.additionalGroups, await options.userFiles(mounts));
  const oci = ociSpec(spec, { host, instance, user, devices, throttles, seccompProfile, init });
  const loggedBytes = (await stat(places.log(id)).catch(() => undefined))?.size ?? 0;
  const [streams] = await Promise.all([
    prepareIo(spec, options),
    writeRecord({ id, spec: formatSpec(oci), runtime: options.taskRuntime }, containerd),
    rm(places.exit(id), { force: true }),
    rm(places.exitOnFullDisk(id), { force: true }),
    clearRuncState(containerd.namespace, id, containerd.patience),
  ]);
  try {
    const { pid } = await createWhenFree(containerd.patience, {
      create: async () => {
        await writeFile(places.starting(id), "");
        return await containerd.tasks.create(id, streams.io, mounts);
      },
      discard: () => options.discards.begin(id),
    });
    return { pid, loggedBytes };
  } catch (thrown) {
    await options.discards.begin(id);
    streams.abandon();
    await logEnd(await loggerRun(places.alive(id)));
    // runc writes why it failed to what would be the container's standard error: nothing that the program said.
    await truncate(places.log(id), loggedBytes).catch(() => {});
    throw toStartError(thrown, spec.args[0] ?? "");
  }
}

/** How long containerd may take to clear up after a shim, and how often it is asked. */
const CLEARED_WITHIN_MS = 15_000;
const CREATE_EVERY_MS = 50;

/** containerd's words where it finds a bundle of that id, which a kill kept it from clearing away with the task. */
const BUNDLE_LEFT = /mkdir \S+: file exists/;

/**
 * Creates a task as soon as containerd has the id for it. After a kill of containerd, a task whose shim ended is gone for every other call
 * while it keeps its id or its bundle, so that nobody has discarded it.
 */
export async function createWhenFree<T>(
  patience: Patience,
  { create, discard }: { readonly create: () => Promise<T>; readonly discard: () => Promise<void> },
): Promise<T> {
  for (const end = Date.now() + patience(CLEARED_WITHIN_MS); ; await delay(CREATE_EVERY_MS)) {
    try {
      return await create();
    } catch (thrown) {
      const holdsId = isAlreadyExists(thrown) || (thrown instanceof EngineError && BUNDLE_LEFT.test(thrown.message));
      if (!holdsId || Date.now() > end) throw thrown;
      await discard();
    }
  }
}

/** The control group of the container's last task, below each hierarchy; undefined where there is no record. */
async function lastCgroup(id: string, { containers }: Pick<Containerd, "containers">): Promise<string | undefined> {
  const record = await containers.get(id).catch(unlessAbsent);
  if (!record?.spec) return undefined;
  const spec: { readonly linux?: { readonly cgroupsPath?: string } } = JSON.parse(record.spec.value.toString());
  return spec.linux?.cgroupsPath;
}

/** Replaces a record with another runtime, which containerd does not change: no task has it, or this start would not be under way. */
async function writeRecord(
  { id, spec, runtime }: { readonly id: string; readonly spec: string; readonly runtime: TaskRuntime },
  { containers, snapshots }: Containerd,
): Promise<void> {
  const record = {
    id,
    labels: { [CONTAINER_LABEL]: id },
    runtime,
    spec: { type_url: SPEC_TYPE, value: Buffer.from(spec) },
    snapshotter: snapshots.snapshotter,
    snapshotKey: id,
  };
  try {
    await containers.create(record);
  } catch (thrown) {
    if (!isAlreadyExists(thrown)) throw thrown;
    const known = await containers.get(id).catch(unlessAbsent);
    if (known !== undefined && isSameRuntime(known.runtime, runtime)) {
      await containers.update(record, ["spec", "labels"]);
    } else {
      await containers.delete(id).catch(unlessAbsent);
      await containers.create(record);
    }
  }
}

interface DiscardOptions {
  readonly containerd: Pick<Containerd, "containers" | "tasks">;
  readonly killer: TaskKiller;
  readonly bundles: BundlePlace;
  readonly places: Pick<Places, "starting">;
}

/**
 * Kills and deletes a task that has no waiter, if it exists. A shim that a killed containerd had not told to create its process yet is
 * one too: no call but a delete finds it, and it takes the task's id. What it leaves besides goes too.
 */
export async function discardTask(
  id: ContainerId,
  { containerd, killer, bundles, places }: DiscardOptions,
): Promise<void> {
  const { tasks } = containerd;
  const leaving = new AbortController();
  const exited = tasks.wait(id, { signal: leaving.signal }).catch(unlessAbsent);
  // It may fail before anybody awaits it.
  exited.catch(() => {});
  try {
    await killer.end(id, exited);
    await exited;
  } finally {
    leaving.abort();
  }
  await deleteTask(id, tasks);
  await clearLeftStart(id, bundles, { cgroup: await lastCgroup(id, containerd), patience: tasks.patience });
  await rm(places.starting(id), { force: true });
}

/** The init that Berth builds, or Debian's. */
export function initPaths(nativeDir: string): readonly string[] {
  return [join(nativeDir, "init"), "/usr/bin/tini-static"];
}
