import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Runtime } from "../../containers/records/runtime.ts";
import { EngineError } from "../../engine/errors.ts";
import { NATIVE_DIR as BUILT_NATIVE_DIR } from "../../host/native-dir.ts";
import { SECCOMP_PATH } from "../../host/package-files.ts";
import type { Containerd } from "./client/client.ts";
import { ContainerdRuntime } from "./containerd-runtime.ts";
import { openFifos } from "./io/fifos.ts";
import { placesOf } from "./io/places.ts";
import { clearMounts } from "./rootfs/mount.ts";
import { openPins } from "./rootfs/pins.ts";
import { readHost } from "./spec/host.ts";
import { initPaths } from "./tasks/start.ts";
import { installTaskRuntime, PLAIN_RUNTIME, type TaskRuntime } from "./tasks/task-runtime.ts";

export interface ContainerdRuntimeOptions {
  /** In the instance's namespace; its owner closes it. */
  readonly containerd: Containerd;
  /** containerd's own folder for what ends with the uptime. */
  readonly containerdState: string;
  /** Whether it is Berth's own, which sees the state folder as this service does. */
  readonly ownContainerd: boolean;
  readonly instance: string;
  readonly stateDir: string;
  readonly runDir: string;
  /** Where the programs are that `native/build.sh` builds; default: where it puts them. */
  readonly nativeDir?: string;
  /** Hears why tasks start with containerd's own shim, which takes longer. */
  readonly onPlain?: (thrown: unknown) => void;
}

/**
 * The runtime over containerd. It clears away what calls that were cut off have left. `unavailable` where the logger is not built.
 */
export async function openContainerdRuntime(options: ContainerdRuntimeOptions): Promise<Runtime> {
  const { containerd, containerdState, nativeDir = BUILT_NATIVE_DIR } = options;
  const places = placesOf(options);
  const logger = `${nativeDir}/logger`;
  const [host, seccompProfile, init, loggerBuilt, taskRuntime, fifos, pins] = await Promise.all([
    readHost(),
    readFile(SECCOMP_PATH, "utf8"),
    firstThere(initPaths(nativeDir)),
    firstThere([logger]),
    taskRuntimeOf(options, nativeDir),
    openFifos(places.fifos),
    openPins(places.pins, `${nativeDir}/pin`),
    clearMounts(places.mounts),
    containerd.leases.sweep(),
  ]);
  if (loggerBuilt === undefined) {
    throw new EngineError("unavailable", `${logger} is missing: native/build.sh builds it`);
  }
  const bundles = { containerdState, namespace: containerd.namespace };
  const parts = { bundles, host, seccompProfile, init, program: logger, taskRuntime, places, fifos, pins };
  const runtime = new ContainerdRuntime(containerd, options.instance, parts);
  await runtime.watchAll();
  return runtime;
}

async function taskRuntimeOf(options: ContainerdRuntimeOptions, nativeDir: string): Promise<TaskRuntime> {
  const { containerd, ownContainerd, stateDir, onPlain } = options;
  if (!ownContainerd) return PLAIN_RUNTIME;
  try {
    const { version } = await containerd.version();
    return await installTaskRuntime(join(stateDir, "runtime"), { nativeDir, version });
  } catch (thrown) {
    onPlain?.(thrown);
    return PLAIN_RUNTIME;
  }
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
