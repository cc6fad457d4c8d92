import { Readable } from "node:stream";
import type { Constraint } from "@berth/directory-domain";
import { describe, expect, it } from "vitest";
import { EngineError } from "../../engine/errors.ts";
import { user } from "../../engine/user.testing.ts";
import type { ImageViewer } from "../../images/images.ts";
import { ADMINISTRATOR, appWith, containerId, RUNNING, withState } from "./app.testing.ts";
import { image, noted } from "./resources.testing.ts";

async function* lines(...objects: readonly object[]) {
  yield* objects;
}

async function* failing(thrown: unknown) {
  yield { status: "Pulling" };
  throw thrown;
}

describe("images", () => {
  it.each([
    ["busybox", "busybox"],
    ["localhost:5000/a/b:c", "localhost:5000/a/b:c"],
    ["localhost:5000%2Fa%2Fb:c", "localhost:5000/a/b:c"],
    ["json/json", "json/json"],
    [`sha256:${"a".repeat(64)}`, `sha256:${"a".repeat(64)}`],
  ])("finds %s by a name with slashes", async (name, ref) => {
    const get = noted(Promise.resolve(image));
    const tag = noted(Promise.resolve());
    const { request } = appWith({ images: { get: get.call, tag: tag.call } });
    expect(await (await request("GET", `/v1.41/images/${name}/json`)).json()).toMatchObject({ Id: image.id });
    expect(await (await request("GET", `/images/${name}/history`)).json()).toHaveLength(2);
    expect((await request("POST", `/images/${name}/tag?repo=r&tag=t`)).status).toBe(201);
    expect(get.calls).toEqual([
      [ref, { visible: undefined, platform: undefined }],
      [ref, { visible: undefined, platform: undefined }],
    ]);
    expect(tag.calls).toEqual([[ref, { repo: "r", tag: "t" }]]);
  });

  it.each([
    ["1.42", { Containers: -1, VirtualSize: 10 }, ["Descriptor"]],
    ["1.47", { Containers: -1 }, ["Descriptor", "VirtualSize"]],
    ["1.51", { Containers: 1, Descriptor: expect.objectContaining({ size: 7 }) }, ["VirtualSize"]],
  ])("shapes a list at API %s", async (version, fields, absent) => {
    const { request } = appWith({ images: { list: async () => [image] }, containers: { list: async () => [RUNNING] } });
    const [shown] = (await (await request("GET", `/v${version}/images/json`)).json()) as Record<string, unknown>[];
    expect(shown).toMatchObject({
      Created: 1767323045,
      Id: image.id,
      Labels: null,
      ParentId: "",
      RepoDigests: [],
      RepoTags: ["busybox:latest"],
      SharedSize: -1,
      Size: 10,
      ...fields,
    });
    for (const field of absent) expect(shown).not.toHaveProperty(field);
  });

  it.each([
    ["1.42", ["<none>:<none>"]],
    ["1.43", []],
  ])("shows an untagged image at API %s", async (version, RepoTags) => {
    const untagged = { ...image, repoTags: [] };
    const { request } = appWith({ images: { list: async () => [untagged] }, containers: { list: async () => [] } });
    expect(await (await request("GET", `/v${version}/images/json`)).json()).toMatchObject([{ RepoTags }]);
  });

  it("counts what an image shares with others where asked", async () => {
    const other = { ...image, id: `sha256:${"b".repeat(64)}` };
    const lists = { images: { list: async () => [image, other] }, containers: { list: async () => [] } };
    const { request } = appWith(lists);
    const sizes = async (version: string) =>
      ((await (await request("GET", `/v${version}/images/json?shared-size=1`)).json()) as { SharedSize: number }[]).map(
        ({ SharedSize }) => SharedSize,
      );
    expect(await sizes("1.41")).toEqual([-1, -1]);
    expect(await sizes("1.42")).toEqual([10, 10]);
  });

  it("shows the platform of an index's image that is asked for by platform", async () => {
    const platform = { architecture: "arm64", os: "linux", variant: "v8" };
    const entry = { mediaType: "m", digest: "sha256:b", size: 3, platform };
    const get = async (_: string, options: { readonly platform?: string | undefined } = {}) =>
      options.platform === undefined ? image : { ...image, entry };
    const { request } = appWith({ images: { get } });
    const query = new URLSearchParams({ platform: JSON.stringify(platform) });
    const shown = async (path: string) =>
      ((await (await request("GET", path)).json()) as { readonly Descriptor?: unknown }).Descriptor;
    expect(await shown(`/v1.49/images/a/json?${query}`)).toEqual(entry);
    expect(await shown("/v1.49/images/a/json")).not.toHaveProperty("platform");
    expect(await shown(`/v1.48/images/a/json?${query}`)).not.toHaveProperty("platform");
  });

  it("lists manifests where asked", async () => {
    const sizes = { contentSize: 4, unpackedSize: 10 };
    const summary = {
      descriptor: image.manifest,
      kind: "image" as const,
      available: true,
      imageId: image.id,
      ...sizes,
    };
    const { request } = appWith({
      images: { list: async () => [image], get: async () => image, manifests: async () => [summary] },
      containers: { list: async () => [RUNNING] },
    });
    const Manifests = [
      {
        ID: image.manifest.digest,
        Kind: "image",
        Size: { Content: 4, Total: 14 },
        ImageData: { Containers: [containerId] },
      },
    ];
    expect(await (await request("GET", "/images/json?manifests=1")).json()).toMatchObject([{ Manifests }]);
    expect(await (await request("GET", "/images/a/json?manifests=1")).json()).toMatchObject({ Manifests });
    expect(await (await request("GET", "/images/a/json")).json()).not.toHaveProperty("Manifests");
  });

  it.each([
    ["x", "failed to parse platform: invalid JSON: "],
    ["{}", "both OS and Architecture must be provided"],
    ['{"variant":"v7"}', "optional platform fields provided, but OS and Architecture are missing"],
    ['{"os":"linux","architecture":"amd64"}&manifests=1', "conflicting options"],
  ])("refuses the platform %s", async (platform, message) => {
    const { request } = appWith({ images: { get: async () => image } });
    const response = await request("GET", `/images/a/json?platform=${platform}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(message);
  });

  it("passes platforms from the version on that has them", async () => {
    const get = noted(Promise.resolve(image));
    const { request } = appWith({ images: { get: get.call } });
    const query = 'platform={"os":"linux","architecture":"arm","variant":"v7"}';
    for (const path of [
      "/v1.48/images/a/json",
      "/v1.49/images/a/json",
      "/v1.47/images/a/history",
      "/v1.48/images/a/history",
    ])
      await request("GET", `${path}?${query}`);
    expect(get.calls.map(([, options]) => (options as { platform?: string }).platform)).toEqual([
      undefined,
      "linux/arm/v7",
      undefined,
      "linux/arm/v7",
    ]);
  });

  it("shapes history", async () => {
    const { request } = appWith({ images: { get: async () => image } });
    expect(await (await request("GET", "/images/a/history")).json()).toMatchObject([
      { Id: image.id, CreatedBy: "CMD", Size: 0, Tags: ["busybox:latest"] },
      { Id: "<missing>", CreatedBy: "ADD", Size: 10, Tags: null },
    ]);
  });

  it("passes images in use to remove and prune, running containers first", async () => {
    const remove = noted(Promise.resolve([{ Untagged: "a" }]));
    const prune = noted(Promise.resolve({ deleted: [], spaceReclaimed: 0 }));
    const list = async () => [withState({ status: "exited" }), RUNNING];
    const { request } = appWith({ containers: { list }, images: { remove: remove.call, prune: prune.call } });
    const inUse = new Map([[RUNNING.container.imageId, { containerId, running: true }]]);
    expect(await (await request("DELETE", "/images/a/b?force=1&noprune=1")).json()).toEqual([{ Untagged: "a" }]);
    expect(remove.calls).toEqual([["a/b", { force: true, prune: false, inUse, platforms: [] }]]);
    expect(await (await request("POST", "/images/prune")).json()).toEqual({ ImagesDeleted: null, SpaceReclaimed: 0 });
    expect(prune.calls[0]?.[0]).toMatchObject({ inUse: new Set(inUse.keys()) });
  });

  const auth = { username: "ann", password: "p" };
  const header = { "x-registry-auth": Buffer.from(JSON.stringify(auth)).toString("base64url") };

  it("pulls with the header's credentials and streams progress as lines of JSON", async () => {
    const pull = noted(Promise.resolve(lines({ status: "a" }, { status: "b" })));
    const { app } = appWith({ images: { pull: pull.call } });
    const response = await app.request(
      "/images/create?fromImage=reg/a&tag=1&platform=linux/amd64",
      { method: "POST", headers: header },
      { listener: ADMINISTRATOR },
    );
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe('{"status":"a"}\r\n{"status":"b"}\r\n');
    expect(pull.calls[0]).toMatchObject([
      { image: "reg/a", tag: "1" },
      { auth, platform: "linux/amd64" },
    ]);
  });

  it("contacts no registry that the user may not pull from, and no address of this host for any user", async () => {
    const [checkAuth, distribution] = [
      noted(Promise.resolve({ Status: "", IdentityToken: "" })),
      noted(Promise.resolve({})),
    ];
    const { request } = appWith({ images: { checkAuth: checkAuth.call, distribution: distribution.call } });
    const as = (...constraints: readonly Constraint[]) => ({
      listener: { kind: "unix", path: "/run/ann.sock", actor: user(1, ...constraints) } as const,
    });
    const limited = as({ kind: "images", effect: "limit", patterns: ["reg.corp/*"] });
    for (const [bindings, status] of [
      [limited, 403],
      [as(), 200],
    ] as const) {
      expect((await request("POST", "/auth", { ...auth, serveraddress: "other.corp" }, bindings)).status).toBe(status);
      expect((await request("GET", "/distribution/other.corp/app/json", undefined, bindings)).status).toBe(status);
    }
    expect(checkAuth.calls).toEqual([[expect.anything(), { networkScope: "beyond-host" }]]);
    expect(distribution.calls).toEqual([["other.corp/app", { auth: undefined, networkScope: "beyond-host" }]]);
    await request("GET", "/distribution/other.corp/app/json");
    expect(distribution.calls.at(-1)).toEqual(["other.corp/app", { auth: undefined, networkScope: "everywhere" }]);
  });

  it.each([
    "/images/json",
    "/images/a/json",
    "/images/a/history",
    "/images/a/get",
    "/images/get?names=a",
    "/info",
    "/system/df",
  ])("GET %s shows a user the images that its constraints allow", async (path) => {
    const seen: unknown[] = [];
    const answering =
      <T>(answer: T) =>
      async ({ viewer }: { readonly viewer?: ImageViewer | undefined } = {}) => {
        for (const name of ["reg.corp/app:1", "other.corp/app:1"])
          seen.push(viewer?.accepts?.({ references: [name], builtFrom: undefined }));
        return answer;
      };
    const { request } = appWith({
      containers: { list: async () => [], counts: () => ({ total: 0, running: 0, paused: 0, stopped: 0 }) },
      volumes: { list: () => [] },
      images: {
        get: (_, options) => answering(image)(options),
        list: answering([]),
        save: (_, options) => answering(Readable.from([]))(options),
      },
    });
    const actor = user(1, { kind: "images", effect: "limit", patterns: ["reg.corp/*"] });
    await request("GET", path, undefined, { listener: { kind: "unix", path: "/run/ann.sock", actor } });
    await request("GET", path);
    expect(seen).toEqual([true, false, undefined, undefined]);
  });

  it.each([
    [new EngineError("failed", "manifest unknown"), "manifest unknown", 0],
    [new Error("secret"), "internal error", 1],
  ])("reports a failure midway as the last line: %s", async (thrown, message, logged) => {
    const { request, faults } = appWith({ images: { pull: async () => failing(thrown) } });
    const text = await (await request("POST", "/images/create?fromImage=a")).text();
    const last = { errorDetail: { message }, error: message };
    expect(text).toBe(`{"status":"Pulling"}\r\n${JSON.stringify(last)}\r\n`);
    expect(faults).toHaveLength(logged);
  });

  it("imports and loads a body of any content type", async () => {
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
