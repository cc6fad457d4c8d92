import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startReference } from "./traffic/reference.mjs";

/** The root of Debian sid with dockerd, which `scripts/reference.sh build` makes. */
const REFERENCE = process.env.BERTH_REFERENCE ?? join(import.meta.dirname, "../.cache/reference");

export const hasReference = existsSync(join(REFERENCE, "usr/sbin/dockerd"));

/** Starts dockerd 28.5 with containerd's image store on the host's network, whose BuildKit builds. `close` leaves nothing of it. */
export async function startBuildKit(): Promise<{ readonly socket: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "berth-reference-"));
  const { socket, close } = await startReference(folder, { network: "host" });
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
