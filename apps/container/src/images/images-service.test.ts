import { execFileSync } from "node:child_process";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { busyboxImage } from "../../../../tools/busybox-image.mjs";
import { gather, load, NEVER, startTestImages, streamOf, type TestImages, tarOf } from "./images.testing.ts";
import type { LayerTar } from "./images.ts";
import { digestOf } from "./manifest/manifest.ts";

let at: TestImages;
beforeAll(async () => {
  at = await startTestImages();
});
afterAll(() => at?.dispose());
beforeEach(async () => {
  // Load it again only if a test has pruned it, to save time.
  await at.images.get("busybox").catch(() => load(at.images, busyboxImage()));
});

const IMPORTING = { tag: "", message: "", changes: [], platform: undefined, signal: NEVER };
const noFilters = new Map();

/** The blobs and unpacked layers in containerd. */
async function kept() {
  return {
    blobs: (await at.containerd.content.list()).map(({ digest }) => digest).sort(),
    layers: (await at.containerd.snapshots.list()).map(({ name }) => name).sort(),
  };
}

describe("get", () => {
  test("finds only images for a requested platform", async () => {
    const { architecture } = await at.images.get("busybox");
    await expect(at.images.get("busybox", { platform: `linux/${architecture}` })).resolves.toMatchObject({
      architecture,
    });
    await expect(at.images.get("busybox", { platform: "linux/s390x" })).rejects.toMatchObject({
      kind: "not-found",
      message: `image with reference busybox was found but does not provide the specified platform (linux/s390x)`,
    });
    await expect(at.images.get("busybox", { platform: "a/b/c/d" })).rejects.toMatchObject({ kind: "invalid" });
  });

  test("skips and reports an image without its configuration, and keeps the others", async () => {
    const id = await at.images.import(streamOf(await tarOf({ lost: "lost" })), { ...IMPORTING, repo: "lost" });
    const record = (await at.store.records()).find(({ name }) => name === id);
    if (record === undefined) throw new Error("no record");
    const imageId = digestOf("nowhere");
    await at.store.put({ ...record, name: imageId, imageId });
    const again = await at.reopen();
    expect(at.warnings).toEqual([expect.stringContaining(`image ${imageId} is left out`)]);
    await expect(again.get(imageId)).rejects.toMatchObject({ kind: "not-found" });
    expect((await again.get("lost")).comment).toBe("Imported from -");
    await at.store.delete(imageId);
  });
});

describe("import", () => {
  test.each([
    ["a plain tar", (tar: Buffer) => tar],
    ["gzip", (tar: Buffer) => gzipSync(tar)],
    ["zstd", (tar: Buffer) => execFileSync("zstd", ["-cq"], { input: tar })],
  ])("creates a one-layer image from %s", async (_, pack) => {
    const tar = await tarOf({ "etc/motd": "hello\n" });
    const id = await at.images.import(streamOf(pack(tar)), {
      ...IMPORTING,
      repo: "imported",
      tag: "v1",
      message: "Imported from -",
      changes: ['CMD ["/bin/true"]', "ENV A=1", "EXPOSE 80"],
    });
    const image = await at.images.get("imported:v1");
    expect(image).toMatchObject({
      id,
      repoTags: ["imported:v1"],
      diffIds: [digestOf(tar)],
      comment: "Imported from -",
      os: "linux",
      config: { Cmd: ["/bin/true"], Env: ["A=1"], ExposedPorts: { "80/tcp": {} } },
    });
    expect(at.events).toContain(`import ${id}`);
  });

  test.each([
    ["a bad change", { changes: ["RUN x"] }, "RUN is not a valid change command"],
    ["a bad name", { repo: "Bad" }, "invalid reference format: repository name (library/Bad) must be lowercase"],
    ["a bad tag", { repo: "good", tag: "-" }, "invalid tag format"],
    ["a digest", { repo: "good", tag: digestOf("x") }, "cannot import digest reference"],
    ["a bad platform", { platform: "a/b/c/d" }, '"a/b/c/d": invalid platform'],
  ])("rejects %s and keeps nothing", async (_, change, message) => {
    const before = await kept();
    const tar = await tarOf({ a: "a" });
    await expect(at.images.import(streamOf(tar), { ...IMPORTING, repo: "", ...change })).rejects.toThrow(message);
    expect(await kept()).toEqual(before);
  });

  test("rejects data that is not a tar, and keeps no image", async () => {
    const before = await at.store.records();
    const noise = Buffer.alloc(10_000, 1);
    await expect(at.images.import(streamOf(noise), { ...IMPORTING, repo: "" })).rejects.toMatchObject({
      kind: "invalid",
      message: "failed to register layer: archive/tar: invalid tar header",
    });
    expect(await at.store.records()).toEqual(before);
  });

  test("keeps nothing when the client disconnects halfway", async () => {
    const before = await at.store.records();
    const leaving = new AbortController();
    async function* half() {
      yield Buffer.alloc(512 << 10);
      leaving.abort();
      yield Buffer.alloc(512 << 10);
    }
    const imported = at.images.import(Readable.from(half()), { ...IMPORTING, repo: "", signal: leaving.signal });
    await expect(imported).rejects.toThrow("aborted");
    expect(await at.store.records()).toEqual(before);
    expect(await at.containerd.leases.list()).toEqual([]);
  });
});

function layerOf(tar: Buffer): LayerTar {
  return { digest: digestOf(tar), size: tar.length, bytes: streamOf(tar) };
}

describe("commit", () => {
  test("puts a layer on top of its image, which then has a dependent", async () => {
    const parent = await at.images.get("busybox");
    const id = await at.images.commit(layerOf(await tarOf({ "new.txt": "new" })), {
      parent,
      container: { id: "c".repeat(64), config: { Image: "busybox" } },
      config: { ...parent.config, Env: ["A=1"] },
      changes: ["USER ann", "CMD top"],
      repo: "committed",
      tag: "",
      author: "Ann",
      comment: "a note",
      createdBy: "touch /new.txt",
    });
    const image = await at.images.get("committed");
    expect(image).toMatchObject({
      id,
      parent: parent.id,
      container: "c".repeat(64),
      containerConfig: { Image: "busybox" },
      author: "Ann",
      comment: "a note",
      config: { Env: ["A=1"], User: "ann", Cmd: ["/bin/sh", "-c", "top"] },
    });
    expect(image.diffIds.slice(0, -1)).toEqual(parent.diffIds);
    expect(image.history.at(-1)).toMatchObject({ createdBy: "touch /new.txt", comment: "a note", emptyLayer: false });
    expect((await (await at.reopen()).get("committed")).parent).toBe(parent.id);
    await expect(at.images.remove(parent.id, { force: true, prune: true, inUse: new Map() })).rejects.toMatchObject({
      kind: "conflict",
      message: expect.stringContaining("image has dependent child images"),
    });
    await at.images.remove("committed", { force: false, prune: true, inUse: new Map() });
  });
});

describe("tag and remove", () => {
  test("deletes blobs and layers that no other image uses", async () => {
    await at.images.prune({ filters: new Map([["dangling", ["false"]]]), inUse: new Set() });
    expect(await kept()).toEqual({ blobs: [], layers: [] });
    await load(at.images, busyboxImage());
    const alone = await kept();
    expect(alone.blobs).toHaveLength(3);
    expect(alone.layers).toHaveLength(1);

    const parent = await at.images.get("busybox");
    const layer = layerOf(await tarOf({ x: "x" }));
    const container = { id: "", config: {} };
    const committing = {
      parent,
      container,
      config: {},
      changes: [],
      repo: "",
      tag: "",
      author: "",
      comment: "",
      createdBy: "",
    };
    const id = await at.images.commit(layer, committing);
    expect((await kept()).layers).toHaveLength(2);
    const lines = await at.images.remove(id, { force: false, prune: true, inUse: new Map() });
    expect(lines).toEqual([{ Deleted: id }, { Deleted: expect.stringMatching(/^sha256:/) }]);
    expect(await kept()).toEqual(alone);
  });

  test("adds and removes names", async () => {
    const { id } = await at.images.get("busybox");
    await at.images.tag("busybox", { repo: "localhost:5000/team/box", tag: "v1" });
    await at.images.tag(id, { repo: "box", tag: "" });
    expect((await at.images.get(id)).repoTags).toEqual(["box:latest", "busybox:latest", "localhost:5000/team/box:v1"]);
    expect((await (await at.reopen()).get("box")).id).toBe(id);
    const removing = { force: false, prune: true, inUse: new Map() };
    expect(await at.images.remove("localhost:5000/team/box:v1", removing)).toEqual([
      { Untagged: "localhost:5000/team/box:v1" },
    ]);
    expect(await at.images.remove("box", removing)).toEqual([{ Untagged: "box:latest" }]);
    expect(at.events).toEqual(expect.arrayContaining(["tag box:latest", `untag ${id}`]));
  });

  test.each([
    [{ repo: "Bad", tag: "" }, "invalid", "must be lowercase"],
    [{ repo: "good", tag: "" }, "not-found", "No such image: gone:latest"],
    [{ repo: "sha256", tag: "abc" }, "invalid", "refusing to create an ambiguous tag using digest algorithm as name"],
    [{ repo: "good", tag: digestOf("x") }, "invalid", "refusing to create a tag with a digest reference"],
  ])("rejects tag %j", async (target, kind, message) => {
    await expect(at.images.tag("gone", target)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(message),
    });
  });

  // As dockerd's log_image_event: an untag is emitted while the image exists, a delete after it is gone.
  test.each([
    ["one name after the other", ["lab:1", "lab:2"], ["untag", "untag", "delete"]],
    ["by its id", [undefined], ["untag", "untag", "delete"]],
  ])("gives each untag event the image's labels and a delete none: %s", async (_, names, actions) => {
    const changes = ["LABEL a=b"];
    const tar = streamOf(await tarOf({ labelled: "" }));
    const id = await at.images.import(tar, { ...IMPORTING, repo: "lab", tag: "1", changes });
    await at.images.tag(id, { repo: "lab", tag: "2" });
    const before = at.attributes.length;
    for (const name of names) await at.images.remove(name ?? id, { force: true, prune: true, inUse: new Map() });
    expect(at.attributes.slice(before)).toEqual(
      actions.map((action) => ({ action, name: id, ...(action === "untag" ? { a: "b" } : {}) })),
    );
  });

  test("keeps one consistent state after twenty concurrent tags and untags", async () => {
    const { id } = await at.images.get("busybox");
    const tags = Array.from({ length: 20 }, (_, index) => `t${index}`);
    await Promise.all(tags.map((tag) => at.images.tag("busybox", { repo: "many", tag })));
    await Promise.all(
      tags.slice(0, 10).map((tag) => at.images.remove(`many:${tag}`, { force: false, prune: true, inUse: new Map() })),
    );
    const expected = (await at.images.get(id)).repoTags;
    expect(expected.filter((tag) => tag.startsWith("many:"))).toHaveLength(10);
    expect((await (await at.reopen()).get(id)).repoTags).toEqual(expected);
  });
});

describe("prune", () => {
  test("removes untagged images, and with dangling=false every unused image", async () => {
    await at.images.prune({ filters: new Map([["dangling", ["false"]]]), inUse: new Set() });
    await load(at.images, busyboxImage());
    const { id: busyboxId } = await at.images.get("busybox");
    const untagged = await at.images.import(streamOf(await tarOf({ data: Buffer.alloc(100_000, 1) })), {
      ...IMPORTING,
      repo: "",
    });
    const pruned = await at.images.prune({ filters: noFilters, inUse: new Set() });
    expect(pruned.deleted).toEqual([{ Deleted: untagged }, { Deleted: expect.any(String) }]);
    expect(pruned.spaceReclaimed).toBeGreaterThan(99_000);

    const all = new Map([["dangling", ["false"]]]);
    await at.images.tag("busybox", { repo: "second-name", tag: "" });
    expect((await at.images.prune({ filters: all, inUse: new Set([busyboxId]) })).deleted).toEqual([]);
    await at.images.remove("second-name", { force: false, prune: true, inUse: new Map() });
    expect(
      (await at.images.prune({ filters: new Map([...all, ["label", ["nobody=has"]]]), inUse: new Set() })).deleted,
    ).toEqual([]);
    expect((await at.images.prune({ filters: all, inUse: new Set() })).deleted[0]).toEqual({
      Untagged: "busybox:latest",
    });
    expect(await kept()).toEqual({ blobs: [], layers: [] });
  });

  test("rejects an unknown filter", async () => {
    await expect(at.images.prune({ filters: new Map([["reference", ["x"]]]), inUse: new Set() })).rejects.toMatchObject(
      {
        kind: "invalid",
      },
    );
  });
});

describe("save", () => {
  test("loads saved images again, by names and ids, into an empty store", async () => {
    await at.images.tag("busybox", { repo: "saved", tag: "one" });
    await at.images.tag("busybox", { repo: "saved", tag: "two" });
    const untagged = await at.images.import(streamOf(await tarOf({ u: "u" })), { ...IMPORTING, repo: "" });
    const { id } = await at.images.get("busybox");
    const saved = Buffer.concat(await gather(await at.images.save(["saved", untagged.slice(7, 19)])));
    await at.images.prune({ filters: new Map([["dangling", ["false"]]]), inUse: new Set() });
    expect(await load(at.images, saved)).toEqual([
      "Loaded image: saved:one",
      "Loaded image: saved:two",
      `Loaded image ID: ${untagged}`,
    ]);
    expect((await at.images.get("saved:two")).id).toBe(id);
    expect(at.events).toContain(`save ${id}`);
  });

  test.each([
    ["gone", "not-found", "No such image: gone:latest"],
    ["Bad", "invalid", "must be lowercase"],
  ])("rejects %s before the first byte", async (name, kind, message) => {
    await expect(at.images.save(["busybox", name])).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(message),
    });
  });

  test("stops when the reader disconnects", async () => {
    const saved = await at.images.save(["busybox"]);
    const closed = new Promise((resolve) => saved.once("close", resolve));
    for await (const chunk of saved) if (chunk.length > 0) break;
    await closed;
    expect(saved.destroyed).toBe(true);
  });
});
