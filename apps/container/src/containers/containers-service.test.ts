import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import { type Random, SYSTEM_RANDOM } from "../engine/random.ts";
import { AmbiguousNetworkId, type Endpoint, type Network, type Networks } from "../networks/networks.ts";
import { ADMINISTRATOR, someExec, someService } from "./containers-service.testing.ts";

type Service = Awaited<ReturnType<typeof someService>>;

function later() {
  let done = () => {};
  const promise = new Promise<void>((resolve) => {
    done = resolve;
  });
  return { promise, done };
}

let service: Service;
const OPENED: Service[] = [];
async function open(
  faults: { readonly networks?: Partial<Networks>; readonly random?: Random } = {},
): Promise<Service> {
  service = await someService(faults);
  OPENED.push(service);
  return service;
}

afterEach(async () => {
  for (const one of OPENED.splice(0)) await one.end();
});

/** A claim that signals when it is requested and resolves when the test releases it. */
function slowClaim() {
  const asked = later();
  const go = later();
  let slow = false;
  const claim: Networks["claim"] = async () => {
    if (slow) {
      asked.done();
      await go.promise;
    }
    return { path: "", endpoints: [], nameserver: undefined, sysctls: {} };
  };
  return {
    asked: asked.promise,
    go: go.done,
    claim,
    begin: () => {
      slow = true;
    },
  };
}

const VOLUME = { anonymous: false, owner: undefined, driver: "local", options: {}, labels: {} } as const;
const ALWAYS = { RestartPolicy: { Name: "always", MaximumRetryCount: 0 } } as const;

/** Settles when no work on the container is in progress. */
function settled(id: ContainerId) {
  return service.context.locks.hold(id, async () => undefined);
}

async function tasks() {
  return (await service.context.runtime.list()).filter(({ task }) => task !== undefined);
}

describe("a restart by policy with a concurrent request to end it", () => {
  const restarting = async () => {
    const slow = slowClaim();
    const { containers, registry } = await open({ networks: { claim: slow.claim } });
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"], ALWAYS));
    await containers.start(ADMINISTRATOR, id);
    slow.begin();
    const exit = await containers.wait(ADMINISTRATOR, id, "not-running");
    await service.context.runtime.kill(id, 9);
    await exit.exit;
    // The delay is over and the start is in progress.
    await slow.asked;
    expect(registry.get(id)?.state.status).toBe("restarting");
    return { id, containers, registry, go: slow.go };
  };

  it("is stopped by a stop", async () => {
    const { id, containers, registry, go } = await restarting();
    const stopped = containers.stop(ADMINISTRATOR, id, { timeoutSeconds: 0 });
    go();
    expect(await stopped).toBe("changed");
    await settled(id);
    expect(await tasks()).toEqual([]);
    expect(registry.get(id)?.state.status).toBe("exited");
  });

  it("is stopped by a kill", async () => {
    const { id, containers, registry, go } = await restarting();
    const killed = containers.kill(ADMINISTRATOR, id, "KILL");
    go();
    await killed;
    await settled(id);
    expect(await tasks()).toEqual([]);
    expect(registry.get(id)?.state.status).toBe("exited");
  });

  it("is removed by a forced removal", async () => {
    const { id, containers, registry, go } = await restarting();
    const removed = containers.remove(ADMINISTRATOR, id, { force: true, volumes: false });
    go();
    await removed;
    expect(registry.get(id)).toBeUndefined();
  });
});

it("force-removes a container with a concurrent start", async () => {
  const slow = slowClaim();
  const { containers, registry } = await open({ networks: { claim: slow.claim } });
  const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
  slow.begin();
  const started = containers.start(ADMINISTRATOR, id);
  await slow.asked;
  const removed = containers.remove(ADMINISTRATOR, id, { force: true, volumes: false });
  slow.go();
  await Promise.all([started, removed]);
  expect(registry.get(id)).toBeUndefined();
  expect(await tasks()).toEqual([]);
});

describe("waiters for a process", () => {
  it("reports a start that happens before the output is first read", async () => {
    const { containers } = await open();
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["echo", "hello"]));
    const { output } = await containers.attach(ADMINISTRATOR, id, {
      stdin: false,
      stdout: true,
      stderr: true,
      logs: false,
      stream: true,
    });
    const { exit } = await containers.wait(ADMINISTRATOR, id, "next-exit");
    await containers.start(ADMINISTRATOR, id);
    await exit;
    const heard: string[] = [];
    for await (const chunks of output) heard.push(...chunks.map(({ data }) => data.toString()));
    expect(heard.join("")).toBe("hello\n");
  });

  it("survives an exec whose end cannot be recorded", async () => {
    const { containers, context, problems } = await open();
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
    await containers.start(ADMINISTRATOR, id);
    const lost = new Error("the runtime is closed");
    vi.spyOn(context.runtime, "exec").mockResolvedValue({
      pid: 7,
      stdin: undefined,
      output: (async function* () {})(),
      resize: async () => undefined,
      exit: Promise.reject(lost),
      kill: async () => undefined,
      detach: () => undefined,
    });
    const execId = await containers.createExec(ADMINISTRATOR, id, someExec("true"));
    const { begin } = await containers.startExec(ADMINISTRATOR, execId, { detach: true, tty: false });
    await begin();
    await expect.poll(() => problems).toContainEqual(["failed to record the end of an exec", expect.anything()]);
  });

  it("survives a restart that cannot be persisted", async () => {
    const { containers, context, rows, problems } = await open();
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"], ALWAYS));
    await containers.start(ADMINISTRATOR, id);
    const { exit } = await containers.wait(ADMINISTRATOR, id, "next-exit");
    await context.runtime.kill(id, 9);
    await exit;
    rows.fails = () => true;
    await expect.poll(() => problems).toContainEqual(["failed to restart container", expect.anything()]);
  });
});

it("is removed by force when its process ends at that moment, although its policy restarts it at once", async () => {
  const { containers, context, registry } = await open();
  const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"], ALWAYS));
  await containers.start(ADMINISTRATOR, id);
  let restart: (() => void) | undefined;
  vi.spyOn(context.supervisor, "later").mockImplementation((_id, _delayMs, work) => {
    restart = work;
  });
  const update = context.registry.update.bind(context.registry);
  vi.spyOn(context.registry, "update").mockImplementationOnce(async (...args) => {
    await context.runtime.kill(id, 9);
    await delay(20);
    const after = await update(...args);
    restart?.();
    return after;
  });
  await containers.remove(ADMINISTRATOR, id, { force: true, volumes: false });
  expect(registry.get(id)).toBeUndefined();
});

describe("a container under construction", () => {
  it("is removed by name once it is complete", async () => {
    const { containers, context, registry, world } = await open();
    const [asked, go] = [later(), later()];
    const { create } = context.runtime;
    vi.spyOn(context.runtime, "create").mockImplementation(async (...args) => {
      asked.done();
      await go.promise;
      await create(...args);
    });
    const made = containers.create(ADMINISTRATOR, service.request("web", ["true"]));
    await asked.promise;
    const removed = containers.remove(ADMINISTRATOR, "web", { force: false, volumes: false });
    go.done();
    await Promise.all([made, removed]);
    expect(registry.all()).toEqual([]);
    expect(world.containers.size).toBe(0);
  });
});

it("lists a container whose files cannot be measured, with -1 for their size", async () => {
  const { containers, world, problems } = await open();
  await containers.create(ADMINISTRATOR, service.request("deep", ["true"]));
  world.fault = (call) => {
    if (call === "usage") throw new Error("too deep");
  };
  const listed = await containers.list(ADMINISTRATOR, {
    all: true,
    limit: undefined,
    size: true,
    filters: new Map(),
  });
  expect(listed.map(({ size }) => size)).toEqual([{ writable: -1, total: 0 }]);
  expect(problems).toContainEqual(["failed to measure container size", expect.anything()]);
});

describe("a --rm container", () => {
  const once = { AutoRemove: true };

  it("is removed when its restart fails", async () => {
    const { containers, registry, world } = await open();
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"], once));
    await containers.start(ADMINISTRATOR, id);
    world.fault = (call) => {
      if (call === "start") throw new Error("no memory");
    };
    await expect(containers.restart(ADMINISTRATOR, id, { timeoutSeconds: 0 })).rejects.toThrow("no memory");
    expect(registry.get(id)).toBeUndefined();
    expect(world.containers.size).toBe(0);
  });

  it("keeps running when its restart succeeds", async () => {
    const { containers, registry } = await open();
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"], once));
    await containers.start(ADMINISTRATOR, id);
    await containers.restart(ADMINISTRATOR, id, { timeoutSeconds: 0 });
    expect(registry.get(id)?.state.status).toBe("running");
  });
});

it("reports the volume that keeps a container from starting", async () => {
  const { containers, context, registry, networks } = await open();
  await context.volumes.create({ ...VOLUME, name: "data" });
  const binds = { Binds: ["data:/data"] };
  const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"], binds));
  vi.spyOn(context.volumes, "ready").mockRejectedValue(new Error("mount nfs:/data: no route"));
  await expect(containers.start(ADMINISTRATOR, id)).rejects.toThrow("no route");
  expect(registry.get(id)?.state).toMatchObject({ status: "created", error: "mount nfs:/data: no route" });
  expect([...networks.holders]).toEqual([]);
});

describe("a start that fails late", () => {
  it("leaves no process when the row cannot be written, and can be retried", async () => {
    const { containers, rows, networks } = await open();
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
    rows.fails = ({ state }) => state.status === "running";
    await expect(containers.start(ADMINISTRATOR, id)).rejects.toThrow("the disk is full");
    expect(await tasks()).toEqual([]);
    expect([...networks.holders]).toEqual([]);
    rows.fails = () => false;
    expect((await containers.start(ADMINISTRATOR, id)).changed).toBe("changed");
  });

  it("reports the cause when the process has already ended", async () => {
    const ipv6 = { address: "", prefixLength: 0, gateway: "" };
    const endpoint = { networkId: "n", networkName: "bridge", address: "172.17.0.2", ipv6 } as Endpoint;
    const { containers, context } = await open({
      networks: {
        claim: async () => ({ path: "", endpoints: [endpoint], nameserver: undefined, sysctls: {} }),
        get: () => ({ internal: false }) as Network,
      },
    });
    vi.spyOn(context.ports, "publish").mockRejectedValue(new Error("no nftables"));
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["true"]));
    await expect(containers.start(ADMINISTRATOR, id)).rejects.toThrow("no nftables");
  });
});

it.each([
  ["nobody has", new EngineError("not-found", "network front not found")],
  ["several ids start with", new AmbiguousNetworkId("front", 2)],
])("creates with a network's name that %s, which a start looks up", async (_, fault) => {
  const get = () => {
    throw fault;
  };
  const { containers, registry } = await open({ networks: { get } });
  const request = { ...service.request("web", ["true"]), endpoints: { front: {} } };
  const { id } = await containers.create(ADMINISTRATOR, request);
  expect(Object.keys(registry.get(id)?.endpoints ?? {})).toContain("front");
});

it("renames both ends of links", async () => {
  const { containers, registry } = await open();
  const create = (name: string, links: readonly string[]) =>
    containers.create(ADMINISTRATOR, service.request(name, ["sleep", "9999"], { NetworkMode: "bridge", Links: links }));
  const db = await create("db", []);
  const app = await create("app", ["db:store"]);
  const linksOf = () => registry.get(app.id)?.hostConfig.Links;
  expect(linksOf()).toEqual(["/db:/app/store"]);
  await containers.rename(ADMINISTRATOR, app.id, "web");
  expect(linksOf()).toEqual(["/db:/web/store"]);
  await containers.rename(ADMINISTRATOR, db.id, "base");
  expect(linksOf()).toEqual(["/base:/web/store"]);
  await create("db", []);
  expect(linksOf()).toEqual(["/base:/web/store"]);
});

it("renames the resources that a concurrent start acquired under the old name", async () => {
  const slow = slowClaim();
  const told: string[] = [];
  const claim: Networks["claim"] = async (request) => {
    const sandbox = await slow.claim(request);
    told.push(request.containerName);
    return sandbox;
  };
  const { containers } = await open({ networks: { claim, rename: (_, name) => void told.push(name) } });
  const { id } = await containers.create(ADMINISTRATOR, service.request("old", ["sleep", "9999"]));
  slow.begin();
  const started = containers.start(ADMINISTRATOR, id);
  await slow.asked;
  const renamed = containers.rename(ADMINISTRATOR, id, "fresh");
  // Advances as far as it can while the start is in progress.
  await new Promise((resolve) => setImmediate(resolve));
  slow.go();
  await Promise.all([started, renamed]);
  expect(told).toEqual(["old", "fresh"]);
});

it.each(["-eo etimes=PID,args", "-o ppid=PID", "-eo pid,etimes=PID", "-eo pid=PIDS"])(
  "tells no other column for the process's number: %s",
  async (psArgs) => {
    const { containers } = await open();
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
    await containers.start(ADMINISTRATOR, id);
    await expect(containers.top(ADMINISTRATOR, id, psArgs)).rejects.toThrow("is not allowed");
  },
);

it("reports an exit whose ports and networks cannot be released", async () => {
  let fails = false;
  const release = async () => {
    if (fails) throw new Error("no netlink");
  };
  const { containers, registry } = await open({ networks: { release } });
  const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
  await containers.start(ADMINISTRATOR, id);
  fails = true;
  expect(await containers.stop(ADMINISTRATOR, id, { timeoutSeconds: 0 })).toBe("changed");
  expect(registry.get(id)?.state.status).toBe("exited");
  expect(service.problems).toHaveLength(1);
});

it("names the container that a kill does not find, as dockerd does", async () => {
  await expect(service.containers.kill(ADMINISTRATOR, "nope", "")).rejects.toThrow(
    "cannot kill container: nope: No such container: nope",
  );
});

it("invents another name for an unnamed container that loses its name to a concurrent create", async () => {
  const { containers, registry } = await open({ random: { ...SYSTEM_RANDOM, below: () => 0 } });
  const unnamed = { ...service.request("x", ["true"]), name: undefined };
  await Promise.all([containers.create(ADMINISTRATOR, unnamed), containers.create(ADMINISTRATOR, unnamed)]);
  const names = registry.all().map(({ name }) => name);
  expect(new Set(names).size).toBe(2);
});

it.each(["stop", "kill"] as const)("a %s that meets an exit keeps the policy from a restart", async (how) => {
  const [releasing, go] = [later(), later()];
  let runs = false;
  const release = async () => {
    if (!runs) return;
    releasing.done();
    await go.promise;
  };
  const { containers, context, request } = await open({ networks: { release } });
  const policy = { RestartPolicy: { Name: "always", MaximumRetryCount: 0 } } as const;
  const { id } = await containers.create(ADMINISTRATOR, request("web", ["sleep", "9999"], policy));
  await containers.start(ADMINISTRATOR, id);
  runs = true;
  await context.runtime.kill(id, 9);
  await releasing.promise;
  const stopping =
    how === "stop" ? containers.stop(ADMINISTRATOR, id, {}) : containers.kill(ADMINISTRATOR, id, "SIGKILL");
  go.done();
  await stopping;
  expect((await containers.get(ADMINISTRATOR, id)).container.state.status).toBe("exited");
});
