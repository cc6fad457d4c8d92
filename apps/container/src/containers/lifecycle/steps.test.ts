import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EngineError } from "../../engine/errors.ts";
import { FAILURES, type Failure, Steps } from "../../engine/steps.testing.ts";
import { ADMINISTRATOR, someExec } from "../containers-service.testing.ts";
import { someConfig, someHostConfig } from "../records/container.testing.ts";
import { StepwiseHost, type StepwiseService } from "../stepwise.testing.ts";
import { reconcile } from "./reconcile.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const REQUEST = {
  name: "web",
  platform: undefined,
  config: someConfig({ Cmd: ["sleep", "9999"], ExposedPorts: { "80/tcp": {} }, Volumes: { "/data": {} } }),
  hostConfig: someHostConfig({
    LogConfig: { Type: "json-file", Config: {} },
    Runtime: "runc",
    CgroupnsMode: "private",
    PortBindings: { "80/tcp": [{ HostIp: "", HostPort: "8080" }] },
  }),
  endpoints: {},
  portSpecs: undefined,
};

const NETWORK = {
  name: "other",
  driver: "bridge",
  checkDuplicate: true,
  internal: false,
  attachable: false,
  enableIPv4: true,
  enableIPv6: false,
  ipam: { driver: "default", config: [], options: {} },
  options: {},
  labels: {},
};

async function runExec({ containers }: StepwiseService): Promise<void> {
  const execId = await containers.createExec(ADMINISTRATOR, "web", someExec("sh", "-c", "exit 7"));
  const { begin } = await containers.startExec(ADMINISTRATOR, execId, { detach: false, tty: false });
  await (await begin()).exit;
}

const COMMIT = { repo: "", tag: "", author: "", comment: "", changes: [], pause: true, config: {} };
const COPY = { keepKinds: false, copyOwners: false };
const GONE = { force: true, volumes: true };

function create({ containers }: StepwiseService) {
  return containers.create(ADMINISTRATOR, REQUEST);
}
function start({ containers }: StepwiseService) {
  return containers.start(ADMINISTRATOR, "web");
}
function connect({ members }: StepwiseService) {
  return members.connect(ADMINISTRATOR, "other", "web", {});
}

interface Operation {
  /** What comes before it. */
  readonly after: readonly ((service: StepwiseService) => Promise<unknown>)[];
  readonly run: (service: StepwiseService) => Promise<unknown>;
  /** The statuses that the container may have then, whether it was done or undone; undefined stands for no container. */
  readonly ends: readonly (string | undefined)[];
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  create: { after: [], run: create, ends: [undefined, "created"] },
  start: { after: [create], run: start, ends: ["created", "running"] },
  stop: {
    after: [create, start],
    run: ({ containers }) => containers.stop(ADMINISTRATOR, "web", {}),
    ends: ["running", "exited"],
  },
  kill: {
    after: [create, start],
    run: ({ containers }) => containers.kill(ADMINISTRATOR, "web", "KILL"),
    ends: ["running", "exited"],
  },
  restart: {
    after: [create, start],
    run: ({ containers }) => containers.restart(ADMINISTRATOR, "web", {}),
    // As in Docker, one that could not start again is stopped.
    ends: ["running", "exited"],
  },
  pause: {
    after: [create, start],
    run: ({ containers }) => containers.pause(ADMINISTRATOR, "web"),
    ends: ["running", "paused"],
  },
  resumption: {
    after: [create, start, ({ containers }) => containers.pause(ADMINISTRATOR, "web")],
    run: ({ containers }) => containers.unpause(ADMINISTRATOR, "web"),
    ends: ["running", "paused"],
  },
  removal: {
    after: [create],
    run: ({ containers }) => containers.remove(ADMINISTRATOR, "web", { force: false, volumes: true }),
    ends: ["created", undefined],
  },
  "forced removal": {
    after: [create, start],
    run: ({ containers }) => containers.remove(ADMINISTRATOR, "web", GONE),
    // What was killed and then could not be removed is stopped.
    ends: ["running", "exited", undefined],
  },
  exec: { after: [create, start], run: runExec, ends: ["running"] },
  commit: {
    after: [create, start],
    run: ({ archives }) => archives.commit(ADMINISTRATOR, "web", COMMIT),
    ends: ["running"],
  },
  "copy into a stopped container": {
    after: [create],
    run: ({ archives }) => archives.write(ADMINISTRATOR, "web", "/tmp", Readable.from([]), COPY),
    ends: ["created"],
  },
  "copy into a running container": {
    after: [create, start],
    run: ({ archives }) => archives.write(ADMINISTRATOR, "web", "/tmp", Readable.from([]), COPY),
    ends: ["running"],
  },
  connect: { after: [create, start], run: connect, ends: ["running"] },
  disconnect: {
    after: [create, start, connect],
    run: ({ members }) => members.disconnect(ADMINISTRATOR, "bridge", "web", { force: false }),
    ends: ["running"],
  },
};

/** Runs the operation on a host of its own, with that failure at that step, and puts right what is left to the service. */
async function failing({ after, run, ends }: Operation, step: number, failure: Failure) {
  const host = new StepwiseHost();
  const steps = new Steps();
  const first = await host.open(steps);
  await host.networks.create(NETWORK, { viewer: ADMINISTRATOR, authorize: () => undefined });
  for (const earlier of after) await earlier(first);
  steps.failAt(step, failure, new EngineError("unavailable", "this step failed"));
  let succeeded = false;
  const ended = run(first).then(
    () => {
      succeeded = true;
    },
    () => undefined,
  );
  await Promise.race([ended, steps.crash]);
  const calls = [...steps.calls];
  const isCrash = failure.startsWith("crash") && calls.length > step;
  if (!isCrash) await host.soon(ended);
  steps.heal();
  const service = isCrash ? await host.open(new Steps()) : first;
  if (isCrash) await reconcile(service.context, await service.registry.load());
  const wrong = await host.disorderSoon(service, ends);
  return { calls, host, service, wrong, succeeded };
}

describe.each(Object.entries(OPERATIONS))("a %s that fails at one of its steps", (name, operation) => {
  it.each(FAILURES)("is either done or undone, and can be repeated: %s", async (failure) => {
    for (let step = 0; ; step++) {
      const { calls, host, service, wrong, succeeded } = await failing(operation, step, failure);
      const at = `${name}, ${failure} step ${step} of ${calls.join(", ")}`;
      expect(wrong, at).toEqual([]);
      if (calls.length <= step) {
        expect([step > 0, succeeded], at).toEqual([true, true]);
        await host.end();
        return;
      }
      // An acknowledged copy is there.
      if (succeeded && name.startsWith("copy")) expect([...host.copied], at).toEqual(["/tmp"]);
      // What is left can be used and removed as ever.
      if (service.registry.all().length > 0) await service.containers.remove(ADMINISTRATOR, "web", GONE);
      expect(await host.disorderSoon(service, [undefined]), at).toEqual([]);
      await create(service);
      await start(service);
      expect(await host.disorderSoon(service, ["running"]), at).toEqual([]);
      await host.end();
    }
  });
});
