import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Containerd } from "./client/client.ts";
import { type Patience, USUAL_PATIENCE } from "./client/patience.ts";
import { connectDaemon, type Daemon } from "./daemon/daemon.ts";
import { daemonPaths } from "./daemon/daemon-config.ts";
import { mountPointsUnder, unmount } from "./rootfs/mount.ts";
import { clearRuncFolders } from "./tasks/runc-state.ts";

export interface TestContainerd {
  readonly instance: string;
  readonly stateDir: string;
  readonly runDir: string;
  readonly daemon: Daemon;
  readonly containerd: Containerd;
  readonly containerdState: string;
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
    pid,
    crash: async () => {
      process.kill(await pid(), "SIGKILL");
    },
    dispose: async () => {
      for (const { containerId } of await containerd.tasks.list()) await endTask(containerId);
      await daemon.stop();
      for (const point of await mountPointsUnder(dir)) await unmount(point);
      await rm(dir, { recursive: true, force: true });
      await clearRuncFolders(instance);
    },
  };
}
