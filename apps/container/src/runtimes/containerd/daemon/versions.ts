import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Containerd } from "../client/client.ts";

const RUNC_TIMEOUT_MS = 10_000;

/** The versions of containerd and of runc; "" where runc does not say. */
export async function readVersions(containerd: Pick<Containerd, "version">) {
  const { version } = await containerd.version();
  const options = { timeout: RUNC_TIMEOUT_MS };
  const { stdout } = await promisify(execFile)("runc", ["--version"], options).catch(() => ({ stdout: "" }));
  return { name: "containerd", version, runc: /^runc version (\S+)/.exec(stdout)?.[1] ?? "" };
}
