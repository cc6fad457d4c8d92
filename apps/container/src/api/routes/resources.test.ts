import { Readable } from "node:stream";
import type { Constraint } from "@berth/directory-domain";
import { describe, expect, it } from "vitest";
import { EngineError } from "../../engine/errors.ts";
import { sees } from "../../engine/owners.ts";
import { user } from "../../engine/user.testing.ts";
import { createJournal } from "../../events/journal.ts";
import type { Network } from "../../networks/networks.ts";
import { createVolumeFolders } from "../../volumes/folders.ts";
import type { Volume } from "../../volumes/volumes.ts";
import { LocalVolumes } from "../../volumes/volumes-service.ts";
import { appWith, BRIDGE_ENDPOINT, containerId, type Fakes, RUNNING } from "./app.testing.ts";
import { image, noted } from "./resources.testing.ts";

const NETWORK: Network = {
  id: "n".repeat(64),
  name: "bridge",
  driver: "bridge",
  createdAt: "2026-01-02T03:04:05Z",
  internal: false,
  attachable: false,
  enableIPv4: true,
  enableIPv6: false,
  options: {},
  labels: {},
  ipam: { driver: "default", options: null, config: [{ Subnet: "172.17.0.0/16" }] },
};

const VOLUME = {
  name: "v",
  folder: "v",
  driver: "local",
  mountpoint: "/var/v",
  createdAt: "2026-01-02T03:04:05Z",
  labels: {},
  options: {},
  anonymous: false,
  owner: undefined,
} as Volume;

describe("networks", () => {
  const create = noted(Promise.resolve({ id: "x", warning: "" }));
  const told: string[] = [];
  const fakes: Fakes = {
    events: { emit: ({ type, action, actor }) => told.push(`${type} ${action} ${actor.attributes.name}`) },
    networks: {
      list: () => [NETWORK],
      get: () => NETWORK,
      create: create.call,
      endpointsOn: () =>
        new Map([
          [containerId, BRIDGE_ENDPOINT],
          ["f".repeat(64) as typeof containerId, BRIDGE_ENDPOINT],
        ]),
      prune: async () => [],
    },
    containers: { list: async () => [RUNNING] },
  };

  it("shows only the network's containers that the actor may see", async () => {
    const { request } = appWith(fakes);
    expect(await (await request("GET", "/networks/bridge")).json()).toMatchObject({
      Name: "bridge",
      Scope: "local",
      IPAM: { Driver: "default", Options: null, Config: [{ Subnet: "172.17.0.0/16" }] },
      Containers: { [containerId]: { Name: "web", IPv4Address: "172.17.0.2/16" } },
    });
    const listed = (await (await request("GET", "/networks")).json()) as { Containers: object }[];
    expect(listed[0]?.Containers).toEqual({});
  });

  it("creates with Docker's defaults", async () => {
    const { request } = appWith(fakes);
    const response = await request("POST", "/networks/create", {
      Name: "n",
      IPAM: { Config: [{ Subnet: "10.0.0.0/8" }] },
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ Id: "x", Warning: "" });
    expect(told).toEqual(["network create bridge"]);
    expect(create.calls[0]).toEqual([
      {
        name: "n",
        driver: "bridge",
        internal: false,
        attachable: false,
        enableIPv4: true,
        enableIPv6: false,
        options: {},
        labels: {},
        ipam: { driver: "default", options: null, config: [{ Subnet: "10.0.0.0/8" }] },
        checkDuplicate: false,
      },
      { viewer: { kind: "administrator", id: undefined, login: "root" }, authorize: expect.any(Function) },
    ]);
    expect((await request("POST", "/networks/create", {})).status).toBe(400);
    for (const [asked, status] of [
      [{ Scope: "swarm" }, 503],
      [{ Driver: "overlay" }, 503],
      [{ Ingress: true }, 403],
      [{ ConfigFrom: { Network: "nope" } }, 404],
      [{ ConfigOnly: true }, 501],
    ] as const)
      expect((await request("POST", "/networks/create", { Name: "n", ...asked })).status).toBe(status);
    expect(await (await request("POST", "/networks/prune")).json()).toEqual({ NetworksDeleted: null });
  });

  it("connects and disconnects", async () => {
    const connect = noted(Promise.resolve());
    const disconnect = noted(Promise.resolve());
    const { request } = appWith({ members: { connect: connect.call, disconnect: disconnect.call } });
    const EndpointConfig = { Aliases: ["a"], IPAddress: "ignored", Nope: 1 };
    expect((await request("POST", "/networks/n/connect", { Container: "c", EndpointConfig })).status).toBe(200);
    expect((await request("POST", "/networks/n/disconnect", { Container: "c", Force: true })).status).toBe(200);
    expect(connect.calls[0]?.slice(1)).toEqual(["n", "c", { Aliases: ["a"] }]);
    expect(disconnect.calls[0]?.slice(1)).toEqual(["n", "c", { force: true }]);
    expect((await request("POST", "/networks/n/connect", {})).status).toBe(400);
  });
});

describe("volumes", () => {
  it("shows a user only its own", async () => {
    const volumes = await LocalVolumes.open(
      {
        load: async () => [VOLUME, { ...VOLUME, name: "own", folder: "1@own", owner: "1" }],
        insert: async () => undefined,
        delete: async () => undefined,
      },
      createVolumeFolders("/var"),
      { events: { emit: () => undefined }, now: () => VOLUME.createdAt },
    );
    const { request } = appWith({
      identify: async () => user(1),
      volumes: {
        list: (...asked) => volumes.list(...asked),
        get: (...asked) => volumes.get(...asked),
      },
      containers: { list: async () => [] },
    });
    const { Volumes } = (await (await request("GET", "/volumes")).json()) as { Volumes: { Name: string }[] };
    expect(Volumes.map(({ Name }) => Name)).toEqual(["own"]);
    expect((await request("GET", "/volumes/v")).status).toBe(404);
  });

  it("creates volumes with and without a name", async () => {
    const create = noted(Promise.resolve(VOLUME));
    const { request } = appWith({ volumes: { create: create.call } });
    const response = await request("POST", "/volumes/create", { Name: "v", Labels: { a: "b" } });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({
      CreatedAt: VOLUME.createdAt,
      Driver: "local",
      Labels: null,
      Mountpoint: "/var/v",
      Name: "v",
      Options: null,
      Scope: "local",
    });
    await request("POST", "/volumes/create", {});
    expect(create.calls).toMatchObject([
      [{ name: "v", anonymous: false, driver: "local", options: {}, labels: { a: "b" } }],
      [{ name: expect.stringMatching(/^[0-9a-f]{64}$/), anonymous: true }],
    ]);
  });

  it.each([
    ["/v1.41/volumes/prune", false],
    ["/volumes/prune", true],
    ["/volumes/prune?filters={%22all%22:[%221%22]}", false],
  ])("%s prunes named volumes before API 1.42 and where asked", async (target, anonymousOnly) => {
    const prune = noted(Promise.resolve({ deleted: ["v"], spaceReclaimed: 1 }));
    const { request } = appWith({ volumes: { prune: prune.call }, containers: { list: async () => [] } });
    expect(await (await request("POST", target)).json()).toEqual({ VolumesDeleted: ["v"], SpaceReclaimed: 1 });
    expect(prune.calls[0]?.[2]).toMatchObject({ anonymousOnly, viewer: { kind: "administrator" } });
  });

  it("passes volumes in use to remove", async () => {
    const remove = noted(Promise.resolve());
    const mounted = {
      ...RUNNING,
      container: {
        ...RUNNING.container,
        mounts: [{ ...RUNNING.container.mounts[0], type: "volume", name: "v", source: "/var/v" }],
      },
    };
    const { request } = appWith({
      volumes: { find: () => VOLUME, remove: remove.call },
      containers: { list: async () => [mounted as typeof RUNNING] },
    });
    expect((await request("DELETE", "/volumes/v?force=1")).status).toBe(204);
    expect(remove.calls).toEqual([[VOLUME, { inUse: new Set(["/var/v"]) }]]);
  });

  it("rejects an unknown filter", async () => {
    const { request } = appWith({ containers: { list: async () => [] } });
    expect(await (await request("GET", '/volumes?filters={"x":["y"]}')).json()).toEqual({
      message: "invalid filter 'x'",
    });
  });
});

describe("the engine", () => {
  const fakes: Fakes = {
    images: { list: async () => [image, { ...image, id: "sha256:b" }] },
    containers: {
      counts: () => ({ total: 3, running: 1, paused: 1, stopped: 1 }),
      list: async () => [RUNNING],
    },
    volumes: { list: () => [VOLUME], size: async () => 5 },
    builds: {
      cache: async () => [
        {
          id: "layer",
          parent: "",
          description: "",
          size: 3,
          createdAt: "2026-01-02T03:04:05Z",
          inUse: false,
          isBase: false,
        },
      ],
    },
  };

  it("reports its version and counts", async () => {
    const { request } = appWith(fakes);
    expect(await (await request("GET", "/version")).json()).toMatchObject({
      Version: "28.5.2+berth.0.1.0",
      ApiVersion: "1.51",
      MinAPIVersion: "1.24",
      Os: "linux",
      Arch: "amd64",
    });
    expect(await (await request("GET", "/info")).json()).toMatchObject({
      Containers: 3,
      ContainersRunning: 1,
      Images: 2,
      NCPU: 2,
    });
    expect(await (await request("GET", "/v1.24/info")).json()).toMatchObject({ SecurityOptions: ["seccomp"] });
  });

  it("tells administrators what to do on the host", async () => {
    const { request } = appWith({ ...fakes, warnings: ["WARNING: a firewall"] });
    expect(await (await request("GET", "/info")).json()).toMatchObject({ Warnings: ["WARNING: a firewall"] });
  });

  it("counts a shared layer once", async () => {
    const { request } = appWith(fakes);
    expect(await (await request("GET", "/system/df")).json()).toMatchObject({
      LayersSize: 10,
      Images: [{ Containers: 1 }, { Containers: 0 }],
      Containers: [{ Id: containerId }],
      Volumes: [{ Name: "v", UsageData: { Size: 5, RefCount: 0 } }],
      BuildCache: [{ ID: "layer", Size: 3, InUse: false, Type: "regular" }],
    });
  });

  it.each([
    ["/v1.41/system/df?type=image", ["LayersSize", "Images", "Containers", "Volumes", "BuildCache", "BuilderSize"]],
    ["/v1.42/system/df?type=image", ["LayersSize", "Images"]],
    ["/system/df?type=container&type=volume", ["Containers", "Volumes"]],
    ["/system/df?type=build-cache", ["BuildCache"]],
  ])("%s answers for those types", async (target, fields) => {
    const { request } = appWith(fakes);
    const shown = (await (await request("GET", target)).json()) as Record<string, unknown>;
    const counted = Object.entries(shown).filter(([, value]) => value !== null && value !== 0);
    expect(counted.map(([name]) => name)).toEqual(fields);
  });

  it("leaves out a volume that is removed while it is measured", async () => {
    const size = async () => {
      throw new EngineError("not-found", "the folder to measure is gone");
    };
    const { request } = appWith({ ...fakes, volumes: { ...fakes.volumes, size } });
    expect(await (await request("GET", "/system/df")).json()).toMatchObject({ Volumes: [] });
  });

  it("refuses an unknown type", async () => {
    const { request } = appWith(fakes);
    expect(await (await request("GET", "/system/df?type=nope")).json()).toEqual({
      message: "unknown object type: nope",
    });
  });

  it("counts only a user's own objects", async () => {
    const asked: unknown[] = [];
    const other = { ...VOLUME, name: "w", owner: "2" };
    const { request } = appWith({
      ...fakes,
      warnings: ["WARNING: a firewall"],
      containers: {
        counts: (actor) => {
          asked.push(actor.id);
          return { total: 1, running: 1, paused: 0, stopped: 0 };
        },
        list: async (actor) => {
          asked.push(actor.id);
          return [RUNNING];
        },
      },
      volumes: {
        list: (_filters, _inUse, viewer) => [{ ...VOLUME, owner: "1" }, other].filter((volume) => sees(viewer, volume)),
        size: async () => 5,
      },
    });
    const ann = { kind: "user", id: "1", login: "ann", effective: {} as never } as const;
    const socket = { listener: { kind: "unix", path: "/run/ann.sock", actor: ann } } as const;
    expect(await (await request("GET", "/info", undefined, socket)).json()).toMatchObject({
      Containers: 1,
      Images: 2,
      Warnings: null,
    });
    const used = (await (await request("GET", "/system/df", undefined, socket)).json()) as {
      readonly Volumes: unknown;
    };
    expect(used.Volumes).toMatchObject([{ Name: "v" }]);
    expect(new Set(asked)).toEqual(new Set(["1"]));
  });

  it("tells a user of events of its own things and of images that it may run, and of no others", async () => {
    const events = createJournal({ now: () => 1_000_000_000n });
    for (const [id, name] of [
      ["registry.corp/team/private:1", "registry.corp/team/private"],
      ["busybox:latest", "busybox"],
    ] as const)
      events.emit({ type: "image", action: "pull", actor: { id, attributes: { name } }, owner: undefined });
    for (const [id, owner] of [
      ["of-administrators", undefined],
      ["of-another", "2"],
      ["its-own", "1"],
    ] as const)
      for (const type of ["volume", "network", "container"] as const)
        events.emit({ type, action: "create", actor: { id, attributes: { name: id } }, owner });
    const limit: Constraint = { kind: "images", effect: "limit", patterns: ["docker.io/*"] };
    const { app } = appWith({ events, identify: async () => user(1, limit) });
    const socket = { kind: "user", path: "/ann.sock", login: "ann" } as const;
    const response = await app.request("/events?since=0&until=2", {}, { listener: socket });
    const text = await response.text();
    expect(text).toContain("busybox");
    expect(text).not.toContain("private");
    expect(text.match(/"Type":"(volume|network|container)"/g)).toHaveLength(3);
    expect(text).toContain("its-own");
    expect(text).not.toMatch(/of-administrators|of-another/);
  });

  it("writes the exact nanoseconds of events", async () => {
    const events = createJournal({ now: () => 1_795_840_237_875_764_299n });
    events.emit({
      type: "container",
      action: "start",
      actor: { id: "c1", attributes: { image: "busybox", name: "web" } },
      owner: undefined,
    });
    const { request } = appWith({ events });
    const response = await request("GET", "/events?since=1&until=1795840237.875764299");
    expect(await response.text()).toBe(
      '{"status":"start","id":"c1","from":"busybox","Type":"container","Action":"start","Actor":{"ID":"c1","Attributes":{"image":"busybox","name":"web"}},"scope":"local","time":1795840237,"timeNano":1795840237875764299}\n',
    );
  });

  it.each([
    ["/events?since=5&until=1", "`since` time (5) cannot be after `until` time (1)"],
    ["/events?since=x", "query parameter since"],
    ["/events?filters={%22x%22:[]}", "invalid filter 'x'"],
  ])("rejects %s", async (target, message) => {
    const { request } = appWith();
    const response = await request("GET", target);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(message);
  });
});

describe("files of a container", () => {
  const stat = { name: "etc", size: 1, mode: 2147484141, modifiedAt: "2026-01-02T03:04:05Z", linkTarget: "" };
  const encoded = Buffer.from(
    JSON.stringify({ name: "etc", size: 1, mode: 2147484141, mtime: "2026-01-02T03:04:05Z", linkTarget: "" }),
  ).toString("base64");

  it("stats, reads and writes", async () => {
    const write = noted(Promise.resolve());
    const { request } = appWith({
      archives: {
        stat: async () => stat,
        read: async () => ({ stat, archive: Readable.from([Buffer.from("tar")]) }),
        write: write.call,
      },
    });
    const head = await request("HEAD", "/containers/a/archive?path=/etc");
    expect(head.headers.get("x-docker-container-path-stat")).toBe(encoded);
    const read = await request("GET", "/containers/a/archive?path=/etc");
    expect(read.headers.get("content-type")).toBe("application/x-tar");
    expect(read.headers.get("x-docker-container-path-stat")).toBe(encoded);
    expect(await read.text()).toBe("tar");
    expect((await request("PUT", "/containers/a/archive?path=/etc&noOverwriteDirNonDir=true", "tar")).status).toBe(200);
    expect(write.calls[0]?.slice(1, 3)).toEqual(["a", "/etc"]);
    expect(write.calls[0]?.[4]).toEqual({ keepKinds: true, copyOwners: false });
  });

  it.each(["GET", "PUT", "HEAD"])("needs a path to %s", async (method) => {
    const { request } = appWith();
    expect((await request(method, "/containers/a/archive?path=")).status).toBe(400);
  });

  it("shapes changes, exports and commits", async () => {
    const commit = noted(Promise.resolve("sha256:new"));
    const { request } = appWith({
      archives: {
        changes: async () => [
          { path: "/a", kind: "modified" },
          { path: "/b", kind: "added" },
          { path: "/c", kind: "deleted" },
        ],
        export: async () => Readable.from([Buffer.from("tar")]),
        commit: commit.call,
      },
    });
    expect(await (await request("GET", "/containers/a/changes")).json()).toEqual([
      { Path: "/a", Kind: 0 },
      { Path: "/b", Kind: 1 },
      { Path: "/c", Kind: 2 },
    ]);
    expect(await (await request("GET", "/containers/a/export")).text()).toBe("tar");
    const target = "/commit?container=a&repo=r&tag=t&author=x&comment=m&pause=0&changes=CMD+b";
    const response = await request("POST", target, { cmd: ["c"], Image: null });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ Id: "sha256:new" });
    expect(commit.calls[0]?.slice(1)).toEqual([
      "a",
      {
        repo: "r",
        tag: "t",
        author: "x",
        comment: "m",
        pause: false,
        changes: ["CMD b"],
        config: { Cmd: ["c"], Image: "" },
      },
    ]);
    expect((await request("POST", "/commit")).status).toBe(400);
  });
});
