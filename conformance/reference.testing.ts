import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startReference } from "./traffic/reference.mjs";

/** The root of Debian sid with dockerd, which `scripts/reference.sh build` makes. */
const REFERENCE = process.env.BERTH_REFERENCE ?? join(import.meta.dirname, "../.cache/reference");

/** A buildkitd to test with in place of dockerd's BuildKit; it runs its steps with the host's runc. */
const { BUILDKITD } = process.env;

export const hasReference = existsSync(join(REFERENCE, "usr/sbin/dockerd"));

/** Starts dockerd 28.5 with containerd's image store on the host's network, whose BuildKit builds, or the buildkitd that is to be tested. `close` leaves nothing of it. */
export async function startBuildKit(): Promise<{ readonly socket: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "berth-reference-"));
  const { socket, close } =
    BUILDKITD === undefined
      ? await startReference(folder, { network: "host" })
      : await startBuildKitDaemon(BUILDKITD, folder);
  return {
    socket,
    close: async () => {
      await close();
      for (const line of readFileSync("/proc/self/mounts", "utf8").split("\n").reverse()) {
        const [, path = ""] = line.split(" ");
        if (path.startsWith(`${folder}/`)) execFileSync("umount", ["-l", path]);
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startBuildKitDaemon(program: string, folder: string) {
  const socket = join(folder, "buildkitd.sock");
  const worker = ["--oci-worker=true", "--oci-worker-net=host", "--containerd-worker=false"];
  const args = ["--root", join(folder, "root"), "--addr", `unix://${socket}`, ...worker];
  const child = spawn(program, args, { stdio: "ignore" });
  const ended = once(child, "exit");
  while (!existsSync(socket) && child.exitCode === null) await pause(50);
  const close = async () => {
    child.kill();
    // It waits for connections that clients keep.
    await Promise.race([ended, pause(10_000, undefined, { ref: false })]);
    child.kill("SIGKILL");
    await ended;
  };
  return { socket, close };
}
