import { execFile } from "node:child_process";
import { cp, readFile, rename, rm } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContainerSpec, Runtime, RuntimeEvent } from "../../../containers/records/runtime.ts";
import { execOf, readOutput, specOf } from "../../contract.testing.ts";
import { busyboxLayers } from "../busybox.testing.ts";
import { patienceOf } from "../client/patience.ts";
import { startTestContainerd, type TestContainerd } from "../containerd.testing.ts";
import { placesOf } from "../io/places.ts";
import { openContainerdRuntime } from "../runtime.ts";
import { isAlive, loadProcesses } from "./kernel-process.ts";

let test: TestContainerd;
let runtime: Runtime;
let layers: string;
beforeAll(async () => {
  test = await startTestContainerd({ patience: patienceOf(20) });
  layers = await busyboxLayers(test.containerd);
  runtime = await openContainerdRuntime(test);
});
afterAll(async () => {
  await runtime.close();
  await test.dispose();
});

async function start(args: readonly string[]): Promise<ContainerSpec> {
  const spec = specOf({ args });
  await runtime.create(spec.id, layers);
  await runtime.start(spec);
  return spec;
}

/** Stops the container's shim, which then answers nothing, as one that hangs. */
async function stopShim({ id }: ContainerSpec): Promise<number> {
  const processes = await loadProcesses(placesOf(test).processes(id));
  if (processes === undefined) throw new Error("no processes were written down");
  const { pid } = processes.shim;
  expect(await readFile(`/proc/${pid}/cmdline`, "utf8")).toContain("containerd-shim");
  process.kill(pid, "SIGSTOP");
  await expect.poll(() => readFile(`/proc/${pid}/stat`, "utf8")).toMatch(/\) T /);
  return pid;
}

const UNAVAILABLE = { kind: "unavailable", message: expect.stringMatching(/d(oes|id) not answer/) };

describe("a container whose shim is stopped", { timeout: 120_000 }, () => {
  it("fails calls in bounded time, is reported, and can be killed", async () => {
    const leaving = new AbortController();
    const told: RuntimeEvent[] = [];
    const listening = (async () => {
      for await (const event of runtime.events(leaving.signal)) told.push(event);
    })();
    const spec = await start(["sleep", "1000000"]);
    const other = await start(["sleep", "1000000"]);
    await stopShim(spec);
    await expect(runtime.exec(spec.id, "exec", execOf({}))).rejects.toMatchObject(UNAVAILABLE);
    await expect(runtime.processes(spec.id)).rejects.toMatchObject(UNAVAILABLE);
    // Its files are the kernel's.
    expect(await runtime.withRootfs(spec.id, async (root) => root)).toMatch(/^\/proc\/\d+\/root$/);
    expect(told).toEqual([{ kind: "unresponsive", id: spec.id, reason: expect.stringContaining(spec.id) }]);
    expect(await runtime.list()).toEqual(
      expect.arrayContaining([
        { id: spec.id, task: { status: "unknown" } },
        { id: other.id, task: { status: "running", pid: expect.any(Number) } },
      ]),
    );
    await runtime.kill(spec.id, 9);
    expect(await runtime.wait(spec.id)).toMatchObject({ exitCode: 137 });
    expect(told.at(-1)).toEqual({ kind: "responsive", id: spec.id });
    await runtime.start(spec);
    expect(await runtime.processes(spec.id)).toHaveLength(1);
    await Promise.all([spec, other].map(({ id }) => runtime.remove(id)));
    leaving.abort();
    await listening;
  });

  it("passes a gentle signal on to the process itself", async () => {
    const spec = await start(["sh", "-c", "trap 'echo heard; exit 3' TERM; echo ready; while :; do sleep 0.1; done"]);
    const written = async () => (await readOutput(runtime, spec.id, { follow: false })).stdout;
    await expect.poll(written, { timeout: 30_000 }).toBe("ready\n");
    const pid = await stopShim(spec);
    await runtime.kill(spec.id, 15);
    process.kill(pid, "SIGCONT");
    expect(await runtime.wait(spec.id)).toMatchObject({ exitCode: 3 });
    expect(await written()).toContain("heard");
    await runtime.remove(spec.id);
  });

  it("can be removed, and is found again by a service that starts", async () => {
    const spec = await start(["sleep", "1000000"]);
    await stopShim(spec);
    await runtime.close();
    runtime = await openContainerdRuntime(test);
    expect(await runtime.list()).toEqual([{ id: spec.id, task: { status: "unknown" } }]);
    await runtime.remove(spec.id);
    expect(await runtime.list()).toEqual([]);
  });
});

it.each(["passwd", "group"])("refuses a start and an exec where /etc/%s is a FIFO", async (name) => {
  const refusal = { kind: "invalid", message: `/etc/${name} in the container is not a regular file` };
  const spec = await start(["sleep", "1000000"]);
  await runtime.withRootfs(spec.id, async (root) => {
    await rm(`${root}/etc/${name}`);
    await promisify(execFile)("mkfifo", [`${root}/etc/${name}`]);
  });
  await expect(runtime.exec(spec.id, "exec", execOf({}))).rejects.toMatchObject(refusal);
  await runtime.kill(spec.id, 9);
  await runtime.wait(spec.id);
  await expect(runtime.start(spec)).rejects.toMatchObject(refusal);
  await runtime.remove(spec.id);
});

it("starts a container whose last run left runc's state behind", { timeout: 120_000 }, async () => {
  const spec = await start(["sleep", "1000000"]);
  const places = placesOf(test);
  const processes = await loadProcesses(places.processes(spec.id));
  const state = `/run/containerd/runc/${test.instance}/${spec.id}`;
  await cp(state, `${state}.copy`, { recursive: true, filter: (path) => !path.endsWith(".fifo") });
  process.kill(processes?.init.pid ?? 0, "SIGKILL");
  await runtime.wait(spec.id);
  await rename(`${state}.copy`, state);
  await runtime.start(spec);
  expect(await runtime.processes(spec.id)).toHaveLength(1);
  await runtime.remove(spec.id);
});

it("ends a container whose runc state is gone", { timeout: 120_000 }, async () => {
  const spec = await start(["sleep", "1000000"]);
  await rm(`/run/containerd/runc/${test.instance}/${spec.id}`, { recursive: true });
  await runtime.kill(spec.id, 9);
  expect(await runtime.wait(spec.id)).toMatchObject({ exitCode: 137 });
  await runtime.remove(spec.id);
});

it("leaves no process of a container whose shim is killed, though containerd's clean-up fails", async () => {
  const spec = await start(["sleep", "1000000"]);
  const processes = await loadProcesses(placesOf(test).processes(spec.id));
  if (processes === undefined) throw new Error("no processes were written down");
  // So that `runc delete` finds nothing to kill.
  await rm(`/run/containerd/runc/${test.instance}/${spec.id}`, { recursive: true });
  process.kill(processes.shim.pid, "SIGKILL");
  expect(await runtime.wait(spec.id)).toMatchObject({ exitCode: 137 });
  await expect.poll(() => isAlive(processes.init)).toBe(false);
  await runtime.remove(spec.id);
});
