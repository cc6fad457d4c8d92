import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EngineError } from "../../engine/errors.ts";
import { commitContainer } from "../archive/commit.ts";
import { ADMINISTRATOR, someService } from "../containers-service.testing.ts";
import { reconcile } from "./reconcile.ts";

type Service = Awaited<ReturnType<typeof someService>>;

let service: Service;
const OPENED: Service[] = [];
async function open(): Promise<Service> {
  const opened = await someService();
  OPENED.push(opened);
  return opened;
}
beforeEach(async () => {
  service = await open();
});
afterEach(async () => {
  for (const one of OPENED) one.rows.fails = () => false;
  // Both services share processes: each has to stop watching before one ends them.
  const all = OPENED.splice(0);
  for (const one of all) await one.close();
  for (const one of all) await one.end();
});

describe("while no row can be written", () => {
  const full = () => {
    service.rows.fails = () => true;
  };

  it("stops a container, shows it as stopped, and writes the row when that is possible again", async () => {
    const { containers, registry, rows } = service;
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
    await containers.start(ADMINISTRATOR, id);
    full();
    expect(await containers.stop(ADMINISTRATOR, id, { timeoutSeconds: 0 })).toBe("changed");
    expect(registry.get(id)?.state).toMatchObject({ status: "exited", exitCode: 137 });
    expect(rows.rows.get(id)?.container.state.status).toBe("running");
    rows.fails = () => false;
    await expect.poll(() => rows.rows.get(id)?.container.state).toMatchObject({ status: "exited", exitCode: 137 });
    expect(rows.rows.get(id)?.intent).toBeUndefined();
  });

  it("adopts what runs, and hears its exit", async () => {
    const { containers } = service;
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
    await containers.start(ADMINISTRATOR, id);
    const { registry, world, context, rows } = await open();
    for (const [id, row] of service.rows.rows) rows.rows.set(id, row);
    for (const [id, container] of service.world.containers) world.containers.set(id, container);
    rows.fails = () => true;
    await reconcile(context, await registry.load());
    expect(registry.get(id)?.state.status).toBe("running");
    world.containers.get(id)?.process?.kill(9);
    await expect.poll(() => registry.get(id)?.state).toMatchObject({ status: "exited", exitCode: 137 });
  });

  it("restarts a container by its policy when rows can be written again", async () => {
    const { containers, registry, rows, world } = service;
    const always = { RestartPolicy: { Name: "always", MaximumRetryCount: 0 } } as const;
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"], always));
    await containers.start(ADMINISTRATOR, id);
    rows.outage = new EngineError("full", "no space left");
    full();
    world.containers.get(id)?.process?.kill(9);
    await expect.poll(() => service.problems.length).toBeGreaterThan(0);
    rows.fails = () => false;
    await expect.poll(() => registry.get(id)?.state).toMatchObject({ status: "running" });
    await expect.poll(() => rows.rows.get(id)?.container.restartCount).toBe(1);
  });
});

describe("while the runtime is away after it paused a container", () => {
  const COMMIT = { repo: "", tag: "", author: "", comment: "", changes: [], pause: true, config: {} };

  it.each(["pause", "commit"] as const)(
    "a %s that failed leaves the container running once it is back",
    async (how) => {
      const { containers, context, registry, world } = service;
      const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
      await containers.start(ADMINISTRATOR, id);
      const isFrozen = () => world.containers.get(id)?.process?.paused;
      let isAway = true;
      world.fault = (call) => {
        const process = world.containers.get(id)?.process;
        if (call === "pause" && process !== undefined) process.paused = true;
        if (isAway && ["pause", "resume"].includes(call)) throw new EngineError("unavailable", "containerd is away");
      };
      const asked =
        how === "pause"
          ? containers.pause(ADMINISTRATOR, id)
          : commitContainer(context, ADMINISTRATOR, registry.resolve(ADMINISTRATOR, id), COMMIT);
      await expect(asked).rejects.toThrow("containerd is away");
      expect([isFrozen(), registry.get(id)?.state.status]).toEqual([true, "running"]);
      isAway = false;
      await expect.poll(isFrozen, { timeout: 5_000 }).toBe(false);
      await expect.poll(() => registry.intentOf(id)).toBeUndefined();
      expect(registry.get(id)?.state.status).toBe("running");
    },
  );
});
