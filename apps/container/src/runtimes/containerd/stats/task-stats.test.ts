import { afterAll, beforeAll, expect, it } from "vitest";
import type { ContainerSpec, Runtime } from "../../../containers/records/runtime.ts";
import { isUnified } from "../../../host/control-groups.ts";
import { specOf } from "../../contract.testing.ts";
import { busyboxLayers } from "../busybox.testing.ts";
import { startTestContainerd, type TestContainerd } from "../containerd.testing.ts";
import { openContainerdRuntime } from "../runtime.ts";
import { statsOf } from "./metrics.ts";
import { TaskStats } from "./task-stats.ts";

let test: TestContainerd;
let runtime: Runtime;
let spec: ContainerSpec;
beforeAll(async () => {
  test = await startTestContainerd();
  runtime = await openContainerdRuntime(test);
  spec = specOf({ args: ["sleep", "1000000"] });
  await runtime.create(spec.id, await busyboxLayers(test.containerd));
});
afterAll(async () => {
  await runtime.remove(spec.id);
  await runtime.close();
  await test.dispose();
});

const ANSWERS = {
  of: () => {
    throw new Error("containerd was asked");
  },
};

/** The stats of a task whose first process is this one. */
function statsOfTask(pid: number) {
  const processes = { alive: async () => ({ pid, startTime: "1" }) };
  return new TaskStats(test.containerd, processes, ANSWERS).of(spec.id);
}

it.skipIf(await isUnified())("tells what containerd would, without asking it", async () => {
  const { pid } = await runtime.start(spec);
  const metric = await test.containerd.tasks.metrics(spec.id);
  if (metric === undefined) throw new Error("containerd has no metrics");
  const told = statsOf(metric);
  const own = await statsOfTask(pid);
  // The kernel's counters go on between the two.
  expect(own).toMatchObject({
    pids: told.pids,
    cpu: { throttling: told.cpu.throttling, perCpu: told.cpu.perCpu.map(() => expect.any(Number)) },
    memory: { limit: told.memory.limit, failcnt: told.memory.failcnt },
    blkio: told.blkio,
  });
  expect(Object.keys(own.memory.stats).sort()).toEqual(Object.keys(told.memory.stats).sort());
  expect(own.cpu.total).toBeGreaterThanOrEqual(told.cpu.total);
  expect(Date.parse(own.read)).toBeGreaterThanOrEqual(Date.parse(told.read));
  await expect(statsOfTask(pid + 1)).rejects.toThrow("containerd was asked");
});
