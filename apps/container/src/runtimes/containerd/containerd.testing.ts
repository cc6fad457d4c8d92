import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Containerd } from "./client/client.ts";
import { type Patience, USUAL_PATIENCE } from "./client/patience.ts";
import { connectDaemon, type Daemon } from "./daemon/daemon.ts";
import { daemonPaths } from "./daemon/daemon-config.ts";
import { mountPointsUnder, unmount } from "./rootfs/mount.ts";
import { clearLeftStart } from "./tasks/left-start.ts";
import { clearRuncFolders } from "./tasks/runc-state.ts";
import { clearAllSockets } from "./tasks/shim-sockets.ts";

export interface TestContainerd {
  readonly instance: string;
  readonly stateDir: string;
  readonly runDir: string;
  readonly daemon: Daemon;
  readonly containerd: Containerd;
  readonly containerdState: string;
  readonly ownContainerd: boolean;
  /** The daemon's process; another one after each `crash`. */
  pid(): Promise<number>;
  /** Kills the daemon with SIGKILL; Berth's watch brings it back. */
  crash(): Promise<void>;
  /** Ends every task of the instance and the daemon, and leaves nothing of it on the machine. */
  dispose(): Promise<void>;
}

let count = 0;

/**
 * A containerd of its own for one test file: nothing of it meets another's, however many run at once.
 * @param options.patience with it; default: the usual one.
 */
export async function startTestContainerd({
  patience = USUAL_PATIENCE,
}: {
  readonly patience?: Patience;
} = {}): Promise<TestContainerd> {
  const instance = `berth-test-${process.pid}-${++count}`;
  const dir = await mkdtemp(join(tmpdir(), "berth-"));
  const stateDir = join(dir, "state");
  const runDir = join(dir, "run");
  await mkdir(runDir);
  const daemon = await connectDaemon({ instance, stateDir, runDir, hostSocket: undefined, patience });
  const { containerd } = daemon;
  const pid = async () => Number(await readFile(daemonPaths({ stateDir, runDir }).pid, "utf8"));

  const endTask = async (id: string): Promise<void> => {
    await containerd.tasks.kill(id, 9, { all: true }).catch(() => {});
    await containerd.tasks.wait(id).catch(() => {});
    await containerd.tasks.delete(id).catch(() => {});
  };

  return {
    instance,
    stateDir,
    runDir,
    daemon,
    containerd,
    containerdState: daemon.state,
    ownContainerd: daemon.own,
    pid,
    crash: async () => {
      process.kill(await pid(), "SIGKILL");
    },
    dispose: async () => {
      for (const { containerId } of await containerd.tasks.list()) await endTask(containerId);
      await daemon.stop();
      const place = { containerdState: daemon.state, namespace: instance };
      for (const id of await idsOfShims(instance)) await clearLeftStart(id, place, { cgroup: undefined, patience });
      for (const point of await mountPointsUnder(dir)) await unmount(point);
      await rm(dir, { recursive: true, force: true });
      await clearRuncFolders(instance);
      await clearAllSockets(containerd);
    },
  };
}

/** The containers that still have a shim: containerd knows nothing of one whose start a kill cut off. */
async function idsOfShims(instance: string): Promise<ReadonlySet<string>> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return new Set(
    lines.flatMap((line) => {
      const words = line.split("\0");
      const id = words[words.indexOf("-id") + 1];
      return words.includes("-id") && words.includes(instance) && id !== undefined ? [id] : [];
    }),
  );
}
