import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";

// Programs that hang, as by a faulty disk: stopped (SIGSTOP), or waiting in open(2) for ever.

/** The parent of the process, by proc(5). */
export function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

function pids(): readonly number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

/** The words of a process's command line; none where it is gone. */
function wordsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** The processes of the program whose command line has all these words. */
export function processesOf(program: string, ...words: readonly string[]): readonly number[] {
  return pids().filter((pid) => {
    const [name = "", ...rest] = wordsOf(pid);
    return basename(name).startsWith(program) && words.every((word) => rest.includes(word));
  });
}

/** Stops a process: when it settles, none of its threads runs any more. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  const isStopped = (thread: string) => /^State:\s*T/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8"));
  while (!readdirSync(`/proc/${pid}/task`).every(isStopped)) await turn();
}

/**
 * Stops the next runc that does this for the container, as soon as it is there.
 *
 * @returns its process; undefined where `over` settles first.
 */
export async function stopRunc(command: string, id: string, over: Promise<unknown>): Promise<number | undefined> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  over.then(end, end);
  const before = new Set(pids());
  for (; !isOver; await turn())
    for (const pid of pids().filter((one) => !before.has(one))) {
      const [name = "", ...rest] = wordsOf(pid);
      if (basename(name) !== "runc" || !rest.includes(command) || !rest.includes(id)) continue;
      process.kill(pid, "SIGSTOP");
      return pid;
    }
  return undefined;
}

/**
 * Lets every runc hang that asks for the container's state, which is a FIFO from now on.
 *
 * @param folder where runc keeps the state of the instance's containers.
 * @returns how to let those go on that hang.
 */
export function hangRunc(folder: string, id: string): () => void {
  const path = join(folder, id, "state.json");
  const state = readFileSync(path);
  execFileSync("mkfifo", [`${path}.fifo`]);
  renameSync(`${path}.fifo`, path);
  return () => {
    rmSync(path, { force: true });
    writeFileSync(path, state);
  };
}
