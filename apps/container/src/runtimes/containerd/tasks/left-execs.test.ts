import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ContainerId } from "../../../engine/ids.ts";
import { execOf, readExec, specOf } from "../../contract.testing.ts";
import { busyboxLayers } from "../busybox.testing.ts";
import { encodeJson } from "../client/protos.ts";
import { startTestContainerd, type TestContainerd } from "../containerd.testing.ts";
import { openFifos } from "../io/fifos.ts";
import { placesOf } from "../io/places.ts";
import { openContainerdRuntime } from "../runtime.ts";
import { execFileOf } from "./left-execs.ts";

let test: TestContainerd;
let id: ContainerId;
beforeAll(async () => {
  test = await startTestContainerd();
  const runtime = await openContainerdRuntime(test);
  const spec = specOf({ args: ["sleep", "1000000"] });
  id = spec.id;
  await runtime.create(id, await busyboxLayers(test.containerd));
  await runtime.start(spec);
  await runtime.close();
});
afterAll(() => test.dispose());

function shell(script: string) {
  return encodeJson("types.containerd.io/opencontainers/runtime-spec/1/Process", {
    args: ["sh", "-c", script],
    cwd: "/",
    env: ["PATH=/bin"],
    user: { uid: 0, gid: 0 },
  });
}

/** What a service that is killed while it starts an exec leaves: FIFOs that nobody reads, and an exec that the shim knows. */
async function leaveExec(execId: string, script: string): Promise<void> {
  const places = placesOf(test);
  const fifos = await openFifos(places.fifos);
  const stdout = execFileOf(places, id, execId, "stdout");
  const stderr = execFileOf(places, id, execId, "stderr");
  await fifos.make(stdout);
  await fifos.make(stderr);
  await test.containerd.tasks.exec(id, execId, { stdin: "", stdout, stderr, terminal: false }, shell(script));
  await fifos.idle();
}

async function filesLeft(): Promise<readonly string[]> {
  return (await readdir(placesOf(test).io(id))).filter((name) => name.startsWith("left"));
}

it("lets a shim go on that waits for a reader of an exec's output, and forgets the exec when it has ended", async () => {
  const { tasks } = test.containerd;
  await leaveExec("left-starting", "head -c 300000 /dev/zero");
  const started = tasks.start(id, "left-starting");
  const runtime = await openContainerdRuntime(test);
  expect(await runtime.list()).toEqual([{ id, task: { status: "running", pid: expect.any(Number) } }]);
  expect((await readExec(await runtime.exec(id, "later", execOf({ args: ["echo", "hi"] })))).stdout).toBe("hi\n");
  await started;
  await expect.poll(filesLeft).toEqual([]);
  await expect(tasks.get(id, { execId: "left-starting" })).rejects.toThrow("not found");
  await runtime.close();
});

it("forgets an exec that was never started", async () => {
  await leaveExec("left-created", "true");
  const runtime = await openContainerdRuntime(test);
  await expect.poll(filesLeft).toEqual([]);
  await expect(test.containerd.tasks.get(id, { execId: "left-created" })).rejects.toThrow("not found");
  await runtime.close();
});

it("forgets a detached exec that ended while no service ran", async () => {
  const before = await openContainerdRuntime(test);
  const session = await before.exec(id, "left-detached", execOf({ args: ["sleep", "0.5"], detached: true }));
  session.exit.catch(() => {});
  await before.close();
  expect(await filesLeft()).toEqual(["left-detached-detached"]);
  const after = await openContainerdRuntime(test);
  await expect.poll(filesLeft).toEqual([]);
  await expect(test.containerd.tasks.get(id, { execId: "left-detached" })).rejects.toThrow("not found");
  await after.close();
});
