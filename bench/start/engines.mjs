// The engines under measurement, each with all its state in a folder of its own. dockerd and podman get a network namespace too:
// they would take other engines' bridges and rules on the machine for their own.
import { execFileSync, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startReference } from "../../conformance/traffic/reference.mjs";
import { ask } from "../../scripts/ask.mjs";
import { enterGroup, processorMs, removeGroup } from "../processor-time.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
function ip(...args) {
  return execFileSync("ip", args);
}

/**
 * Starts one engine; gives its socket, the words that enter its namespace, its settings, the process, its processor time in milliseconds,
 * and its end. `groups` are the control groups of its containers.
 */
async function startEngine({ name, folder, enter, command, env, socket, clear, groups }) {
  mkdirSync(folder, { recursive: true });
  const log = join(folder, `${name}.log`);
  const output = openSync(log, "a");
  const own = `bench-${name}-${process.pid}`;
  const [program, ...args] = [...enterGroup(own), ...enter, ...command];
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", output, output] });
  closeSync(output);
  const ended = new Promise((settle) => child.once("exit", settle));
  const close = async () => {
    child.kill("SIGTERM");
    await Promise.race([ended, pause(20_000, undefined, { ref: false })]);
    child.kill("SIGKILL");
    await clear();
    removeGroup(own);
  };
  const end = performance.now() + 60_000;
  while ((await ask(`unix:${socket}`, { path: "/_ping", timeout: 2000 }).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null || performance.now() > end) {
      await close();
      throw new Error(`${name} does not answer:\n${readFileSync(log, "utf8").slice(-3000)}`);
    }
    await pause(50);
  }
  const cpu = () => [own, ...groups].reduce((sum, group) => sum + processorMs(group), 0);
  return { name, socket, enter, env, pid: child.pid, groups, cpu, close };
}

/** A network namespace of an engine's own: the words that enter it, and its end. */
function ownNetwork(name) {
  const namespace = `bench-${name}-${process.pid}`;
  ip("netns", "add", namespace);
  ip("-n", namespace, "link", "set", "lo", "up");
  return { enter: ["nsenter", `--net=/run/netns/${namespace}`], leave: () => ip("netns", "del", namespace) };
}

/** Debian's dockerd as it comes: overlay2, iptables, userland proxy; it starts a containerd of its own. */
export function startDockerd(folder) {
  const docker = join(root, ".cache/docker/usr");
  const own = join(folder, "dockerd");
  const socket = join(own, "docker.sock");
  const steps = `bench-steps-${process.pid}`;
  const { enter, leave } = ownNetwork("dockerd");
  const installed = existsSync("/usr/sbin/dockerd") ? "/usr/sbin/dockerd" : join(docker, "sbin/dockerd");
  return startEngine({
    name: "dockerd",
    folder: own,
    enter,
    socket,
    groups: [steps],
    clear: () => {
      leave();
      removeGroup(steps);
    },
    env: { PATH: `${docker}/sbin:${docker}/bin:${process.env.PATH}` },
    command: [
      installed,
      ...["--data-root", join(own, "data"), "--exec-root", join(own, "exec"), "--pidfile", join(own, "docker.pid")],
      ...["--host", `unix://${socket}`, "--exec-opt", "native.cgroupdriver=cgroupfs", "--cgroup-parent", `/${steps}`],
    ],
  });
}

/** dockerd of `scripts/reference.sh`, whose root BERTH_REFERENCE names. */
export async function startNewDockerd(folder) {
  return { ...(await startReference(folder)), name: "dockerd 28.5" };
}

/** podman, which the host has installed, behind its service of Docker's API. */
export function startPodman(folder) {
  const own = join(folder, "podman");
  const socket = join(own, "podman.sock");
  const settings = join(own, "containers.conf");
  mkdirSync(own);
  // More than these needs a right that a container of this machine may not have.
  writeFileSync(settings, '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n');
  const { enter, leave } = ownNetwork("podman");
  return startEngine({
    name: "podman",
    folder: own,
    enter,
    socket,
    groups: ["libpod_parent"],
    clear: leave,
    env: { CONTAINERS_CONF: settings },
    command: [
      ...["podman", "--root", join(own, "root"), "--runroot", join(own, "run"), "--tmpdir", join(own, "tmp")],
      ...["--network-config-dir", join(own, "networks"), "--cgroup-manager", "cgroupfs", "--runtime", "runc"],
      ...["--events-backend", "file", "system", "service", "--time", "0", `unix://${socket}`],
    ],
  });
}

/** Berth from the build, with a containerd of its own too, and further settings. */
export function startBerth(folder, settings = {}) {
  const own = join(folder, "berth");
  const socket = join(own, "run/berth.sock");
  const entry = join(root, "apps/container/dist/bundle/main.js");
  const env = {
    BERTH_STATE: join(own, "state"),
    BERTH_RUN: join(own, "run"),
    BERTH_SOCKET: socket,
    BERTH_INSTANCE: `bb${process.pid.toString(36)}`,
    BERTH_SUBNET: "10.210.0.0/16",
    BERTH_LOG_LEVEL: "warn",
    ...settings,
  };
  const postgres = (command) =>
    execFileSync("bash", [join(root, "scripts/postgres.sh"), command], { env: { ...process.env, ...env } });
  postgres("start");
  return startEngine({
    name: "berth",
    folder: own,
    enter: [],
    socket,
    env,
    groups: [env.BERTH_INSTANCE],
    command: [process.execPath, entry],
    clear: () => {
      execFileSync(process.execPath, [entry, "teardown"], { env: { ...process.env, ...env }, timeout: 120_000 });
      postgres("stop");
    },
  });
}

/** Takes away the engines' files, and what they left mounted there. */
export function removeFolder(folder) {
  const mounts = readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((path) => path.startsWith(`${folder}/`));
  for (const path of mounts.reverse()) execFileSync("umount", ["-l", path]);
  rmSync(folder, { recursive: true, force: true });
}
