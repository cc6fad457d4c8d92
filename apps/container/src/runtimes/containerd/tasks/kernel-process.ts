import { readFile, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { SIGKILL } from "../../../containers/records/signals.ts";
import { readProc } from "../../../host/read-proc.ts";
import { writeWhole } from "../../../host/whole-file.ts";

/** A process that cannot be mistaken for a later one with its pid. */
export interface ProcessId {
  readonly pid: number;
  /** Clock ticks after boot. */
  readonly startTime: string;
}

/** A container's first process, and the shim that is its parent: what remains to act on where the shim does not answer. */
export interface TaskProcesses {
  readonly init: ProcessId;
  readonly shim: ProcessId;
}

interface Stat extends ProcessId {
  /** The program's name, cut by the kernel. */
  readonly name: string;
  /** `R`, `S`, …; `Z` for one that has ended and was not waited for. */
  readonly state: string;
  readonly parent: number;
}

/** Reads `/proc/PID/stat` (proc(5)); undefined where no such process is. */
function readStat(pid: number): Stat | undefined {
  const text = readProc(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name may have spaces and brackets.
  const end = text.lastIndexOf(")");
  const fields = text.slice(end + 2).split(" ");
  const [state = "", parent = "0"] = fields;
  return {
    pid,
    name: text.slice(text.indexOf("(") + 1, end),
    state,
    parent: Number(parent),
    startTime: fields[19] ?? "",
  };
}

/** Whether it runs; one that ended and was not waited for does not. */
export function isAlive({ pid, startTime }: ProcessId): boolean {
  const stat = readStat(pid);
  return stat !== undefined && stat.startTime === startTime && stat.state !== "Z" && stat.state !== "X";
}

/** What the kernel keeps of the shim's name. */
const SHIM_NAME = "containerd-shim";

/** Writes down which processes a task has, for as long as it runs. */
export async function saveProcesses(path: string, pid: number): Promise<void> {
  const init = readStat(pid);
  const shim = init && readStat(init.parent);
  // A containerd that counts processes in another namespace than this service's gives a pid that is another process here.
  if (init === undefined || shim?.name !== SHIM_NAME) return;
  const idOf = ({ pid, startTime }: Stat): ProcessId => ({ pid, startTime });
  await writeWhole(path, JSON.stringify({ init: idOf(init), shim: idOf(shim) } satisfies TaskProcesses));
}

/** What `saveProcesses` wrote; undefined where it wrote nothing. */
export async function loadProcesses(path: string): Promise<TaskProcesses | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as TaskProcesses);
}

/** Sends the signal where the process is alive; answers whether it is. */
export async function signalProcess(process: ProcessId, signal: number): Promise<boolean> {
  if (!isAlive(process)) return false;
  try {
    globalThis.process.kill(process.pid, signal);
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH") return false;
    throw thrown;
  }
}

/** Kills the shim, and the runc that it waits for: one that hangs would go on for ever. */
export async function killShimOf({ shim }: TaskProcesses): Promise<void> {
  if (!isAlive(shim)) return;
  const list = await readFile(`/proc/${shim.pid}/task/${shim.pid}/children`, "utf8").catch(() => "");
  const children = list
    .split(" ")
    .filter(Boolean)
    .map((pid) => readStat(Number(pid)));
  await signalProcess(shim, SIGKILL);
  for (const child of children) if (child?.name === "runc") await signalProcess(child, SIGKILL);
}

/** Freezes what is in the process's control group, or lets it run again: in groups of version 1 even SIGKILL waits for that. */
export async function setFrozen({ pid }: ProcessId, isFrozen: boolean): Promise<void> {
  const groups = await readFile(`/proc/${pid}/cgroup`, "utf8").catch(() => "");
  const pathOf = (controller: string) => new RegExp(`^\\d+:${controller}:(.*)$`, "m").exec(groups)?.[1];
  const freezer = pathOf("freezer");
  const unified = pathOf("");
  if (freezer !== undefined)
    await writeFile(`/sys/fs/cgroup/freezer${freezer}/freezer.state`, isFrozen ? "FROZEN" : "THAWED").catch(() => {});
  else if (unified !== undefined)
    await writeFile(`/sys/fs/cgroup${unified}/cgroup.freeze`, isFrozen ? "1" : "0").catch(() => {});
}

const POLL_MS = 100;

/** Whether the process ends within `limitMs`; one that ended and was not waited for counts. */
export async function endsWithin(process: ProcessId, limitMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += POLL_MS) {
    if (!isAlive(process)) return true;
    await delay(POLL_MS);
  }
  return !isAlive(process);
}
