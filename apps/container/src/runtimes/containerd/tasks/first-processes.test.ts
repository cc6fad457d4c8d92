import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import type { ContainerId } from "../../../engine/ids.ts";
import { FirstProcesses } from "./first-processes.ts";

const ID = "one" as ContainerId;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function process() {
  const child = spawn("sleep", ["600"]);
  await once(child, "spawn");
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  };
  ends.push(end);
  const pid = child.pid ?? 0;
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const startTime = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  return { id: { pid, startTime }, end };
}

async function firstProcesses() {
  const folder = await mkdtemp(join(tmpdir(), "berth-first-"));
  ends.push(() => rm(folder, { recursive: true }));
  const path = join(folder, "processes.json");
  return {
    first: new FirstProcesses({ processes: () => path }),
    write: (init: object) => writeFile(path, JSON.stringify({ init, shim: init })),
  };
}

it("knows a process until it ends, and the next one", async () => {
  const { first, write } = await firstProcesses();
  expect(await first.alive(ID)).toBeUndefined();
  const [one, other] = [await process(), await process()];
  await write(one.id);
  expect(await first.alive(ID)).toEqual(one.id);
  await one.end();
  expect(await first.alive(ID)).toBeUndefined();
  await write(other.id);
  expect(await first.alive(ID)).toEqual(other.id);
});

it("takes no later process with the same pid for it", async () => {
  const { first, write } = await firstProcesses();
  const { id } = await process();
  await write({ ...id, startTime: String(Number(id.startTime) - 1) });
  expect(await first.alive(ID)).toBeUndefined();
});
