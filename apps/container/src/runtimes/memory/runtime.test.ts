import { describe, expect, it } from "vitest";
import { EngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { runtimeContract, specOf } from "../contract.testing.ts";
import { memoryRuntime } from "./runtime.ts";
import { endWorld, memoryWorld } from "./world.ts";

describe("memory", () =>
  runtimeContract(async () => {
    const world = memoryWorld();
    return {
      runtime: memoryRuntime(world),
      layers: "busybox",
      reopen: async () => memoryRuntime(world),
      dispose: () => endWorld(world),
    };
  }));

describe("faults", () => {
  it("fail the call that they are for", async () => {
    const world = memoryWorld();
    const runtime = memoryRuntime(world);
    world.fault = (call) => {
      if (call === "create" || call === "logPath") throw new EngineError("unavailable", "the daemon is away");
    };
    await expect(runtime.create("a" as ContainerId, "")).rejects.toMatchObject({ kind: "unavailable" });
    expect(() => runtime.logPath("a" as ContainerId)).toThrow("away");
    expect(await runtime.list()).toEqual([]);
  });

  it("come as events, too", async () => {
    const world = memoryWorld();
    const abort = new AbortController();
    const events = memoryRuntime(world).events(abort.signal)[Symbol.asyncIterator]();
    const first = events.next();
    for (const tell of world.listeners) tell({ kind: "oom", id: "a" as ContainerId });
    expect((await first).value).toEqual({ kind: "oom", id: "a" });
    const second = events.next();
    abort.abort();
    expect((await second).done).toBe(true);
    expect(world.listeners.size).toBe(0);
  });
});

describe("programs", () => {
  it("can be a test's own", async () => {
    const runtime = memoryRuntime(
      memoryWorld({
        ask: async ({ env, write }) => {
          write("stdout", `${env[0]}\n`);
          return 9;
        },
      }),
    );
    const spec = specOf({ args: ["ask"], env: ["A=b"] });
    await runtime.create(spec.id, "");
    await runtime.start(spec);
    expect((await runtime.wait(spec.id)).exitCode).toBe(9);
    await runtime.remove(spec.id);
  });
});
