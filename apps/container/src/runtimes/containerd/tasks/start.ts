import { rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { ContainerSpec } from "../../../containers/records/runtime.ts";
import { EngineError, isEngineError } from "../../../engine/errors.ts";
import type { Containerd } from "../client/client.ts";
import { isAlreadyExists } from "../client/connection.ts";
import { findDevices, findThrottles } from "../spec/host.ts";
import { type LoggerOptions, prepareIo } from "../io/logger.ts";
import type { Pins } from "../rootfs/pins.ts";
import { loggerRun } from "../io/runs.ts";
import type { Mount } from "../client/snapshots.ts";
import { formatSpec, type HostFacts, ociSpec } from "../spec/spec.ts";
import { resolveUser, type UserFiles } from "../spec/user.ts";
import { toStartError } from "./start-error.ts";
import { deleteTask } from "./waits.ts";

/** Which labels say that a snapshot or record is a container of this service's. */
export const CONTAINER_LABEL = "berth.container";

const SPEC_TYPE = "types.containerd.io/opencontainers/runtime-spec/1/Spec";

export interface StartOptions extends LoggerOptions {
  readonly containerd: Containerd;
  readonly instance: string;
  readonly host: HostFacts;
  readonly seccompProfile: string;
  /** The static init's path, where there is one. */
  readonly init: string | undefined;
  readonly pins: Pins;
  readonly userFiles: (mounts: readonly Mount[]) => Promise<UserFiles>;
}

/** Makes the task and starts its process; `created` is called in between, when its streams are there. */
export async function startTask(
  spec: ContainerSpec,
  options: StartOptions,
  created: () => Promise<void>,
): Promise<{ readonly pid: number }> {
  const { containerd, pins } = options;
  const pinned = await pins.pin(spec);
  try {
    await createTask(pinned.spec, options);
  } catch (thrown) {
    throw pinned.named(thrown);
  } finally {
    await pinned.release();
  }
  try {
    await created();
    return await containerd.tasks.start(spec.id);
  } catch (thrown) {
    await discardTask(spec.id, containerd);
    throw toStartError(thrown, spec.args[0] ?? "");
  }
}

async function createTask(spec: ContainerSpec, options: StartOptions): Promise<void> {
  const { containerd, places, instance, host, seccompProfile, init } = options;
  const { id } = spec;
  const [mounts, devices, throttles] = await Promise.all([
    containerd.snapshots.mounts(id),
    findDevices(spec),
    findThrottles(spec),
  ]);
  const user = resolveUser(spec.user, spec.additionalGroups, await options.userFiles(mounts));
  const oci = ociSpec(spec, { host, instance, user, devices, throttles, seccompProfile, init });
  const logged = await stat(places.log(id)).catch(() => undefined);
  const [streams] = await Promise.all([
    prepareIo(spec, options),
    writeRecord(id, formatSpec(oci), containerd),
    rm(places.exit(id), { force: true }),
  ]);
  try {
    await containerd.tasks.create(id, streams.io, mounts);
  } catch (thrown) {
    await discardTask(id, containerd);
    streams.abandon();
    await (await loggerRun(places.alive(id)))?.ended;
    // runc writes why it failed to what would be the container's standard error: nothing that the program said.
    await truncate(places.log(id), logged?.size ?? 0).catch(() => {});
    throw toStartError(thrown, spec.args[0] ?? "");
  }
}

async function writeRecord(id: string, spec: string, { containers, snapshots }: Containerd): Promise<void> {
  const record = {
    id,
    labels: { [CONTAINER_LABEL]: id },
    runtime: { name: "io.containerd.runc.v2", options: null },
    spec: { type_url: SPEC_TYPE, value: Buffer.from(spec) },
    snapshotter: snapshots.snapshotter,
    snapshotKey: id,
  };
  try {
    await containers.create(record);
  } catch (thrown) {
    if (!isAlreadyExists(thrown)) throw thrown;
    await containers.update(record, ["spec", "labels"]);
  }
}

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

/** Kills what runs in a task, paused or not. */
export async function killTask(id: string, { tasks }: Containerd): Promise<void> {
  await tasks.resume(id).catch(() => {});
  await tasks.kill(id, 9, { all: true }).catch(() => {});
}

/** Ends and deletes a task that nobody waits for, if there is one. */
export async function discardTask(id: string, containerd: Containerd): Promise<void> {
  await killTask(id, containerd);
  try {
    await containerd.tasks.wait(id);
  } catch (thrown) {
    if (isEngineError(thrown, "not-found")) return;
    throw thrown;
  }
  await deleteTask(id, containerd);
}

/** The init that Berth builds, or Debian's. */
export function initPaths(nativeDir: string): readonly string[] {
  return [join(nativeDir, "init"), "/usr/bin/tini-static"];
}
