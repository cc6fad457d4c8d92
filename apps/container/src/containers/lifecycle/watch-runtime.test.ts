import { afterEach, describe, expect, it } from "vitest";
import type { ContainerId } from "../../engine/ids.ts";
import { ADMINISTRATOR, someService } from "../containers-service.testing.ts";
import type { RuntimeEvent } from "../records/runtime.ts";

let service: Awaited<ReturnType<typeof someService>> | undefined;

async function open() {
  service = await someService();
  return service;
}

afterEach(async () => {
  await service?.end();
});

describe("an OOM kill", () => {
  it("is recorded and emitted as an event; unknown containers are ignored", async () => {
    const { containers, registry, context, request, world } = await open();
    const { id } = await containers.create(ADMINISTRATOR, request("hungry", ["sleep", "60"]));
    await containers.start(ADMINISTRATOR, id, {});
    const told: unknown[] = [];
    context.events.emit = ({ action, actor }) => action === "oom" && told.push(actor.id);
    for (const tell of world.listeners) {
      tell({ kind: "oom", id: "unknown" as ContainerId });
      tell({ kind: "oom", id });
    }
    await expect.poll(() => registry.get(id)?.state.oomKilled).toBe(true);
    expect(told).toEqual([id]);
  });

  it("is watched until the service closes", async () => {
    const { close, world } = await open();
    await expect.poll(() => world.listeners.size).toBe(1);
    await close();
    expect(world.listeners.size).toBe(0);
  });
});

describe("an unresponsive container", () => {
  it("shows the reason in State.Error until it answers, and keeps the error of a failed start", async () => {
    const { containers, registry, request, world } = await open();
    const tell = (event: RuntimeEvent) => {
      for (const listener of world.listeners) listener(event);
    };
    const { id } = await containers.create(ADMINISTRATOR, request("stuck", ["sleep", "60"]));
    const error = () => registry.get(id)?.state.error;
    tell({ kind: "unresponsive", id, reason: "its shim does not answer" });
    await expect.poll(error).toBe("its shim does not answer");
    tell({ kind: "responsive", id });
    await expect.poll(error).toBe("");
    await registry.update(id, (before) => ({ ...before, state: { ...before.state, error: "no such program" } }));
    tell({ kind: "unresponsive", id, reason: "its shim does not answer" });
    tell({ kind: "oom", id });
    await expect.poll(() => registry.get(id)?.state.oomKilled).toBe(true);
    expect(error()).toBe("no such program");
  });
});
