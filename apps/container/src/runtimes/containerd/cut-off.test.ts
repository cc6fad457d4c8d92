import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { execOf, readExec, specOf } from "../contract.testing.ts";
import { busyboxLayers } from "./busybox.testing.ts";
import { startTestContainerd } from "./containerd.testing.ts";
import { openContainerdRuntime } from "./runtime.ts";

const FOREVER = ["sleep", "1000000"];

// runc, ended in the middle of an exec, may leave a process that no shim knows; it ends with the container, as under dockerd.
it("starts containers and execs as ever after a kill of containerd has cut others off", {
  timeout: 90_000,
}, async () => {
  const test = await startTestContainerd();
  onTestFinished(() => test.dispose());
  const layers = await busyboxLayers(test.containerd);
  const runtime = await openContainerdRuntime(test);
  onTestFinished(() => runtime.close());
  const [first, ...others] = Array.from({ length: 6 }, () => specOf({ args: FOREVER }));
  if (first === undefined) throw new Error("no container");
  await Promise.all([first, ...others].map(({ id }) => runtime.create(id, layers)));
  await runtime.start(first);

  const before = await test.pid();
  const cut = [
    ...others.map((spec) => runtime.start(spec)),
    ...["a", "b"].map((name) => runtime.exec(first.id, name, execOf({ args: FOREVER }))),
  ].map((call) =>
    call.then(
      () => true,
      () => false,
    ),
  );
  await delay(60);
  await test.crash();
  const started = await Promise.all(cut);
  await expect.poll(test.pid, { timeout: 15_000 }).not.toBe(before);

  await Promise.all(others.filter((_, index) => !started[index]).map((spec) => runtime.start(spec)));
  for (const { id } of others) expect(await runtime.processes(id)).toHaveLength(1);
  const ran = await runtime.exec(first.id, "after", execOf({ args: ["echo", "hi"] }));
  expect((await readExec(ran)).stdout).toBe("hi\n");
  await Promise.all([first, ...others].map(({ id }) => runtime.remove(id)));
  expect(await test.containerd.tasks.list()).toEqual([]);
});
