import { cpus } from "node:os";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ContainerSpec, Runtime } from "../../../containers/records/runtime.ts";
import { isUnified } from "../../../host/control-groups.ts";
import { specOf } from "../../contract.testing.ts";
import { busyboxLayers } from "../busybox.testing.ts";
import { startTestContainerd, type TestContainerd } from "../containerd.testing.ts";
import { openContainerdRuntime } from "../runtime.ts";
import { TaskStats } from "./task-stats.ts";

let test: TestContainerd;
let runtime: Runtime;
let spec: ContainerSpec;
beforeAll(async () => {
  test = await startTestContainerd();
  runtime = await openContainerdRuntime(test);
  spec = specOf({ args: ["sleep", "1000000"], resources: { memory: 16 << 20, pidsLimit: 20 } });
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

// Not compared with what containerd tells: a shim has no metrics of a task that started while mounts of the host came and went.
it.skipIf(await isUnified())("reads the groups of the task, without asking containerd", async () => {
  const { pid } = await runtime.start(spec);
  expect(await statsOfTask(pid)).toMatchObject({
    pids: { current: 1, limit: 20 },
    cpu: { perCpu: cpus().map(() => expect.any(Number)) },
    memory: { limit: 16 << 20, failcnt: 0 },
  });
  const { cpu, memory, read } = await statsOfTask(pid);
  expect(cpu.total).toBeGreaterThan(0);
  expect(memory.usage).toBeGreaterThan(0);
  expect(memory.stats.hierarchical_memory_limit).toBe(16 << 20);
  expect(memory.stats.pgfault).toBeGreaterThan(0);
  expect(Date.parse(read)).toBeLessThanOrEqual(Date.now());
  await expect(statsOfTask(pid + 1)).rejects.toThrow("containerd was asked");
});
