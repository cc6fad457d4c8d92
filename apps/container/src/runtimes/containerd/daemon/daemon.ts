import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, open, readFile, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EngineError } from "../../../engine/errors.ts";
import { exists } from "../../../host/exists.ts";
import { spreadFolders } from "../../../host/spread-folders.ts";
import { writeWhole } from "../../../host/whole-file.ts";
import { type Containerd, openContainerd } from "../client/client.ts";
import { type Patience, USUAL_PATIENCE } from "../client/patience.ts";
import { type DaemonPaths, daemonConfig, daemonPaths } from "./daemon-config.ts";
import { boundLog } from "./daemon-log.ts";
import { mountState, unmountState } from "./state-mount.ts";

export interface DaemonOptions {
  /** The containerd namespace, and the prefix of what else is shared on a host: one Berth, one instance. */
  readonly instance: string;
  /** What has to survive a reboot. */
  readonly stateDir: string;
  /** What has not; short, for a Unix socket's path has at most 107 bytes. */
  readonly runDir: string;
  /** The host's containerd, used if it answers and Berth has no containerd of its own; undefined to ignore it. */
  readonly hostSocket: string | undefined;
  /** Hears each time that a containerd which runs has not answered for a while: it is waited for. */
  readonly waits?: (reason: string) => void;
  /** Default: the usual limits. */
  readonly patience?: Patience;
}

export interface Daemon {
  /** A client in the instance's namespace. */
  readonly containerd: Containerd;
  /** Its folder for what ends with the uptime, such as the bundles of tasks. */
  readonly state: string;
  /** Whether it is Berth's own, which this object watches and starts again when it died. */
  readonly own: boolean;
  /** Ends our own daemon; containers go on, and the next one finds them. The host's is left alone. */
  stop(): Promise<void>;
  /** Disconnects from the daemon and leaves it running. */
  release(): void;
}

export const DEFAULT_HOST_SOCKET = "/run/containerd/containerd.sock";

/**
 * The containerd to use: the host's if one answers, otherwise Berth's own, which is started if necessary.
 * An instance that once had its own keeps it: its images and containers are there.
 */
export async function connectDaemon(options: DaemonOptions): Promise<Daemon> {
  const paths = daemonPaths(options);
  const isOwn = options.hostSocket === undefined || (await exists(paths.root));
  const daemon = isOwn ? undefined : await hostDaemon(paths, options);
  return daemon ?? (await ownDaemon(paths, options));
}

const ANSWER_TIMEOUT_MS = 3_000;

/** The host's containerd, if it answers. One that has this instance's containers is waited for: no other has them. */
async function hostDaemon(paths: DaemonPaths, options: DaemonOptions) {
  const { hostSocket = "", instance, waits, patience = USUAL_PATIENCE } = options;
  const isUsed = await exists(paths.hostUsed);
  if (!isUsed && !(await exists(hostSocket))) return undefined;
  const containerd = openContainerd({ socket: hostSocket, namespace: instance, patience });
  const release = () => containerd.close();
  while (!(await answers(containerd))) {
    if (!isUsed) {
      release();
      return undefined;
    }
    waits?.(`the host's containerd at ${hostSocket} does not answer`);
    await delay(RETRY_MS);
  }
  await mkdir(dirname(paths.hostUsed), { recursive: true });
  await writeWhole(paths.hostUsed, `${hostSocket}\n`);
  // By default the socket is in that folder.
  return { containerd, state: dirname(hostSocket), own: false, stop: async () => release(), release };
}

const RETRY_MS = 200;

function answers(containerd: Containerd): Promise<boolean> {
  return containerd.version({ signal: AbortSignal.timeout(containerd.patience(ANSWER_TIMEOUT_MS)) }).then(
    () => true,
    () => false,
  );
}

async function ownDaemon(paths: DaemonPaths, options: DaemonOptions): Promise<Daemon> {
  const { instance, waits, patience = USUAL_PATIENCE } = options;
  if (Buffer.byteLength(paths.socket) > 107) {
    throw new EngineError("invalid", `the run folder's path is too long for a socket in it: ${paths.socket}`);
  }
  await mkdir(paths.root, { recursive: true, mode: 0o711 });
  await mkdir(paths.state, { recursive: true, mode: 0o711 });
  await writeWhole(paths.config, daemonConfig(paths));
  await ensureRunning(paths);
  const containerd = openContainerd({ socket: paths.socket, namespace: instance, root: paths.root, patience });
  while (!(await answers(containerd))) {
    const pid = await runningPid(paths);
    if (pid === undefined) {
      containerd.close();
      throw new EngineError("unavailable", `containerd does not start: ${await lastLines(paths.log)}`);
    }
    waits?.(`containerd (process ${pid}) does not answer`);
    await delay(RETRY_MS);
  }
  // Without it everything works, but slower.
  await spreadFolders(paths.snapshots).catch(() => {});
  const bounding = setInterval(() => void boundLog(paths.log).catch(() => {}), BOUND_LOG_EVERY_MS).unref();
  const watch = new AbortController();
  watch.signal.addEventListener("abort", () => clearInterval(bounding));
  const watching = keepRunning(paths, containerd, watch.signal);
  const release = () => {
    watch.abort();
    containerd.close();
  };
  const stop = async () => {
    watch.abort();
    await watching;
    await end(paths);
    await unmountState(paths.state);
    containerd.close();
  };
  return { containerd, state: paths.state, own: true, stop, release };
}

const BOUND_LOG_EVERY_MS = 60_000;

/** A daemon that dies at once again and again is started at most every ten seconds. */
const BACKOFF_MS = [0, 250, 1000, 3000, 10_000];
const STEADY_MS = 10_000;

async function keepRunning(paths: DaemonPaths, containerd: Containerd, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    const since = Date.now();
    try {
      // No event has this topic: the stream lasts as long as the daemon does.
      for await (const _ of containerd.events.subscribe("/berth/none", { signal }));
    } catch {
      // It has ended, as expected.
    }
    if (Date.now() - since > STEADY_MS) attempt = 0;
    await delay(BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length - 1)], undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    await ensureRunning(paths).catch(() => {});
  }
}

/** Starts the daemon unless it runs; does not wait until it answers. */
async function ensureRunning(paths: DaemonPaths): Promise<void> {
  if ((await runningPid(paths)) !== undefined) return;
  await boundLog(paths.log);
  // Without it everything works, but a start takes longer the more containers run.
  await mountState(paths.state).catch(() => {});
  const log = await open(paths.log, "a", 0o640);
  try {
    const child = spawn("containerd", ["--config", paths.config], {
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
      cwd: "/",
      // containerd finds its shim and runc by PATH, and passes its environment to every shim: it must not contain secrets.
      env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
    });
    await spawned(child);
    child.unref();
    await writeWhole(paths.pid, `${child.pid}\n`);
  } finally {
    await log.close();
  }
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) =>
      reject(new EngineError("unavailable", "containerd can't be started: is it installed?", { cause })),
    );
  });
}

async function end(paths: DaemonPaths): Promise<void> {
  const pid = await runningPid(paths);
  if (pid !== undefined) {
    process.kill(pid, "SIGTERM");
    // It may not be our child process, so there is no exit event.
    for (let waitedMs = 0; (await runningPid(paths)) === pid; waitedMs += 20) {
      if (waitedMs === 10_000) process.kill(pid, "SIGKILL");
      await delay(20);
    }
  }
  await unlink(paths.pid).catch(() => {});
}

/** The daemon's pid, if the process of the pid file is alive and still this containerd: pids are reused. */
async function runningPid(paths: DaemonPaths): Promise<number | undefined> {
  const pid = Number(await readFile(paths.pid, "utf8").catch(() => ""));
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  // A zombie's command line is empty.
  const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return commandLine.split("\0").includes(paths.config) ? pid : undefined;
}

async function lastLines(path: string): Promise<string> {
  return (await readFile(path, "utf8").catch(() => "no log")).trimEnd().split("\n").slice(-3).join("; ");
}
