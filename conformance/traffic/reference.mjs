// The engine that recordings are made of: dockerd of scripts/reference.sh, in a network namespace of its own.
import { execFileSync, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "../../scripts/ask.mjs";

const SCRIPT = resolve(import.meta.dirname, "../../scripts/reference.sh");

/** How long dockerd has to answer, and to end. */
const START_MS = 60_000;
const END_MS = 20_000;

function ip(...args) {
  return execFileSync("ip", args);
}

/** A network namespace of its own, where dockerd does what it likes. */
function isolated() {
  const namespace = `reference-${process.pid}`;
  ip("netns", "add", namespace);
  ip("-n", namespace, "link", "set", "lo", "up");
  return {
    enter: ["nsenter", `--net=/run/netns/${namespace}`],
    options: [],
    leave: () => ip("netns", "del", namespace),
  };
}

/** The host's network, where dockerd has a bridge and sets no rules: its BuildKit reaches the host's loopback. */
function besides() {
  const bridge = `brf${process.pid.toString(36)}`;
  ip("link", "add", bridge, "type", "bridge");
  ip("addr", "add", `10.216.${process.pid % 256}.1/24`, "dev", bridge);
  ip("link", "set", bridge, "up");
  const options = [
    "--bridge",
    bridge,
    "--iptables=false",
    "--ip6tables=false",
    "--ip-forward=false",
    "--ip-masq=false",
  ];
  return { enter: [], options, leave: () => ip("link", "del", bridge) };
}

/**
 * Starts dockerd with its state in `folder`, which the root sees at the same path.
 * @param {string} folder
 * @param {{ network: "own" | "host" }} [where] on the host's network it has a bridge and sets no rules, for Berth's BuildKit
 * @returns {Promise<{ socket: string, enter: readonly string[], close: () => Promise<void> }>} `enter` are the words that enter its
 *   network namespace
 */
export async function startReference(folder, { network } = { network: "own" }) {
  const own = join(folder, "reference");
  mkdirSync(own, { recursive: true });
  const socket = join(own, "docker.sock");
  const { enter, options, leave } = network === "own" ? isolated() : besides();
  const log = join(own, "dockerd.log");
  const output = openSync(log, "a");
  const [program, ...args] = [
    ...[...enter, "bash", SCRIPT, "run", own, "dockerd"],
    ...["--data-root", join(own, "data"), "--exec-root", join(own, "exec"), "--pidfile", join(own, "docker.pid")],
    ...["--host", `unix://${socket}`, "--exec-opt", "native.cgroupdriver=cgroupfs"],
    // Berth keeps images in containerd, too.
    ...["--feature", "containerd-snapshotter=true", ...options],
  ];
  const child = spawn(program, args, { stdio: ["ignore", output, output] });
  closeSync(output);
  const ended = new Promise((settle) => child.once("exit", settle));
  const close = async () => {
    child.kill("SIGTERM");
    await Promise.race([ended, pause(END_MS, undefined, { ref: false })]);
    child.kill("SIGKILL");
    leave();
  };
  const end = performance.now() + START_MS;
  while ((await ask(`unix:${socket}`, { path: "/_ping", timeout: 2000 }).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null || performance.now() > end) {
      await close();
      throw new Error(`dockerd does not answer:\n${readFileSync(log, "utf8").slice(-3000)}`);
    }
    await pause(50);
  }
  return { socket, enter, close };
}
