import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Runtime } from "../../../containers/records/runtime.ts";
import { EngineError } from "../../../engine/errors.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import { specOf } from "../../contract.testing.ts";
import { busyboxLayers } from "../busybox.testing.ts";
import { startTestContainerd, type TestContainerd } from "../containerd.testing.ts";
import { openContainerdRuntime } from "../runtime.ts";
import { pauseTask } from "./pauses.ts";
import { runcRoot } from "./runc-state.ts";

const run = promisify(execFile);

let test: TestContainerd;
let runtime: Runtime;
let id: ContainerId;
beforeAll(async () => {
  test = await startTestContainerd();
  runtime = await openContainerdRuntime(test);
  const spec = specOf({ args: ["sleep", "1000000"] });
  id = spec.id;
  await runtime.create(id, await busyboxLayers(test.containerd));
  await runtime.start(spec);
});
afterAll(async () => {
  await runtime.remove(id);
  await runtime.close();
  await test.dispose();
});

/** What the kernel says. */
async function isFrozen(): Promise<boolean> {
  const first = "/sys/fs/cgroup/freezer";
  if (existsSync(first))
    return (await readFile(join(first, test.instance, id, "freezer.state"), "utf8")).startsWith("FROZEN");
  return (await readFile(join("/sys/fs/cgroup", test.instance, id, "cgroup.events"), "utf8")).includes("frozen 1");
}

/** As a call of the shim's that was cut off: it does not know that runc had its effect. */
async function behindTheShim(verb: "pause" | "resume"): Promise<void> {
  await run("runc", ["--root", runcRoot(test.instance), verb, id]);
}

describe("a task that runc paused without its shim's knowledge", () => {
  it("is resumed", async () => {
    await behindTheShim("pause");
    await runtime.resume(id);
    expect(await isFrozen()).toBe(false);
  });

  it("is paused, and then resumed", async () => {
    await behindTheShim("pause");
    await runtime.pause(id);
    expect(await isFrozen()).toBe(true);
    await runtime.resume(id);
    expect(await isFrozen()).toBe(false);
  });
});

describe("a task that runc resumed without its shim's knowledge", () => {
  it("is resumed, and can be paused again", async () => {
    await runtime.pause(id);
    await behindTheShim("resume");
    await runtime.resume(id);
    expect(await isFrozen()).toBe(false);
    await runtime.pause(id);
    expect(await isFrozen()).toBe(true);
    await runtime.resume(id);
  });

  it("is paused, and then resumed", async () => {
    await runtime.pause(id);
    await behindTheShim("resume");
    await runtime.pause(id);
    expect(await isFrozen()).toBe(true);
    await runtime.resume(id);
    expect(await isFrozen()).toBe(false);
  });
});

describe("a pause that runc gives up on because a process was not scheduled in time", () => {
  const late = new EngineError("failed", "OCI runtime pause failed: unable to freeze: unknown");
  const other = new EngineError("failed", "OCI runtime pause failed: no such cgroup: unknown");
  async function pause(...answers: readonly (EngineError | undefined)[]): Promise<number> {
    let calls = 0;
    const answer = async () => {
      const thrown = answers[Math.min(calls++, answers.length - 1)];
      if (thrown) throw thrown;
    };
    await pauseTask("web" as ContainerId, { pause: answer }, { alive: async () => undefined });
    return calls;
  }

  it("is tried again", async () => expect(await pause(late, late, undefined)).toBe(3));
  it("fails in the end", async () => expect(pause(late)).rejects.toBe(late));
  it("leaves other failures", async () => expect(pause(other, undefined)).rejects.toBe(other));
});
