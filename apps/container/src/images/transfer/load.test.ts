import { execFileSync } from "node:child_process";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { busyboxImage } from "../../../../../tools/busybox-image.mjs";
import { EngineError } from "../../engine/errors.ts";
import { gather, load, NEVER, startTestImages, streamOf, type TestImages, tarOf, wordsOf } from "../images.testing.ts";
import { digestOf } from "../manifest/manifest.ts";

let at: TestImages;
beforeAll(async () => {
  at = await startTestImages();
});
afterAll(() => at?.dispose());

const busybox = busyboxImage();
function packed(program: string, input: Buffer): Buffer {
  return execFileSync(program, ["-cq"], { input, maxBuffer: 64 << 20 });
}

/** An archive of a one-layer image with the given changes. */
async function archiveWith(changes: {
  readonly tags?: readonly string[] | null;
  readonly layer?: Buffer;
  readonly diffId?: string;
  readonly layerPath?: string;
  readonly files?: Parameters<typeof tarOf>[0];
}): Promise<Buffer> {
  const plain = await tarOf({ "hello.txt": "hello\n" });
  const {
    tags = ["test/hello:v1"],
    layer = plain,
    diffId = digestOf(plain),
    layerPath = "layer.tar",
    files = {},
  } = changes;
  const config = JSON.stringify({ os: "linux", architecture: "amd64", rootfs: { type: "layers", diff_ids: [diffId] } });
  return await tarOf({
    "layer.tar": layer,
    "config.json": config,
    "manifest.json": JSON.stringify([{ Config: "config.json", RepoTags: tags, Layers: [layerPath] }]),
    ...files,
  });
}

describe("docker archives", () => {
  test("loads busybox and runs it", async () => {
    expect(await load(at.images, busybox)).toEqual(["Loaded image: busybox:latest"]);
    const image = await at.images.get("busybox");
    expect(image.repoTags).toEqual(["busybox:latest"]);
    expect(image.config.Cmd).toEqual(["sh"]);
    expect(image.size).toBeGreaterThan(1_900_000);
    expect(image.layers).toBe(image.diffIds[0]);
    expect((await at.containerd.snapshots.stat(image.layers)).kind).toBe("COMMITTED");
  });

  test.each(["gzip", "zstd", "xz", "bzip2"])("loads an archive compressed with %s", async (program) => {
    const archive = await archiveWith({ tags: [`packed/${program}:v1`] });
    expect(await load(at.images, packed(program, archive))).toEqual([`Loaded image: packed/${program}:v1`]);
    expect((await at.images.get(`packed/${program}:v1`)).os).toBe("linux");
  });

  test("keeps the same images after a restart", async () => {
    await load(at.images, busybox);
    const again = await at.reopen();
    expect(await again.get("busybox:latest")).toEqual(await at.images.get("busybox:latest"));
    expect(await again.list({ all: false, filters: new Map() })).toEqual(
      await at.images.list({ all: false, filters: new Map() }),
    );
  });

  const hello = tarOf({ "hello.txt": "hello\n" });
  test.each([
    ["gzip", async () => ({ layer: gzipSync(await hello) })],
    ["zstd", async () => ({ layer: packed("zstd", await hello) })],
    ["xz", async () => ({ layer: packed("xz", await hello) })],
    [
      "a symbolic link to it",
      async () => ({ layerPath: "a/b/layer.tar", files: { "a/b/layer.tar": { symlink: "../../layer.tar" } } }),
    ],
    ["a hard link to it", async () => ({ layerPath: "other.tar", files: { "other.tar": { hardlink: "layer.tar" } } })],
    ["a path that begins with ./", async () => ({ layerPath: "./layer.tar" })],
  ])("loads a layer stored as %s", async (_, changes) => {
    expect(await load(at.images, await archiveWith(await changes()))).toEqual(["Loaded image: test/hello:v1"]);
    expect((await at.images.get("test/hello:v1")).diffIds).toEqual([digestOf(await hello)]);
  });

  test("reports the id of an untagged image and keeps it", async () => {
    const archive = await archiveWith({
      tags: null,
      files: {
        "config.json": JSON.stringify({ os: "linux", rootfs: { type: "layers", diff_ids: [] } }),
        "manifest.json": JSON.stringify([{ Config: "config.json", RepoTags: null, Layers: [] }]),
      },
    });
    const [line = ""] = await load(at.images, archive);
    const id = /^Loaded image ID: (sha256:[0-9a-f]{64})$/.exec(line)?.[1] ?? "";
    expect((await at.images.get(id.slice("sha256:".length, 20))).repoTags).toEqual([]);
    expect((await (await at.reopen()).get(id)).id).toBe(id);
  });

  test("moves a tag to the new image and keeps the old image", async () => {
    await load(at.images, await archiveWith({ tags: ["moved:latest"] }));
    const before = await at.images.get("moved");
    const other = await tarOf({ "other.txt": "other" });
    const lines = await load(
      at.images,
      await archiveWith({ tags: ["moved:latest"], layer: other, diffId: digestOf(other) }),
    );
    expect(lines).toEqual([
      `The image moved:latest already exists, renaming the old one with ID ${before.id} to empty string`,
      "Loaded image: moved:latest",
    ]);
    expect((await at.images.get(before.id)).repoTags).not.toContain("moved:latest");
    expect((await at.images.get("moved")).id).not.toBe(before.id);
  });
});

describe("hostile archives", () => {
  const cases: readonly (readonly [string, () => Promise<Buffer>, RegExp])[] = [
    ["nothing", async () => Buffer.alloc(0), /does not contain a manifest.json/],
    ["a few letters", async () => Buffer.from("abc"), /invalid archive: Unexpected end of data/],
    ["garbage", async () => Buffer.alloc(4096, "garbage"), /invalid archive: Invalid tar header/],
    ["a broken gzip", async () => gzipSync(busybox).subarray(0, 5000), /gzip: unexpected end of file/],
    ["a broken zstd", async () => packed("zstd", busybox).subarray(0, 5000), /zstd: /],
    ["a tar that ends early", async () => busybox.subarray(0, 100_000), /Unexpected end of data/],
    ["a tar without a manifest", () => tarOf({ "a.txt": "a" }), /does not contain a manifest.json/],
    ["a manifest that is no JSON", () => tarOf({ "manifest.json": "{" }), /failed to decode manifest.json/],
    ["a manifest that is null", () => tarOf({ "manifest.json": "null" }), /failed to decode manifest.json/],
    ["a manifest of the wrong shape", () => tarOf({ "manifest.json": '[{"Config":1}]' }), /0\.Config: /],
    [
      "a layer that is missing",
      () => archiveWith({ layerPath: "gone.tar" }),
      /it names "gone.tar", which is not in it/,
    ],
    [
      "a path out of the archive",
      () => archiveWith({ layerPath: "../../../../etc/passwd" }),
      /"..\/..\/..\/..\/etc\/passwd", which is not in it/,
    ],
    [
      "a link out of the archive",
      () => archiveWith({ layerPath: "out", files: { out: { symlink: "/etc/passwd" } } }),
      /"out", which is not in it/,
    ],
    [
      "a link to itself",
      () => archiveWith({ layerPath: "loop", files: { loop: { symlink: "loop" } } }),
      /"loop", which is not in it/,
    ],
    [
      "a wrong diff id",
      () => archiveWith({ diffId: digestOf("something else") }),
      /failed to register layer: .* unpacks to/,
    ],
    [
      "a diff id that is none",
      () => archiveWith({ diffId: "sha256:../../x" }),
      /rootfs\.diff_ids\.0: is no sha256 digest/,
    ],
    [
      "a layer that is no tar",
      () => archiveWith({ layer: Buffer.alloc(100_000, 7), diffId: digestOf(Buffer.alloc(100_000, 7)) }),
      /failed to register layer/,
    ],
    ["a bad tag", () => archiveWith({ tags: ["Bad/Tag:x"] }), /invalid reference format/],
    [
      "more diff ids than layers",
      () =>
        archiveWith({
          files: {
            "config.json": JSON.stringify({
              os: "linux",
              rootfs: { type: "layers", diff_ids: [digestOf("a"), digestOf("b")] },
            }),
          },
        }),
      /layers length mismatch/,
    ],
    [
      "an image for another system",
      () =>
        archiveWith({
          files: {
            "config.json": JSON.stringify({ os: "windows", rootfs: { type: "layers", diff_ids: [digestOf("a")] } }),
          },
        }),
      /cannot load windows image on linux/,
    ],
  ];

  test.each(cases)("%s: reports an error line and keeps nothing", async (_, archive, message) => {
    const before = await at.store.records();
    const lines = await load(at.images, await archive());
    expect(lines.at(-1)).toMatch(/^error: /);
    expect(lines.at(-1)).toMatch(message);
    expect(await at.store.records()).toEqual(before);
    expect(await at.containerd.leases.list()).toEqual([]);
  });

  test("drains the rest of a rejected upload, so that the client receives the error", async () => {
    const upload = streamOf(Buffer.alloc(5_000_000, "garbage"));
    const ended = finished(upload);
    const lines = wordsOf(await gather(await at.images.load(upload, { quiet: true, signal: NEVER })));
    expect(lines).toEqual([expect.stringMatching(/^error: invalid archive: Invalid tar header/)]);
    await ended;
    expect(upload.readableEnded).toBe(true);
  });

  test("reports an interrupted upload as the client's fault", async () => {
    async function* broken() {
      yield busybox.subarray(0, 100_000);
      throw new EngineError("invalid", "the client left");
    }
    const lines = await gather(await at.images.load(Readable.from(broken()), { quiet: true, signal: NEVER }));
    expect(wordsOf(lines)).toEqual(["error: the client left"]);
    expect(await at.containerd.leases.list()).toEqual([]);
  });

  test("keeps no image of an archive with one bad image", async () => {
    const layer = await tarOf({ "only.txt": "here" });
    const config = JSON.stringify({ os: "linux", rootfs: { type: "layers", diff_ids: [digestOf(layer)] } });
    const archive = await tarOf({
      "layer.tar": layer,
      "good.json": config,
      "manifest.json": JSON.stringify([
        { Config: "good.json", RepoTags: ["half:good"], Layers: ["layer.tar"] },
        { Config: "missing.json", RepoTags: ["half:bad"], Layers: [] },
      ]),
    });
    expect((await load(at.images, archive)).at(-1)).toMatch(/^error: /);
    await expect(at.images.get("half:good")).rejects.toThrow("No such image: half:good");
  });
});
