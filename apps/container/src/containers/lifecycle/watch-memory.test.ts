import { afterEach, describe, expect, it } from "vitest";
import type { ContainerId } from "../../engine/ids.ts";
import { ADMINISTRATOR, someService } from "../containers-service.testing.ts";

let service: Awaited<ReturnType<typeof someService>> | undefined;

async function open() {
  service = await someService();
  return service;
}

afterEach(async () => {
  await service?.end();
});

describe("a kill for memory", () => {
  it("is written down and told, whatever is told of others", async () => {
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

  it("is watched for until the service is closed", async () => {
    const { close, world } = await open();
    await expect.poll(() => world.listeners.size).toBe(1);
    await close();
    expect(world.listeners.size).toBe(0);
  });
});
