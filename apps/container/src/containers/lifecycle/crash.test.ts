import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { MemoryCall } from "../../runtimes/memory/world.ts";
import { commitContainer } from "../archive/commit.ts";
import { ADMINISTRATOR, someService } from "../containers-service.testing.ts";
import { reconcile } from "./reconcile.ts";

type Service = Awaited<ReturnType<typeof someService>>;

let service: Service;
const OPENED: Service[] = [];
async function open(): Promise<Service> {
  service = await someService();
  OPENED.push(service);
  return service;
}

beforeEach(async () => {
  await open();
});

afterEach(async () => {
  // Both services share processes: a service that still watched them would remove a `--rm` container while its folder is deleted.
  const all = OPENED.splice(0);
  for (const one of all) await one.close();
  for (const one of all) await one.end();
});

/** A second service over the same rows, with the world as the first one left it. */
async function next(prepare: (after: Service) => Promise<void> = async () => undefined): Promise<Service> {
  const before = service;
  const after = await open();
  for (const [id, row] of before.rows.rows) after.rows.rows.set(id, row);
  for (const [id, container] of before.world.containers) after.world.containers.set(id, container);
  await prepare(after);
  await reconcile(after.context, await after.registry.load());
  return after;
}

/** Simulates a crash of the service at this call of the runtime: the call never returns. */
function dieAt(died: MemoryCall): Promise<void> {
  return new Promise((resolve) => {
    const { runtime } = service.context;
    const never = new Promise<never>(() => {});
    vi.spyOn(runtime, died as "kill").mockImplementation(() => {
      resolve();
      return never;
    });
  });
}

const VOLUME = { driver: "local", options: {}, labels: {}, owner: undefined } as const;

/** A running container with an anonymous volume. */
async function withVolume() {
  const { containers, registry } = service;
  const request = service.request("web", ["sleep", "9999"]);
  const { id } = await containers.create(ADMINISTRATOR, {
    ...request,
    config: { ...request.config, Volumes: { "/data": {} } },
  });
  const name = registry.get(id)?.mounts[0]?.name ?? "";
  expect(name).not.toBe("");
  await containers.start(ADMINISTRATOR, id);
  const prepare = async (after: Service) => {
    await after.context.volumes.create({ ...VOLUME, name, anonymous: true });
  };
  return { id, name, prepare };
}

function remove(id: string, options: { readonly force: boolean; readonly volumes: boolean }) {
  return void service.containers.remove(ADMINISTRATOR, id, options);
}

describe("a removal that a crash interrupts", () => {
  it.each([true, false])("removes anonymous volumes only if the request asked for it: %s", async (volumes) => {
    const { id, name, prepare } = await withVolume();
    await service.containers.stop(ADMINISTRATOR, id, { timeoutSeconds: 0 });
    const died = dieAt("remove");
    remove(id, { force: false, volumes });
    await died;
    const { registry, context } = await next(prepare);
    expect(registry.get(id)).toBeUndefined();
    expect(context.volumes.find(name, ADMINISTRATOR) === undefined).toBe(volumes);
  });

  it("finishes a forced removal while the process still runs", async () => {
    const { id, name, prepare } = await withVolume();
    const died = dieAt("kill");
    remove(id, { force: true, volumes: true });
    await died;
    const { registry, context, world } = await next(prepare);
    await expect.poll(() => registry.get(id)).toBeUndefined();
    expect(context.volumes.find(name, ADMINISTRATOR)).toBeUndefined();
    expect(world.containers.size).toBe(0);
  });

  it("finishes a forced removal after an unobserved exit", async () => {
    const { id, prepare } = await withVolume();
    const died = dieAt("kill");
    remove(id, { force: true, volumes: true });
    await died;
    const { registry } = await next(async (after) => {
      await prepare(after);
      for (const container of after.world.containers.values()) container.process?.kill(9);
      await Promise.all([...after.world.containers.values()].map(({ exit }) => exit));
    });
    expect(registry.get(id)).toBeUndefined();
  });
});

it.each([{ timeoutSeconds: -1 }, { timeoutSeconds: 300, signal: "SIGUSR1" }])(
  "finishes an interrupted stop with the requested options: %j",
  async (options) => {
    const { containers } = service;
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
    await containers.start(ADMINISTRATOR, id);
    const died = dieAt("kill");
    void containers.stop(ADMINISTRATOR, id, options);
    await died;
    const signals: unknown[] = [];
    const { rows } = await next(async ({ context }) => {
      vi.spyOn(context.runtime, "kill").mockImplementation(async (_, signal) => void signals.push(signal));
    });
    await expect.poll(() => signals).toEqual([options.signal === "SIGUSR1" ? 10 : 15]);
    // A leftover intent would be acted on again after the next crash.
    expect(rows.rows.get(id)?.intent).toEqual({ kind: "stop", ...options });
  },
);

describe("a restart that a crash interrupts", () => {
  const restarting = async (died: MemoryCall) => {
    const { containers } = service;
    const request = service.request("web", ["sleep", "9999"], { AutoRemove: true });
    const { id } = await containers.create(ADMINISTRATOR, request);
    await containers.start(ADMINISTRATOR, id);
    const dead = dieAt(died);
    void containers.restart(ADMINISTRATOR, id, { timeoutSeconds: -1, signal: "SIGUSR1" });
    await dead;
    return id;
  };
  const runs = async ({ registry, context }: Service, id: ContainerId) => {
    await expect.poll(() => registry.get(id)?.state.status).toBe("running");
    expect((await context.runtime.list()).map(({ task }) => task?.status)).toEqual(["running"]);
    await context.locks.hold(id, async () => expect(registry.intentOf(id)).toBeUndefined());
    expect(registry.get(id)?.restartCount).toBe(0);
  };

  it("stops the process with the requested options and starts a new one", async () => {
    const id = await restarting("kill");
    const first = service.world.containers.get(id)?.process;
    const signals: unknown[] = [];
    const after = await next(async ({ context }) => {
      const { kill } = context.runtime;
      vi.spyOn(context.runtime, "kill").mockImplementation((of, signal) => {
        signals.push(signal);
        return kill(of, 9);
      });
    });
    const second = () => after.world.containers.get(id)?.process;
    await expect.poll(() => second() !== undefined && second() !== first).toBe(true);
    await runs(after, id);
    expect(signals).toEqual([10]);
  });

  it("starts a new process when the old one has ended", async () => {
    const id = await restarting("start");
    expect(service.registry.get(id)?.state.status).toBe("exited");
    await runs(await next(), id);
  });

  it("is not retried after it was refused", async () => {
    const { containers, registry, world } = service;
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
    await containers.start(ADMINISTRATOR, id);
    world.fault = (call) => {
      if (call === "kill") throw new Error("no signals");
    };
    await expect(containers.restart(ADMINISTRATOR, id, {})).rejects.toThrow("no signals");
    expect(registry.intentOf(id)).toBeUndefined();
    world.fault = () => undefined;
  });
});

describe("a --rm container", () => {
  it("is removed at boot when only its exit was recorded", async () => {
    const { containers, rows } = service;
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["true"], { AutoRemove: true }));
    rows.fails = ({ state }) => state.status === "removing";
    const { exit } = await containers.wait(ADMINISTRATOR, id, "next-exit");
    await containers.start(ADMINISTRATOR, id);
    await exit;
    await expect.poll(() => service.problems).toHaveLength(1);
    const { registry, world } = await next();
    expect(registry.get(id)).toBeUndefined();
    expect(world.containers.get(id)).toBeUndefined();
  });

  it("is removed at boot when its start failed", async () => {
    const { containers, rows } = service;
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["nope"], { AutoRemove: true }));
    rows.fails = ({ state }) => state.status === "removing";
    await expect(containers.start(ADMINISTRATOR, id)).rejects.toThrow("the disk is full");
    const { registry } = await next();
    expect(registry.get(id)).toBeUndefined();
  });
});

const COMMIT = { repo: "", tag: "", author: "", comment: "", changes: [], pause: true, config: {} };

/** A running container whose commit the service's crash cuts off at this call. */
async function commitUntil(call: MemoryCall): Promise<ContainerId> {
  const { containers, context, registry } = service;
  const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
  await containers.start(ADMINISTRATOR, id);
  const died = dieAt(call);
  void commitContainer(context, ADMINISTRATOR, registry.resolve(ADMINISTRATOR, id), COMMIT).catch(() => undefined);
  await died;
  return id;
}

it.each(["diff", "pause", "resume"] as const)(
  "ends the pause of a commit that a crash cuts off at %s",
  async (call) => {
    const id = await commitUntil(call);
    const after = await next();
    await expect.poll(() => after.registry.intentOf(id)).toBeUndefined();
    expect(after.registry.get(id)?.state.status).toBe("running");
    expect((await after.context.runtime.list()).map(({ task }) => task?.status)).toEqual(["running"]);
  },
);

describe("a container that a commit was about to pause, or had paused, when the service crashed", () => {
  it("is resumed by a later try where the first one fails, and its exit is heard", async () => {
    const id = await commitUntil("diff");
    let failures = 0;
    const { registry, world } = await next(async (after) => {
      after.world.fault = (call) => {
        if (call === "resume" && ++failures < 3) throw new EngineError("unavailable", "its shim does not answer");
      };
    });
    await expect.poll(() => registry.get(id)?.state.status, { timeout: 5_000 }).toBe("running");
    expect(failures).toBe(3);
    world.containers.get(id)?.process?.kill(9);
    await expect.poll(() => registry.get(id)?.state.status).toBe("exited");
  });

  it("is resumed where the pause comes only after the look at its state", async () => {
    const id = await commitUntil("diff");
    const { registry, world } = await next(async ({ context }) => {
      const pid = service.registry.get(id)?.state.pid ?? 0;
      vi.spyOn(context.runtime, "list").mockResolvedValue([{ id, task: { status: "running", pid } }]);
    });
    await expect.poll(() => world.containers.get(id)?.process?.paused).toBe(false);
    expect(registry.get(id)?.state.status).toBe("running");
  });
});

it("starts each container once when exits are heard while others are started at boot", async () => {
  const always = { RestartPolicy: { Name: "always", MaximumRetryCount: 0 } } as const;
  const ids: ContainerId[] = [];
  for (const name of ["slow", "web", "lost"]) {
    const { id } = await service.containers.create(ADMINISTRATOR, service.request(name, ["sleep", "9999"], always));
    await service.containers.start(ADMINISTRATOR, id);
    ids.push(id);
  }
  const [slow, web, lost] = ids;
  // Or it would restart them too.
  await service.close();
  const after = await next(async ({ world, context, registry }) => {
    for (const { process, exit } of world.containers.values()) {
      process?.kill(9);
      await exit;
    }
    const statusOf = (id: string | undefined) => registry.get(id as ContainerId)?.state.status;
    const { wait } = context.runtime;
    let isAgain = false;
    vi.spyOn(context.runtime, "wait").mockImplementation(async (id, signal) => {
      if (id !== lost || isAgain) return wait(id, signal);
      isAgain = true;
      await expect.poll(() => [statusOf(slow), statusOf(web)]).toEqual(["restarting", "restarting"]);
      throw new EngineError("not-found", "no process");
    });
    const { claim } = context.networks;
    vi.spyOn(context.networks, "claim").mockImplementation(async (request) => {
      if (request.containerId === slow) await expect.poll(() => statusOf(web)).toBe("running");
      return claim(request);
    });
  });
  for (const id of ids) {
    const { state } = after.registry.resolve(ADMINISTRATOR, id);
    expect(state).toMatchObject({ status: "running", exitCode: 0, error: "" });
    expect(after.networks.holders).toContain(id);
  }
});

it("ends the pause of a commit whose container was restarted before the pause", async () => {
  const { containers, context, registry } = service;
  const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
  await containers.start(ADMINISTRATOR, id);
  const died = dieAt("diff");
  await context.locks.hold(id, async () => {
    void commitContainer(context, ADMINISTRATOR, registry.resolve(ADMINISTRATOR, id), COMMIT).catch(() => undefined);
    await registry.update(id, (before) => before, "done");
  });
  await died;
  const { registry: after } = await next();
  await expect.poll(() => after.get(id)?.state.status).toBe("running");
});

it("records the end of a lost container whose ports cannot be released, and releases them later", async () => {
  const { containers, world } = service;
  const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
  await containers.start(ADMINISTRATOR, id);
  await service.close();
  world.containers.get(id)?.process?.kill(9);
  let refusals = 0;
  const { registry } = await next(async ({ context, world }) => {
    world.containers.clear();
    const { release } = context.ports;
    vi.spyOn(context.ports, "release").mockImplementation(async (released) => {
      if (++refusals < 2) throw new EngineError("unavailable", "database unavailable");
      return release(released);
    });
  });
  expect(registry.get(id)?.state).toMatchObject({ status: "exited", exitCode: 255 });
  await expect.poll(() => refusals).toBe(2);
});

it("keeps the state of a container whose runtime does not answer", async () => {
  const { containers } = service;
  const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
  await containers.start(ADMINISTRATOR, id);
  const pid = service.registry.get(id)?.state.pid;
  const { registry } = await next(async ({ context }) => {
    vi.spyOn(context.runtime, "list").mockResolvedValue([{ id, task: { status: "unknown" } }]);
  });
  expect(registry.get(id)?.state).toMatchObject({ status: "running", pid });
});

it("starts the service even though a removal cannot be finished", async () => {
  const { containers } = service;
  const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["true"]));
  const died = dieAt("remove");
  void containers.remove(ADMINISTRATOR, id, { force: true, volumes: true });
  await died;
  const { registry } = await next(async ({ context }) => {
    vi.spyOn(context.runtime, "remove").mockImplementation(() => new Promise(() => {}));
  });
  expect(registry.get(id)?.state.status).toBe("removing");
});

it("keeps a process that survived a gentle signal", async () => {
  const { containers, context } = service;
  const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
  await containers.start(ADMINISTRATOR, id);
  vi.spyOn(context.runtime, "kill").mockResolvedValue();
  await containers.kill(ADMINISTRATOR, id, "TERM");
  expect(service.rows.rows.get(id)?.intent).toBeUndefined();
});
