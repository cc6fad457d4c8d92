import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

const KIB_PER_MIB = 1024;

/**
 * The memory of an engine's programs, the largest first.
 * @param {{ folder: string, pids: readonly number[], groups: readonly string[] }} engine `folder` is in the command lines of most of its
 *   programs; the others descend from one of `pids`; `groups` are the control groups of its containers, whose processes do not count
 * @returns {{ program: string, count: number, pss: number }[]} `pss` in MiB, of all processes of that program
 */
export function memoryOf({ folder, pids, groups }) {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ name, parent: parentOf(name), words: read(name, "cmdline").split("\0") }));
  const engine = new Set([
    ...pids.flatMap((pid) => withChildren(processes, String(pid))),
    // Postgres' processes write their own command lines over.
    ...processes
      .filter(({ words }) => words.some((word) => word.includes(folder)))
      .flatMap(({ name }) => withChildren(processes, name)),
  ]);
  const programs = new Map();
  for (const { name, words } of processes) {
    const pss = Number(/^Pss:\s+(\d+)/m.exec(read(name, "smaps_rollup"))?.[1] ?? 0) / KIB_PER_MIB;
    if (!engine.has(name) || pss === 0 || isOfContainer(name, groups)) continue;
    const program = nameOf(words);
    const { count, pss: before } = programs.get(program) ?? { count: 0, pss: 0 };
    programs.set(program, { program, count: count + 1, pss: before + pss });
  }
  return [...programs.values()].sort((one, other) => other.pss - one.pss);
}

/** What /proc has of a process; nothing where it ended. */
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

function parentOf(pid) {
  return /^PPid:\s+(\d+)/m.exec(read(pid, "status"))?.[1];
}

function withChildren(processes, pid) {
  const children = processes.filter(({ parent }) => parent === pid);
  return [pid, ...children.flatMap(({ name }) => withChildren(processes, name))];
}

function isOfContainer(pid, groups) {
  return read(pid, "cgroup")
    .split("\n")
    .some((line) => groups.some((group) => line.includes(`:/${group}/`)));
}

function nameOf([program, ...rest]) {
  const [name] = program.split(" ");
  const script = name.endsWith("node") ? rest.find((word) => word.endsWith(".js")) : undefined;
  return script === undefined ? basename(name).replace(/:$/, "") : script.split("/").slice(-3).join("/");
}
