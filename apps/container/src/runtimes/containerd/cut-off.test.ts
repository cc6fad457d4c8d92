import { readdir, readFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { SIGKILL } from "../../containers/records/signals.ts";
import { unlessAbsent } from "../../engine/errors.ts";
import { execOf, readExec, specOf } from "../contract.testing.ts";
import { busyboxLayers } from "./busybox.testing.ts";
import { openContainerd } from "./client/client.ts";
import { startTestContainerd, type TestContainerd } from "./containerd.testing.ts";
import { openContainerdRuntime } from "./runtime.ts";
import { createWhenFree } from "./tasks/start.ts";

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

/** The command lines of the instance's shims and loggers. */
async function processesOf({ instance, stateDir }: TestContainerd): Promise<readonly string[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(names.map((name) => readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "")));
  return lines.filter(
    (line) => (line.includes("containerd-shim") && line.includes(instance)) || line.includes(`log\0${stateDir}`),
  );
}

it("makes a task in place of one that has its id, as soon as containerd has cleared up after that", {
  timeout: 60_000,
}, async () => {
  const test = await startTestContainerd();
  onTestFinished(() => test.dispose());
  const runtime = await openContainerdRuntime(test);
  onTestFinished(() => runtime.close());
  const { tasks, snapshots, patience } = test.containerd;
  const spec = specOf({ args: FOREVER });
  await runtime.create(spec.id, await busyboxLayers(test.containerd));
  await runtime.start(spec);
  const mounts = await snapshots.mounts(spec.id);
  const created = await createWhenFree(patience, {
    create: () => tasks.create(spec.id, { stdin: "", stdout: "", stderr: "", terminal: false }, mounts),
    // Until its bundle is gone too, which a new task of that id would have.
    discard: async () => {
      await runtime.kill(spec.id, SIGKILL).catch(unlessAbsent);
      await runtime.wait(spec.id);
    },
  });
  expect(created).toMatchObject({ pid: expect.any(Number) });
  await runtime.remove(spec.id);
  expect(await tasks.list()).toEqual([]);
});

/** A socket that leads to another, and whose connections can be cut, as by the end of who connected. */
async function openRelay(path: string, target: string) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const other = connect(target);
    sockets.push(socket, other);
    for (const one of [socket, other]) one.on("error", () => {});
    socket.pipe(other).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    cut: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

it.each(["containerd-shim", "logger"])(
  "leaves nothing of starts whose service ended when a %s was there",
  { timeout: 60_000 },
  async (program) => {
    const test = await startTestContainerd();
    onTestFinished(() => test.dispose());
    const layers = await busyboxLayers(test.containerd);
    const path = join(test.runDir, "relay.sock");
    const relay = await openRelay(path, test.containerd.socket);
    const cut = openContainerd({ socket: path, namespace: test.containerd.namespace });
    onTestFinished(() => cut.close());
    const first = await openContainerdRuntime({ ...test, containerd: cut });
    const specs = Array.from({ length: 6 }, () => specOf({ args: FOREVER }));
    await Promise.all(specs.map(({ id }) => first.create(id, layers)));
    for (const spec of specs) first.start(spec).catch(() => {});
    await expect.poll(async () => (await processesOf(test)).join(" "), { interval: 5 }).toContain(program);
    relay.cut();
    await first.close();
    // A service takes longer to start; containerd gives the starts up meanwhile.
    await delay(500);

    const runtime = await openContainerdRuntime(test);
    onTestFinished(() => runtime.close());
    await Promise.all(specs.map(({ id }) => runtime.remove(id)));
    await expect.poll(() => processesOf(test), { timeout: 10_000 }).toEqual([]);
  },
);
