import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Constraint } from "@berth/directory-domain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { user } from "../../engine/user.testing.ts";
import { ADMINISTRATOR, someService } from "../containers-service.testing.ts";
import { guardStorage } from "./storage-guard.ts";

const MIB = 2 ** 20;
const QUOTA: Constraint = { kind: "quota", effect: "limit", resource: "storage", max: MIB };
const ANN = user(1, QUOTA);
const BOB = user(2, QUOTA);

let service: Awaited<ReturnType<typeof someService>>;
beforeEach(async () => {
  service = await someService();
  service.asked.answer = (owner) => [ANN, BOB].find(({ id }) => id === owner);
});
afterEach(() => service.end());

async function started(actor: typeof ANN, name: string): Promise<ContainerId> {
  const { id } = await service.containers.create(actor, service.request(name, ["sleep", "9999"]));
  await service.containers.start(actor, id);
  return id;
}

function write(id: ContainerId, bytes: number) {
  return service.context.runtime.withRootfs(id, (root) => appendFile(join(root, "data"), Buffer.alloc(bytes, 1)));
}

async function round(): Promise<void> {
  const { storage, context, containers } = service;
  await guardStorage({ ...context, storage, stop: (id) => containers.stop(ADMINISTRATOR, id, { timeoutSeconds: 0 }) });
}

function statusOf(id: ContainerId) {
  return service.registry.get(id)?.state.status;
}

describe("an owner over its quota on storage", () => {
  it("creates and starts nothing, with the use and the limit in the refusal, until it removes something", async () => {
    const { containers } = service;
    const full = await started(ANN, "full");
    const { id } = await containers.create(ANN, service.request("idle", ["sleep", "9999"]));
    await write(full, 2 * MIB);
    await round();
    const refusal = /quota storage: 2(\.\d+)? MiB in use is over the quota set by constraint 1 .*at most 1 MiB in all/;
    for (const refused of [
      containers.create(ANN, service.request("more", ["true"])),
      containers.start(ANN, id),
      containers.restart(ANN, id, {}),
    ])
      await expect(refused).rejects.toMatchObject({ kind: "forbidden", message: expect.stringMatching(refusal) });
    await started(BOB, "other");
    await containers.remove(ANN, full, { force: true, volumes: false });
    expect((await containers.start(ANN, id)).changed).toBe("changed");
  });

  it("has those containers stopped for good that go on writing, and no other", async () => {
    const [writer, idle, other] = [
      await started(ANN, "writer"),
      await started(ANN, "idle"),
      await started(BOB, "other"),
    ];
    await round();
    await write(writer, 2 * MIB);
    await write(other, MIB / 2);
    await round();
    expect([writer, idle, other].map(statusOf)).toEqual(["exited", "running", "running"]);
    expect(service.registry.get(writer)?.stoppedByUser).toBe(true);
    await round();
    expect(statusOf(idle)).toBe("running");
  });

  it("keeps its containers while the directory does not answer", async () => {
    const id = await started(ANN, "writer");
    await round();
    await write(id, 2 * MIB);
    service.asked.answer = () => {
      throw new EngineError("unavailable", "no answer");
    };
    await round();
    expect(statusOf(id)).toBe("running");
  });
});

it("refuses users' creates and stops users' writers while the disk is down to its reserve", async () => {
  const { containers, disk } = service;
  const id = await started(user(3), "writer");
  const { id: own } = await containers.create(ADMINISTRATOR, service.request("root", ["sleep", "9999"]));
  await round();
  await write(id, 4096);
  disk.assertRoom = async () => {
    throw new EngineError("full", "no space left");
  };
  await expect(containers.create(user(3), service.request("more", ["true"]))).rejects.toMatchObject({ kind: "full" });
  await round();
  expect(statusOf(id)).toBe("exited");
  expect((await containers.start(ADMINISTRATOR, own)).changed).toBe("changed");
});

it("counts what cannot be measured as more than any quota", async () => {
  const id = await started(ANN, "deep");
  const { runtime } = service.context;
  const { diskUsage } = runtime;
  runtime.diskUsage = async () => {
    throw new EngineError("failed", "too deep");
  };
  await round();
  expect(statusOf(id)).toBe("exited");
  runtime.diskUsage = diskUsage;
  await writeFile(join(service.folder, "x"), "");
});
