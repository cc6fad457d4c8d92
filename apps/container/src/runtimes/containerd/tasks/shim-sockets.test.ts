import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Runtime } from "../../../containers/records/runtime.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import { specOf } from "../../contract.testing.ts";
import { busyboxLayers } from "../busybox.testing.ts";
import { startTestContainerd, type TestContainerd } from "../containerd.testing.ts";
import { openContainerdRuntime } from "../runtime.ts";
import { clearAllSockets, socketsOf } from "./shim-sockets.ts";

let test: TestContainerd;
let layers: string;
const runtimes: Runtime[] = [];
beforeAll(async () => {
  test = await startTestContainerd();
  layers = await busyboxLayers(test.containerd);
});
afterAll(async () => {
  for (const runtime of runtimes) await runtime.close();
  await test.dispose();
});

async function open(ownContainerd: boolean): Promise<Runtime> {
  const runtime = await openContainerdRuntime({ ...test, ownContainerd });
  runtimes.push(runtime);
  return runtime;
}

/** Where the container's shim says that its socket is. */
async function socketOf(id: ContainerId): Promise<string> {
  const bundle = join(test.containerdState, "io.containerd.runtime.v2.task", test.instance, id);
  return (await readFile(join(bundle, "address"), "utf8")).slice("unix://".length);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Kills the shim that is the parent of a container's first process. */
async function killShimOf(pid: number): Promise<void> {
  const [, parent] = /^PPid:\s*(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  expect(await readFile(`/proc/${parent}/cmdline`, "utf8")).toContain("containerd-shim");
  process.kill(Number(parent), "SIGKILL");
}

describe("the socket of a shim that was killed", () => {
  it.each([
    ["Berth's", true],
    ["containerd's own", false],
  ])("goes with the container: %s shim", async (_, ownContainerd) => {
    const runtime = await open(ownContainerd);
    const spec = specOf({ args: ["sleep", "1000000"] });
    const { id } = spec;
    await runtime.create(id, layers);
    const { pid } = await runtime.start(spec);
    const socket = await socketOf(id);
    expect(socketsOf(id, test.containerd)[ownContainerd ? 0 : 1]).toBe(socket);
    await killShimOf(pid);
    await runtime.wait(id);
    expect(await isThere(socket)).toBe(true);
    await runtime.remove(id);
    expect(await isThere(socket)).toBe(false);
  });

  it("goes with all of its namespace, and no other's", async () => {
    const [own = ""] = socketsOf("one", test.containerd);
    const [others = ""] = socketsOf("one", { socket: test.containerd.socket, namespace: `${test.instance}-2` });
    await writeFile(own, "");
    await writeFile(others, "");
    await clearAllSockets(test.containerd);
    expect([await isThere(own), await isThere(others)]).toEqual([false, true]);
    await clearAllSockets({ socket: test.containerd.socket, namespace: `${test.instance}-2` });
    expect(await isThere(others)).toBe(false);
  });
});
