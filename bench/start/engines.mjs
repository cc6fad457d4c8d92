// The two engines under measurement, each a process of its own in a network namespace of its own: a second engine beside
// the machine's own would meddle with its bridges and rules.
import { execFileSync, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ask } from "../../scripts/ask.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const ip = (...args) => execFileSync("ip", args);

/** Starts one engine; gives its socket, the command that enters its namespace, and its end. */
async function startEngine({ name, folder, command, env, socket, clear }) {
  const namespace = `bench-${name}-${process.pid}`;
  ip("netns", "add", namespace);
  const enter = ["nsenter", `--net=/run/netns/${namespace}`];
  ip("-n", namespace, "link", "set", "lo", "up");
  mkdirSync(folder, { recursive: true });
  const log = join(folder, `${name}.log`);
  const output = openSync(log, "a");
  const child = spawn(enter[0], [...enter.slice(1), ...command], {
    env: { ...process.env, ...env },
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  const ended = new Promise((settle) => child.once("exit", settle));
  const close = async () => {
    child.kill("SIGTERM");
    await Promise.race([ended, pause(20_000, undefined, { ref: false })]);
    child.kill("SIGKILL");
    clear?.(enter);
    ip("netns", "del", namespace);
  };
  const end = performance.now() + 60_000;
  while ((await ask(`unix:${socket}`, { path: "/_ping", timeout: 2000 }).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null || performance.now() > end) {
      await close();
      throw new Error(`${name} does not answer:\n${readFileSync(log, "utf8").slice(-3000)}`);
    }
    await pause(50);
  }
  return { name, socket, enter, close };
}

/** Debian's dockerd as it comes: overlay2, iptables, userland proxy; it starts a containerd of its own. */
export function startDockerd(folder) {
  const docker = join(root, ".cache/docker/usr");
  const own = join(folder, "dockerd");
  const socket = join(own, "docker.sock");
  const installed = existsSync("/usr/sbin/dockerd") ? "/usr/sbin/dockerd" : join(docker, "sbin/dockerd");
  return startEngine({
    name: "dockerd",
    folder: own,
    socket,
    env: { PATH: `${docker}/sbin:${docker}/bin:${process.env.PATH}` },
    command: [
      installed,
      ...["--data-root", join(own, "data"), "--exec-root", join(own, "exec"), "--pidfile", join(own, "docker.pid")],
      ...["--host", `unix://${socket}`, "--exec-opt", "native.cgroupdriver=cgroupfs"],
    ],
  });
}

/** Berth from the build, with a containerd of its own too. */
export function startBerth(folder) {
  const own = join(folder, "berth");
  const socket = join(own, "run/berth.sock");
  const entry = join(root, "apps/container/dist/main.js");
  const env = {
    BERTH_STATE: join(own, "state"),
    BERTH_RUN: join(own, "run"),
    BERTH_SOCKET: socket,
    BERTH_INSTANCE: `bb${process.pid.toString(36)}`,
    BERTH_LOG_LEVEL: "warn",
  };
  return startEngine({
    name: "berth",
    folder: own,
    socket,
    env,
    command: [process.execPath, entry],
    clear: (enter) =>
      execFileSync(enter[0], [...enter.slice(1), process.execPath, entry, "teardown"], {
        env: { ...process.env, ...env },
      }),
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
