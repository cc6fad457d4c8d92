import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Runtime } from "../../containers/records/runtime.ts";
import { execOf, readExec, specOf } from "../contract.testing.ts";
import { busyboxLayers } from "./busybox.testing.ts";
import { startTestContainerd, type TestContainerd } from "./containerd.testing.ts";
import { openContainerdRuntime } from "./runtime.ts";

/** A containerd that is killed again and again comes back after ten seconds only. */
const SLOW = { timeout: 90_000 };

const FOREVER = ["sleep", "1000000"];

let test: TestContainerd;
let runtime: Runtime;
let layers: string;
beforeAll(async () => {
  test = await startTestContainerd();
  layers = await busyboxLayers(test.containerd);
  runtime = await openContainerdRuntime(test);
});
afterAll(async () => {
  await runtime.close();
  await test.dispose();
});

/** Kills containerd after so many milliseconds of the work, and awaits both the work and the next containerd. */
async function killedAfter<T>(ms: number, work: readonly Promise<T>[]): Promise<readonly PromiseSettledResult<T>[]> {
  const settled = Promise.allSettled(work);
  const before = await test.pid();
  await delay(ms);
  await test.crash();
  const results = await settled;
  await expect.poll(test.pid, { timeout: 15_000 }).not.toBe(before);
  return results;
}

it("leaves nothing of a start that a kill of containerd cut off, and starts the container then", SLOW, async () => {
  const specs = Array.from({ length: 6 }, () => specOf({ args: FOREVER }));
  await Promise.all(specs.map(({ id }) => runtime.create(id, layers)));
  for (const ms of [20, 90, 250]) {
    const starts = await killedAfter(
      ms,
      specs.map((spec) => runtime.start(spec)),
    );
    const running = specs.filter((_, index) => starts[index]?.status === "fulfilled").map(({ id }) => id);
    const tasks = async () => (await runtime.list()).filter(({ task }) => task !== undefined).map(({ id }) => id);
    await expect.poll(tasks, { timeout: 20_000 }).toEqual(expect.arrayContaining(running));
    await expect.poll(async () => (await tasks()).length, { timeout: 20_000 }).toBe(running.length);
    await Promise.all(specs.filter(({ id }) => !running.includes(id)).map((spec) => runtime.start(spec)));
    for (const { id } of specs) await runtime.kill(id, 9);
    await Promise.all(specs.map(({ id }) => runtime.wait(id)));
  }
  await Promise.all(specs.map(({ id }) => runtime.remove(id)));
  expect(await test.containerd.tasks.list()).toEqual([]);
});

// runc, ended in the middle of an exec, may leave a process that no shim knows; it ends with the container, as under dockerd.
it("runs execs as ever when a kill of containerd has cut others off", SLOW, async () => {
  const spec = specOf({ args: FOREVER });
  await runtime.create(spec.id, layers);
  await runtime.start(spec);
  const execs = await killedAfter(
    60,
    ["a", "b", "c", "d"].map((name) => runtime.exec(spec.id, name, execOf({ args: FOREVER }))),
  );
  const ran = await runtime.exec(spec.id, "after", execOf({ args: ["echo", "hi"] }));
  expect((await readExec(ran)).stdout).toBe("hi\n");
  for (const exec of execs) if (exec.status === "fulfilled") await exec.value.kill();
  for (const exec of execs) if (exec.status === "fulfilled") await exec.value.exit;
  await runtime.remove(spec.id);
  expect(await test.containerd.tasks.list()).toEqual([]);
});
