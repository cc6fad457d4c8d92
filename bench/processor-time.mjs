// The processor time of an engine with all that it starts, by control groups of the accounting hierarchy.
import { existsSync, mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";

const ROOT = "/sys/fs/cgroup";
const isUnified = existsSync(join(ROOT, "cgroup.controllers"));

function pathOf(group) {
  return isUnified ? join(ROOT, group) : join(ROOT, "cpuacct", group);
}

/** The milliseconds that a group and all below it have used so far; 0 for one that is not there. */
export function processorMs(group) {
  const path = pathOf(group);
  if (!existsSync(path)) return 0;
  if (!isUnified) return Number(readFileSync(join(path, "cpuacct.usage"), "utf8")) / 1e6;
  const [, usec = "0"] = /^usage_usec (\d+)$/m.exec(readFileSync(join(path, "cpu.stat"), "utf8")) ?? [];
  return Number(usec) / 1e3;
}

/** Makes a group, and gives the words that run a command in it. */
export function enterGroup(group) {
  const path = pathOf(group);
  mkdirSync(path, { recursive: true });
  return ["sh", "-c", `echo $$ > ${join(path, "cgroup.procs")}; exec "$@"`, "sh"];
}

/** Removes a group that has no processes any more. */
export function removeGroup(group) {
  if (existsSync(pathOf(group))) rmdirSync(pathOf(group));
}
