import { afterEach, describe, expect, it } from "vitest";
import type { Networks } from "../networks/networks.ts";

import type { ContainerId } from "./container.ts";
import { administrator, someService } from "./service.testing.ts";

type Service = Awaited<ReturnType<typeof someService>>;

const later = () => {
  let done = () => {};
  const promise = new Promise<void>((resolve) => {
    done = resolve;
  });
  return { promise, done };
};

let service: Service;
const opened: Service[] = [];
const open = async (faults: { readonly networks?: Partial<Networks> } = {}): Promise<Service> => {
  service = await someService(faults);
  opened.push(service);
  return service;
};

afterEach(async () => {
  for (const one of opened.splice(0)) await one.end();
});

/** A claim that says when it was asked for, and is answered when the test lets it. */
const slowClaim = () => {
  const asked = later();
  const go = later();
  let slow = false;
  const claim: Networks["claim"] = async () => {
    if (slow) {
      asked.done();
      await go.promise;
    }
    return { path: "", endpoints: [], nameserver: undefined };
  };
  return {
    asked: asked.promise,
    go: go.done,
    claim,
    begin: () => {
      slow = true;
    },
  };
};

const always = { RestartPolicy: { Name: "always", MaximumRetryCount: 0 } } as const;

/** What goes on with the container is over. */
const settled = (id: ContainerId) => service.context.locks.hold(id, async () => undefined);

const tasks = async () => (await service.context.runtime.list()).filter(({ task }) => task !== undefined);

describe("what a policy starts while somebody ends it", () => {
  const restarting = async () => {
    const slow = slowClaim();
    const { containers, registry } = await open({ networks: { claim: slow.claim } });
    const { id } = await containers.create(administrator, service.request("web", ["sleep", "9999"], always));
    await containers.start(administrator, id);
    slow.begin();
    const exit = await containers.wait(administrator, id, "not-running");
    await service.context.runtime.kill(id, 9);
    await exit.exit;
    // The delay is over and the start is under way.
    await slow.asked;
    expect(registry.get(id)?.state.status).toBe("restarting");
    return { id, containers, registry, go: slow.go };
  };

  it("is down after a stop", async () => {
    const { id, containers, registry, go } = await restarting();
    const stopped = containers.stop(administrator, id, { timeoutSeconds: 0 });
    go();
    expect(await stopped).toBe("changed");
    await settled(id);
    expect(await tasks()).toEqual([]);
    expect(registry.get(id)?.state.status).toBe("exited");
  });

  it("is down after a kill", async () => {
    const { id, containers, registry, go } = await restarting();
    const killed = containers.kill(administrator, id, "KILL");
    go();
    await killed;
    await settled(id);
    expect(await tasks()).toEqual([]);
    expect(registry.get(id)?.state.status).toBe("exited");
  });

  it("is gone after a forced removal", async () => {
    const { id, containers, registry, go } = await restarting();
    const removed = containers.remove(administrator, id, { force: true, volumes: false });
    go();
    await removed;
    expect(registry.get(id)).toBeUndefined();
  });
});

it("removes by force what a start brings up at the same time", async () => {
  const slow = slowClaim();
  const { containers, registry } = await open({ networks: { claim: slow.claim } });
  const { id } = await containers.create(administrator, service.request("web", ["sleep", "9999"]));
  slow.begin();
  const started = containers.start(administrator, id);
  await slow.asked;
  const removed = containers.remove(administrator, id, { force: true, volumes: false });
  slow.go();
  await Promise.all([started, removed]);
  expect(registry.get(id)).toBeUndefined();
  expect(await tasks()).toEqual([]);
});
