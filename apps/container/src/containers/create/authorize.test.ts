import { mkdir, mkdtemp, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Constraint } from "@berth/directory-domain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { user } from "../../engine/user.testing.ts";
import { decidedBuild } from "../../policy/builds.ts";
import { ADMINISTRATOR, someService } from "../containers-service.testing.ts";

const ALWAYS = { RestartPolicy: { Name: "always", MaximumRetryCount: 0 } } as const;

let service: Awaited<ReturnType<typeof someService>>;
let folder: string;

beforeEach(async () => {
  service = await someService();
  folder = await mkdtemp(join(tmpdir(), "berth-authorize-"));
  await mkdir(join(folder, "own/data"), { recursive: true });
  await mkdir(join(folder, "secret"));
});

afterEach(async () => {
  await service.end();
  await rm(folder, { recursive: true });
});

describe("a user's bind", () => {
  const grant = (): Constraint => ({
    kind: "mounts",
    effect: "grant",
    folders: [{ path: join(folder, "own"), readOnly: false }],
  });

  const replaceByLink = async () => {
    await rm(join(folder, "own/data"), { recursive: true });
    await symlink(join(folder, "secret"), join(folder, "own/data"));
  };

  it("does not let a restart policy follow a link that was created after the bind was allowed", async () => {
    const ann = user(1, grant());
    const { containers, registry, context } = service;
    const binds = { ...ALWAYS, Binds: [`${join(folder, "own/data")}:/data`] };
    const { id } = await containers.create(ann, service.request("web", ["sleep", "9999"], binds));
    await containers.start(ann, id);
    await replaceByLink();
    const { exit } = await containers.wait(ann, id, "next-exit");
    await context.runtime.kill(id, 9);
    await exit;
    await expect.poll(() => registry.get(id)?.state.status).toBe("exited");
    expect(registry.get(id)?.state.error).toContain("denied by policy");
    await expect(containers.start(ann, id)).rejects.toThrow("denied by policy");
  });

  it("decides on a missing source by its existing parent directories", async () => {
    const ann = user(1, grant());
    await symlink(join(folder, "secret"), join(folder, "own/link"));
    const binds = { Binds: [`${join(folder, "own/link/new")}:/data`] };
    await expect(service.containers.create(ann, service.request("web", ["true"], binds))).rejects.toThrow(
      "denied by policy",
    );
    await expect(stat(join(folder, "secret/new"))).rejects.toThrow("ENOENT");
  });
});

describe("a refused or read-only bind", () => {
  const readOnly = (): Constraint => ({
    kind: "mounts",
    effect: "grant",
    folders: [{ path: join(folder, "own"), readOnly: true }],
  });

  it("is named as the user wrote it, not by where its links lead", async () => {
    await symlink(join(folder, "secret"), join(folder, "own/link"));
    for (const [hostConfig, name] of [
      [{ Binds: [`${join(folder, "own/link")}:/data`] }, join(folder, "own/link")],
      [{ Binds: ["/proc/self/exe:/data:ro"] }, "/proc/self/exe (read-only)"],
      [{ Mounts: [{ Type: "bind", Source: "/proc/self/exe", Target: "/data" }] }, "/proc/self/exe"],
    ] as const) {
      const created = service.containers.create(user(1, readOnly()), service.request("web", ["true"], hostConfig));
      const { message } = await created.then(
        () => new Error("created"),
        (thrown: Error) => thrown,
      );
      expect(message).toContain(`mounts ${name} is not granted`);
      expect(message).not.toContain("secret");
      expect(message).not.toContain(process.execPath);
    }
  });

  it("makes no folder on the host", async () => {
    const binds = { Binds: [`${join(folder, "own/new/folder")}:/data:ro`] };
    await expect(
      service.containers.create(user(1, readOnly()), service.request("web", ["true"], binds)),
    ).rejects.toMatchObject({ kind: "invalid", message: expect.stringContaining("bind source path does not exist") });
    await expect(stat(join(folder, "own/new"))).rejects.toThrow("ENOENT");
    await service.containers.create(ADMINISTRATOR, service.request("web", ["true"], binds));
    expect((await stat(join(folder, "own/new/folder"))).isDirectory()).toBe(true);
  });
});

it("refuses a start by a denied name that the image lost after the create", async () => {
  const { id } = await service.containers.create(user(1), service.request("web", ["sleep", "9999"]));
  service.images.origin = (id) => ({ references: [id], builtFrom: undefined });
  const denied: Constraint = { kind: "images", effect: "deny", patterns: ["docker.io/library/busybox:*"] };
  await expect(service.containers.start(user(1, denied), id)).rejects.toThrow("denied by policy");
  expect((await service.containers.start(user(1), id)).changed).toBe("changed");
});

it("does not permit by a name that the image lost after the create", async () => {
  const { id } = await service.containers.create(user(1), service.request("web", ["sleep", "9999"]));
  service.images.origin = (id) => ({ references: [id], builtFrom: undefined });
  const limit: Constraint = { kind: "images", effect: "limit", patterns: ["docker.io/library/busybox:*"] };
  await expect(service.containers.start(user(1, limit), id)).rejects.toThrow("denied by policy");
});

it("counts a running build against its owner's quotas, and against nobody else's", async () => {
  const building = decidedBuild({ networkMode: "default", ulimits: [] }, { memory: 48 * 2 ** 20 });
  service.context.held.all = () => [{ ...building, owner: "1" }];
  const limit: Constraint = { kind: "quota", effect: "limit", resource: "memory", max: 64 * 2 ** 20 };
  const create = (id: number, name: string) =>
    service.containers.create(
      user(id, limit),
      service.request(name, ["true"], { Memory: 32 * 2 ** 20, MemorySwap: 32 * 2 ** 20 }),
    );
  await expect(create(1, "beside")).rejects.toThrow("quota memory");
  await create(2, "other");
  service.context.held.all = () => [];
  await create(1, "after");
});

describe("a legacy start body", () => {
  const body = { PortBindings: { "80/tcp": [{ HostIp: "", HostPort: "80" }] } };

  it("changes nothing when the request is denied", async () => {
    const ann = user(1);
    const { containers, registry } = service;
    const { id } = await containers.create(ann, service.request("web", ["sleep", "9999"]));
    await expect(containers.start(ann, id, { legacy: { apiVersion: "1.11", body } })).rejects.toThrow(
      "denied by policy",
    );
    expect(registry.get(id)?.ports.wishes).toEqual([]);
    expect((await containers.start(ann, id)).changed).toBe("changed");
  });

  it("replaces the ports when allowed", async () => {
    const { containers, registry } = service;
    const { id } = await containers.create(ADMINISTRATOR, service.request("web", ["sleep", "9999"]));
    await containers.start(ADMINISTRATOR, id, { legacy: { apiVersion: "1.11", body } });
    expect(registry.get(id)?.ports.wishes).toHaveLength(1);
  });
});

it("does not link to another user's container that took over the name", async () => {
  const linked = await someService();
  try {
    const { containers, registry } = linked;
    const [ann, bob] = [user(1), user(2)];
    const own = await containers.create(ann, linked.request("db", ["sleep", "9999"]));
    const { id } = await containers.create(ann, linked.request("web", ["sleep", "9999"], { Links: ["db"] }));
    await containers.start(ann, own.id);
    await containers.start(ann, id);
    await containers.stop(ann, id, { timeoutSeconds: 0 });
    await containers.remove(ann, own.id, { force: true, volumes: false });
    const other = await containers.create(bob, linked.request("db", ["sleep", "9999"]));
    await containers.start(bob, other.id);
    await expect(containers.start(ann, id)).rejects.toThrow("Cannot link to a non running container: /db AS /web/db");
    expect(registry.get(id)?.state.status).toBe("exited");
  } finally {
    await linked.end();
  }
});

it("restores the limits when the row cannot be written", async () => {
  const { containers, rows, world } = service;
  const request = service.request("web", ["sleep", "9999"], { Memory: 10 * 2 ** 20, MemorySwap: -1 });
  const { id } = await containers.create(ADMINISTRATOR, request);
  await containers.start(ADMINISTRATOR, id);
  rows.fails = () => true;
  await expect(containers.update(ADMINISTRATOR, id, { Memory: 80 * 2 ** 20 })).rejects.toThrow("the disk is full");
  expect(world.containers.get(id)?.resources.memory).toBe(10 * 2 ** 20);
});

it("counts concurrent updates against the quota together", async () => {
  const quota: Constraint = { kind: "quota", effect: "limit", resource: "memory", max: 100 * 2 ** 20 };
  const ann = user(1, quota);
  const { containers, registry } = service;
  const least = { Memory: 10 * 2 ** 20 };
  const ids = await Promise.all(
    ["one", "two"].map(async (name) => (await containers.create(ann, service.request(name, ["true"], least))).id),
  );
  const more = { Memory: 80 * 2 ** 20, MemorySwap: 160 * 2 ** 20 };
  const updates = await Promise.allSettled(ids.map((id) => containers.update(ann, id, more)));
  expect(updates.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(registry.all().map(({ hostConfig }) => hostConfig.Memory)).toEqual([80 * 2 ** 20, 10 * 2 ** 20]);
});
