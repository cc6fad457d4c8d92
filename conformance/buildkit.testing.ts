import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "../scripts/ask.mjs";

const ROOT = join(import.meta.dirname, "..");

/** The root of Debian sid with dockerd, which `scripts/reference.sh build` makes. */
const REFERENCE = process.env.BERTH_REFERENCE ?? join(ROOT, ".cache/reference");

export const hasReference = existsSync(join(REFERENCE, "usr/sbin/dockerd"));

export interface ReferenceEngine {
  readonly socket: string;
  close(): Promise<void>;
}

/** Starts dockerd 28.5 with containerd's image store, whose BuildKit builds. It has a bridge of its own and sets no rules. */
export async function startReference(): Promise<ReferenceEngine> {
  const folder = mkdtempSync(join(tmpdir(), "berth-reference-"));
  const socket = join(folder, "docker.sock");
  const bridge = `brf${process.pid.toString(36)}`;
  const ip = (...args: readonly string[]) => execFileSync("ip", args);
  ip("link", "add", bridge, "type", "bridge");
  ip("addr", "add", `10.216.${process.pid % 256}.1/24`, "dev", bridge);
  ip("link", "set", bridge, "up");
  const child = spawn(
    "bash",
    [
      join(ROOT, "scripts/reference.sh"),
      ...["run", folder, "dockerd", "--data-root", join(folder, "data"), "--exec-root", join(folder, "exec")],
      ...["--pidfile", join(folder, "docker.pid"), "--host", `unix://${socket}`, "--bridge", bridge],
      ...["--feature", "containerd-snapshotter", "--exec-opt", "native.cgroupdriver=cgroupfs"],
      ...["--iptables=false", "--ip6tables=false", "--ip-forward=false", "--ip-masq=false"],
    ],
    { env: { ...process.env, BERTH_REFERENCE: REFERENCE }, stdio: "ignore" },
  );
  const ended = new Promise((settle) => child.once("exit", settle));
  const close = async () => {
    child.kill("SIGTERM");
    await ended;
    ip("link", "del", bridge);
    for (const line of readFileSync("/proc/self/mounts", "utf8").split("\n").reverse()) {
      const [, path = ""] = line.split(" ");
      if (path.startsWith(`${folder}/`)) execFileSync("umount", ["-l", path]);
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + 60_000;
  while ((await ask(`unix:${socket}`, { path: "/_ping", timeout: 2000 }).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await close();
      throw new Error("the reference engine does not answer");
    }
    await pause(100);
  }
  return { socket, close };
}
