import { type Constraint, HOST_PRIVILEGES } from "@berth/directory-domain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { user } from "../../engine/user.testing.ts";
import { ADMINISTRATOR, someExec, someService } from "../containers-service.testing.ts";
import type { HostConfig } from "../records/config.ts";

const ALWAYS = { RestartPolicy: { Name: "always", MaximumRetryCount: 0 } } as const;
const GRANT: Constraint = { kind: "privileges", effect: "grant", privileges: [...HOST_PRIVILEGES] };
const TRUSTED = user(1, GRANT);
const ORDINARY = user(1);

let service: Awaited<ReturnType<typeof someService>>;
beforeEach(async () => {
  service = await someService();
});
afterEach(() => service.end());

async function started(actor: Actor, name: string, hostConfig: Partial<HostConfig> = {}): Promise<ContainerId> {
  const { id } = await service.containers.create(actor, service.request(name, ["sleep", "9999"], hostConfig));
  await service.containers.start(actor, id);
  return id;
}

function statusOf(id: ContainerId) {
  return service.registry.get(id)?.state.status;
}

function directory(...actors: readonly Actor[]): void {
  service.asked.answer = (owner) => {
    const found = actors.find(({ id }) => id === owner);
    if (found === undefined) throw new EngineError("forbidden", "the directory has no such user any more");
    return found;
  };
}

describe("enforce", () => {
  it("stops what a withdrawn grant allowed, for good, and nothing else", async () => {
    const privileged = await started(TRUSTED, "privileged", { Privileged: true, ...ALWAYS });
    const plain = await started(TRUSTED, "plain");
    const other = await started(ADMINISTRATOR, "root", { Privileged: true });
    directory(ORDINARY);
    const expected = { id: privileged, name: "privileged", owner: "1", login: "user-1" };
    const reason = expect.stringContaining("privileges privileged is not granted");
    const dry = await service.containers.enforce({ owner: undefined, apply: "dry-run" });
    expect(dry).toEqual([{ ...expected, reason, outcome: "would-stop" }]);
    expect(statusOf(privileged)).toBe("running");
    const done = await service.containers.enforce({ owner: undefined, apply: "stop" });
    expect(done).toEqual([{ ...expected, reason, outcome: "stopped" }]);
    expect([privileged, plain, other].map(statusOf)).toEqual(["exited", "running", "running"]);
    expect(service.registry.get(privileged)?.stoppedByUser).toBe(true);
    expect(await service.containers.enforce({ owner: undefined, apply: "stop" })).toEqual([]);
  });

  it("keeps the oldest containers within a lowered quota", async () => {
    const ids = [];
    for (const name of ["one", "two", "three"]) ids.push(await started(ORDINARY, name));
    directory(user(1, { kind: "quota", effect: "limit", resource: "containers", max: 2 }));
    await service.containers.enforce({ owner: undefined, apply: "stop" });
    expect(ids.map(statusOf)).toEqual(["running", "running", "exited"]);
  });

  it("stops all that a removed or disabled user runs", async () => {
    const id = await started(ORDINARY, "left");
    directory();
    expect(await service.containers.enforce({ owner: undefined, apply: "stop" })).toMatchObject([
      { login: undefined, reason: "the directory has no such user any more", outcome: "stopped" },
    ]);
    expect(statusOf(id)).toBe("exited");
  });

  it("looks at one owner where one is named", async () => {
    const ids = [await started(user(1), "one"), await started(user(2), "two")];
    directory();
    await service.containers.enforce({ owner: "2", apply: "stop" });
    expect(ids.map(statusOf)).toEqual(["running", "exited"]);
  });

  it("stops nothing without an answer of the directory", async () => {
    const id = await started(user(1), "one");
    await expect(service.containers.enforce({ owner: undefined, apply: "stop" })).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("BERTH_DIRECTORY_TOKEN_FILE"),
    });
    service.asked.answer = () => {
      throw new EngineError("unavailable", "no answer");
    };
    await expect(service.containers.enforce({ owner: undefined, apply: "stop" })).rejects.toMatchObject({
      kind: "unavailable",
    });
    expect(statusOf(id)).toBe("running");
  });
});

describe("a restart by policy", () => {
  async function crash(id: ContainerId): Promise<void> {
    const { exit } = await service.containers.wait(ADMINISTRATOR, id, "next-exit");
    await service.context.runtime.kill(id, 9);
    await exit;
  }

  it("is refused, with the reason, once its owner may no longer run the container", async () => {
    const id = await started(TRUSTED, "web", { ...ALWAYS, Privileged: true });
    directory(ORDINARY);
    await crash(id);
    await expect.poll(() => statusOf(id)).toBe("exited");
    expect(service.registry.get(id)?.state.error).toContain("privileges privileged is not granted");
  });

  it("goes on where its owner may", async () => {
    const id = await started(TRUSTED, "web", { ...ALWAYS, Privileged: true });
    directory(TRUSTED);
    await crash(id);
    await expect.poll(() => statusOf(id)).toBe("running");
    expect(service.registry.get(id)?.restartCount).toBe(1);
  });

  it("waits while the directory does not answer", async () => {
    const id = await started(TRUSTED, "web", ALWAYS);
    let asked = 0;
    service.asked.answer = () => {
      asked += 1;
      throw new EngineError("unavailable", "no answer");
    };
    await crash(id);
    await expect.poll(() => asked).toBe(1);
    expect(statusOf(id)).toBe("restarting");
    await service.containers.stop(ADMINISTRATOR, id, {});
    expect(statusOf(id)).toBe("exited");
  });
});

it("leaves the container running when its user's restart is refused", async () => {
  const id = await started(TRUSTED, "web", { Privileged: true });
  await expect(service.containers.restart(ORDINARY, id, {})).rejects.toThrow("denied by policy");
  expect(statusOf(id)).toBe("running");
});

it("lets nobody attach to a container whose privileges it lost", async () => {
  const { containers } = service;
  const id = await started(TRUSTED, "web", { Privileged: true });
  const exec = await containers.createExec(TRUSTED, id, someExec("true"));
  const options = { stdin: false, stdout: true, stderr: true, logs: false, stream: true };
  (await containers.attach(TRUSTED, id, options)).close();
  containers.assertMayAttach(TRUSTED, id);
  containers.assertMayExec(TRUSTED, exec);
  await expect(containers.attach(ORDINARY, id, options)).rejects.toThrow("denied by policy");
  expect(() => containers.assertMayAttach(ORDINARY, id)).toThrow("denied by policy");
  expect(() => containers.assertMayExec(ORDINARY, exec)).toThrow("denied by policy");
});
