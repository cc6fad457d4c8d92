import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { EngineError } from "../errors.ts";
import { createJournal } from "../events/journal.ts";
import type { Image } from "../images/images.ts";
import type { Network } from "../networks/networks.ts";
import type { Volume } from "../volumes/volumes.ts";
import { administrator, appWith, bridgeEndpoint, containerId, type Fakes, running, withState } from "./app.testing.ts";

const image = {
  id: `sha256:${"a".repeat(64)}`,
  repoTags: ["busybox:latest"],
  repoDigests: [],
  parent: "",
  createdAt: "2026-01-02T03:04:05Z",
  architecture: "amd64",
  variant: "",
  os: "linux",
  author: "",
  comment: "",
  dockerVersion: "",
  container: "",
  size: 10,
  config: { Cmd: ["sh"] },
  layers: "",
  diffIds: ["sha256:d1"],
  history: [
    { created: "2026-01-01T00:00:00Z", createdBy: "ADD", comment: "", emptyLayer: false, size: 10 },
    { created: "2026-01-02T00:00:00Z", createdBy: "CMD", comment: "", emptyLayer: true, size: 0 },
  ],
} as Image;

const network: Network = {
  id: "n".repeat(64),
  name: "bridge",
  driver: "bridge",
  createdAt: "2026-01-02T03:04:05Z",
  internal: false,
  attachable: false,
  enableIPv6: false,
  options: {},
  labels: {},
  ipam: { driver: "default", options: null, config: [{ Subnet: "172.17.0.0/16" }] },
};

const volume = {
  name: "v",
  driver: "local",
  mountpoint: "/var/v",
  createdAt: "2026-01-02T03:04:05Z",
  labels: {},
  options: {},
  anonymous: false,
  owner: undefined,
} as Volume;

async function* lines(...objects: readonly object[]) {
  yield* objects;
}

async function* failing(thrown: unknown) {
  yield { status: "Pulling" };
  throw thrown;
}

/** A fake that notes what it was called with, and answers. */
const noted = <T>(answer: T) => {
  const calls: unknown[][] = [];
  const call = (...args: unknown[]): T => {
    calls.push(args);
    return answer;
  };
  return { calls, call };
};

describe("images", () => {
  it.each([
    ["busybox", "busybox"],
    ["localhost:5000/a/b:c", "localhost:5000/a/b:c"],
    ["localhost:5000%2Fa%2Fb:c", "localhost:5000/a/b:c"],
    ["json/json", "json/json"],
    [`sha256:${"a".repeat(64)}`, `sha256:${"a".repeat(64)}`],
  ])("finds %s by its name, slashes and all", async (name, ref) => {
    const get = noted(Promise.resolve(image));
    const tag = noted(Promise.resolve());
    const { request } = appWith({ images: { get: get.call, tag: tag.call } });
    expect(await (await request("GET", `/v1.41/images/${name}/json`)).json()).toMatchObject({ Id: image.id });
    expect(await (await request("GET", `/images/${name}/history`)).json()).toHaveLength(2);
    expect((await request("POST", `/images/${name}/tag?repo=r&tag=t`)).status).toBe(201);
    expect(get.calls).toEqual([[ref], [ref]]);
    expect(tag.calls).toEqual([[ref, { repo: "r", tag: "t" }]]);
  });

  it("shapes list and history", async () => {
    const { request } = appWith({ images: { list: async () => [image], get: async () => image } });
    expect(await (await request("GET", "/images/json")).json()).toEqual([
      {
        Containers: -1,
        Created: 1767323045,
        Id: image.id,
        Labels: null,
        ParentId: "",
        RepoDigests: null,
        RepoTags: ["busybox:latest"],
        SharedSize: -1,
        Size: 10,
        VirtualSize: 10,
      },
    ]);
    expect(await (await request("GET", "/images/a/history")).json()).toMatchObject([
      { Id: image.id, CreatedBy: "CMD", Size: 0, Tags: ["busybox:latest"] },
      { Id: "<missing>", CreatedBy: "ADD", Size: 10, Tags: null },
    ]);
  });

  it("tells remove and prune which images are in use, the running container first", async () => {
    const remove = noted(Promise.resolve([{ Untagged: "a" }]));
    const prune = noted(Promise.resolve({ deleted: [], spaceReclaimed: 0 }));
    const list = async () => [withState({ status: "exited" }), running];
    const { request } = appWith({ containers: { list }, images: { remove: remove.call, prune: prune.call } });
    const inUse = new Map([[running.container.imageId, { containerId, running: true }]]);
    expect(await (await request("DELETE", "/images/a/b?force=1&noprune=1")).json()).toEqual([{ Untagged: "a" }]);
    expect(remove.calls).toEqual([["a/b", { force: true, prune: false, inUse }]]);
    expect(await (await request("POST", "/images/prune")).json()).toEqual({ ImagesDeleted: null, SpaceReclaimed: 0 });
    expect(prune.calls[0]?.[0]).toMatchObject({ inUse: new Set(inUse.keys()) });
  });

  const auth = { username: "ann", password: "p" };
  const header = { "x-registry-auth": Buffer.from(JSON.stringify(auth)).toString("base64url") };

  it("pulls with the header's credentials, and streams the progress as lines of JSON", async () => {
    const pull = noted(Promise.resolve(lines({ status: "a" }, { status: "b" })));
    const { app } = appWith({ images: { pull: pull.call } });
    const response = await app.request(
      "/images/create?fromImage=reg/a&tag=1&platform=linux/amd64",
      { method: "POST", headers: header },
      { listener: administrator },
    );
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe('{"status":"a"}\r\n{"status":"b"}\r\n');
    expect(pull.calls[0]).toMatchObject([
      { image: "reg/a", tag: "1" },
      { auth, platform: "linux/amd64" },
    ]);
  });

  it.each([
    [new EngineError("failed", "manifest unknown"), "manifest unknown", 0],
    [new Error("secret"), "internal error", 1],
  ])("tells a failure under way as the last line: %s", async (thrown, message, logged) => {
    const { request, faults } = appWith({ images: { pull: async () => failing(thrown) } });
    const text = await (await request("POST", "/images/create?fromImage=a")).text();
    const last = { errorDetail: { message }, error: message };
    expect(text).toBe(`{"status":"Pulling"}\r\n${JSON.stringify(last)}\r\n`);
    expect(faults).toHaveLength(logged);
  });

  it("imports and loads the body, whatever its type", async () => {
    const seen: string[] = [];
    const drain = async (archive: Readable) => {
      for await (const chunk of archive) seen.push(String(chunk));
    };
    const { request } = appWith({
      images: {
        import: async (archive, options) => {
          await drain(archive);
          seen.push(options.changes.join("|"));
          return "sha256:new";
        },
        load: async (archive) => {
          await drain(archive);
          return lines({ stream: "Loaded" });
        },
      },
    });
    const imported = await request("POST", "/images/create?fromSrc=-&repo=r&changes=CMD+a&changes=ENV+b", "tar");
    expect(await imported.text()).toBe('{"status":"sha256:new"}\r\n');
    expect(await (await request("POST", "/images/load", "tar2")).text()).toBe('{"stream":"Loaded"}\r\n');
    expect(seen).toEqual(["tar", "CMD a|ENV b", "tar2"]);
  });

  it("saves one and several images", async () => {
    const save = noted(undefined as unknown);
    const { request } = appWith({
      images: {
        save: async (refs) => {
          save.call(refs);
          return Readable.from([Buffer.from("tar")]);
        },
      },
    });
    const one = await request("GET", "/images/a/b/get");
    expect(one.headers.get("content-type")).toBe("application/x-tar");
    expect(await one.text()).toBe("tar");
    expect(await (await request("GET", "/images/get?names=a&names=b")).text()).toBe("tar");
    expect(save.calls).toEqual([[["a/b"]], [["a", "b"]]]);
    expect((await request("GET", "/images/get")).status).toBe(400);
  });

  it("pushes with the credentials of the header or, as old clients send them, of the body", async () => {
    const push = noted(Promise.resolve(lines({ status: "pushed" })));
    const { request } = appWith({ images: { push: push.call } });
    expect(await (await request("POST", "/images/reg/a/push?tag=1", auth)).text()).toContain("pushed");
    expect(push.calls[0]).toMatchObject([{ image: "reg/a", tag: "1" }, { auth }]);
    const without = await request("POST", "/images/a/push");
    expect(without.status).toBe(400);
    expect(await without.text()).toContain("Bad parameters and missing X-Registry-Auth");
  });
});

describe("networks", () => {
  const create = noted(Promise.resolve({ id: "x", warning: "" }));
  const fakes: Fakes = {
    networks: {
      list: () => [network],
      get: () => network,
      create: create.call,
      endpointsOn: () =>
        new Map([
          [containerId, bridgeEndpoint],
          ["f".repeat(64) as typeof containerId, bridgeEndpoint],
        ]),
      prune: async () => [],
    },
    containers: { list: async () => [running] },
  };

  it("shapes a network with only the containers that the asker sees", async () => {
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
    expect(create.calls[0]).toEqual([
      {
        name: "n",
        driver: "bridge",
        internal: false,
        attachable: false,
        enableIPv6: false,
        options: {},
        labels: {},
        ipam: { driver: "default", options: null, config: [{ Subnet: "10.0.0.0/8" }] },
        checkDuplicate: false,
      },
    ]);
    expect((await request("POST", "/networks/create", {})).status).toBe(400);
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
  it("creates, named or not", async () => {
    const create = noted(Promise.resolve(volume));
    const { request } = appWith({ volumes: { create: create.call } });
    const response = await request("POST", "/volumes/create", { Name: "v", Labels: { a: "b" } });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({
      CreatedAt: volume.createdAt,
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
    ["/volumes/prune", false],
    ["/volumes/prune?filters={%22all%22:[%221%22]}", false],
  ])("%s prunes named volumes too below API 1.42", async (target, anonymousOnly) => {
    const prune = noted(Promise.resolve({ deleted: ["v"], spaceReclaimed: 1 }));
    const { request } = appWith({ volumes: { prune: prune.call }, containers: { list: async () => [] } });
    expect(await (await request("POST", target)).json()).toEqual({ VolumesDeleted: ["v"], SpaceReclaimed: 1 });
    expect(prune.calls[0]?.[2]).toEqual({ anonymousOnly });
  });

  it("tells remove what is in use", async () => {
    const remove = noted(Promise.resolve());
    const mounted = {
      ...running,
      container: { ...running.container, mounts: [{ ...running.container.mounts[0], type: "volume", name: "v" }] },
    };
    const { request } = appWith({
      volumes: { remove: remove.call },
      containers: { list: async () => [mounted as typeof running] },
    });
    expect((await request("DELETE", "/volumes/v?force=1")).status).toBe(204);
    expect(remove.calls).toEqual([["v", { force: true, inUse: new Set(["v"]) }]]);
  });

  it("refuses an unknown filter", async () => {
    const { request } = appWith({ containers: { list: async () => [] } });
    expect(await (await request("GET", '/volumes?filters={"x":["y"]}')).json()).toEqual({
      message: "Invalid filter 'x'",
    });
  });
});

describe("the engine", () => {
  const fakes: Fakes = {
    images: { list: async () => [image, { ...image, id: "sha256:b" }] },
    containers: {
      counts: () => ({ total: 3, running: 1, paused: 1, stopped: 1 }),
      list: async () => [running],
    },
    volumes: { list: () => [volume], size: async () => 5 },
  };

  it("tells its version and what it counts", async () => {
    const { request } = appWith(fakes);
    expect(await (await request("GET", "/version")).json()).toMatchObject({
      Version: "20.10.24+berth.0.1.0",
      ApiVersion: "1.41",
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

  it("counts a shared layer once", async () => {
    const { request } = appWith(fakes);
    expect(await (await request("GET", "/system/df")).json()).toMatchObject({
      LayersSize: 10,
      Images: [{ Containers: 1 }, { Containers: 0 }],
      Containers: [{ Id: containerId }],
      Volumes: [{ Name: "v", UsageData: { Size: 5, RefCount: 0 } }],
      BuildCache: null,
    });
  });

  it("writes events with their nanoseconds exactly", async () => {
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
    ["/events?filters={%22x%22:[]}", "Invalid filter 'x'"],
  ])("refuses %s", async (target, message) => {
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
