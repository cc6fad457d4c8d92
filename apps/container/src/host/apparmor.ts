import { readFile } from "node:fs/promises";
import { exists } from "./exists.ts";

/** Whether the kernel confines processes by AppArmor profiles, as runc finds out. */
export async function hasAppArmor(): Promise<boolean> {
  if (!(await exists("/sys/kernel/security/apparmor"))) return false;
  const enabled = await readFile("/sys/module/apparmor/parameters/enabled", "utf8").catch(() => "");
  return enabled.startsWith("Y");
}
