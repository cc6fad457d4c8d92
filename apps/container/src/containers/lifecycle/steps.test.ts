import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { FAILURES, type Failure, Steps } from "../../engine/steps.testing.ts";
import { MemoryNetworks } from "../../networks/memory-networks.testing.ts";
import { MemoryPorts } from "../../ports/memory-ports.testing.ts";
import { memoryRuntime } from "../../runtimes/memory/runtime.ts";
import { endWorld, memoryWorld } from "../../runtimes/memory/world.ts";
import { ADMINISTRATOR } from "../containers-service.testing.ts";
import { createContainers } from "../containers-service.ts";
import { memoryContext, Rows } from "../memory-context.testing.ts";
import { someConfig, someHostConfig } from "../records/container.testing.ts";
import { Registry } from "../records/registry.ts";
import { isRunning } from "../records/state.ts";
import { reconcile } from "./reconcile.ts";

const RUNTIME_STEPS = ["create", "start", "kill", "remove"] as const;

/** What outlives a service: the host's part of everything, and the rows. */
function someHost() {
  return { rows: new Rows(), world: memoryWorld(), networks: new MemoryNetworks(), ports: new MemoryPorts() };
}
type HostParts = ReturnType<typeof someHost>;

let folder: string;
let host: HostParts;
const OPENED: { readonly close: () => Promise<void> }[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-steps-"));
  host = someHost();
});
afterEach(async () => {
  for (const service of OPENED.splice(0)) await service.close();
  await endWorld(host.world);
  await rm(folder, { recursive: true });
});

async function openService(steps: Steps) {
  const registry = new Registry(steps.in(host.rows, "rows", ["insert", "save", "delete"]), { rewriteMs: 10 });
  const base = await memoryContext(folder, {
    registry,
    runtime: steps.in(memoryRuntime(host.world), "runtime", RUNTIME_STEPS),
    networks: steps.in(host.networks, "networks", ["claim", "release"]),
    ports: steps.in(host.ports, "ports", ["lease", "publish", "release"]),
  });
  const service = createContainers(base, { ps: async () => [] });
  OPENED.push(service);
  return { ...service, registry };
}
type Service = Awaited<ReturnType<typeof openService>>;

const REQUEST = {
  name: "web",
  platform: undefined,
  config: someConfig({ Cmd: ["sleep", "9999"], ExposedPorts: { "80/tcp": {} } }),
  hostConfig: someHostConfig({
    LogConfig: { Type: "json-file", Config: {} },
    Runtime: "runc",
    CgroupnsMode: "private",
    PortBindings: { "80/tcp": [{ HostIp: "", HostPort: "8080" }] },
  }),
  endpoints: {},
  portSpecs: undefined,
};

interface Operation {
  readonly run: (service: Service) => Promise<unknown>;
  /** The statuses afterwards if it was done, and if it was undone. */
  readonly ends: readonly (string | undefined)[];
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  create: {
    run: ({ containers }) => containers.create(ADMINISTRATOR, REQUEST),
    ends: [undefined, "created"],
  },
};

/** What is not as it has to be: the host's parts fit the record, and the row is what memory has. Empty where all is well. */
function disorder({ registry }: Service, ends: Operation["ends"]): readonly string[] {
  const container = registry.all()[0];
  const status = container?.state.status;
  const row = [...host.rows.rows.values()][0];
  const runs = container !== undefined && isRunning(container.state);
  const id = container?.id ?? ("" as ContainerId);
  const task = host.world.containers.get(id)?.process;
  const wrong = (found: boolean, what: string) => (found ? [what] : []);
  return [
    ...wrong(!ends.includes(status), `status ${status}`),
    ...wrong(row?.container.state.status !== status, `row ${row?.container.state.status}, not ${status}`),
    ...wrong((task !== undefined) !== runs, `process ${task?.pid} of what is ${status}`),
    ...wrong(task?.paused === true, "paused"),
    ...wrong(host.networks.holders.size !== (runs ? 1 : 0), `${host.networks.holders.size} sandboxes`),
    ...wrong(host.ports.published.size !== (runs ? 1 : 0), `${host.ports.published.size} published`),
    ...wrong(host.ports.assignments(id).length > 0 !== runs, `${host.ports.assignments(id).length} leases`),
    ...wrong(host.world.containers.size > (container === undefined ? 0 : 1), "a root file system of nothing"),
    ...wrong(row?.intent !== undefined, `intent ${row?.intent?.kind}`),
  ];
}

async function failing(
  { run, ends }: Operation,
  step: number,
  failure: Failure,
): Promise<{ readonly calls: readonly string[]; readonly service: Service }> {
  const steps = new Steps();
  const service = await openService(steps);
  steps.failAt(step, failure, new EngineError("unavailable", "this step failed"));
  const ended = run(service).then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([ended, steps.crash]);
  const calls = [...steps.calls];
  if (!failure.startsWith("crash") || calls.length <= step) {
    await ended;
    steps.heal();
    await expect.poll(() => disorder(service, ends), { interval: 2 }).toEqual([]);
    return { calls, service };
  }
  const next = await openService(new Steps());
  await reconcile(next.context, await next.registry.load());
  await expect.poll(() => disorder(next, ends), { interval: 2 }).toEqual([]);
  return { calls, service: next };
}

describe.each(Object.entries(OPERATIONS))("a %s that fails at one of its steps", (_, operation) => {
  it.each(FAILURES)("is either done or undone, and can be repeated: %s", async (failure) => {
    for (let step = 0; ; step++) {
      const { calls, service } = await failing(operation, step, failure);
      const at = `step ${step} of ${calls.join(", ")}`;
      if (calls.length <= step) {
        expect(step, at).toBeGreaterThan(0);
        return;
      }
      // What is left can be used and removed as ever.
      if (service.registry.all().length > 0)
        await service.containers.remove(ADMINISTRATOR, "web", { force: true, volumes: true });
      expect(disorder(service, [undefined]), at).toEqual([]);
      await service.containers.create(ADMINISTRATOR, REQUEST);
      await service.containers.start(ADMINISTRATOR, "web");
      expect(disorder(service, ["running"]), at).toEqual([]);
      await OPENED.splice(0).reduce((before, one) => before.then(one.close), Promise.resolve());
      await endWorld(host.world);
      host = someHost();
    }
  });
});
