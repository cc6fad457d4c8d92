import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { load, startTestImages, type TestImages, tarOf } from "../images.testing.ts";
import { digestOf, MEDIA_TYPES } from "../manifest/manifest.ts";
import { contentOf } from "../registry/faulty-registry.testing.ts";

let at: TestImages;
beforeAll(async () => {
  at = await startTestImages();
});
afterAll(() => at?.dispose());

function pathOf(bytes: Buffer): string {
  return `blobs/sha256/${digestOf(bytes).slice("sha256:".length)}`;
}

async function image(text: string, architecture = "amd64") {
  const tar = await tarOf({ [`${text}.txt`]: text });
  const content = contentOf([{ tar, blob: gzipSync(tar), suffix: "+gzip" }], { architecture });
  const manifest = content.manifests.v1?.bytes ?? Buffer.alloc(0);
  const files = Object.fromEntries([manifest, ...content.blobs].map((blob) => [pathOf(blob), blob]));
  const descriptor = { mediaType: MEDIA_TYPES.manifest, digest: digestOf(manifest), size: manifest.length };
  return { ...content, files, descriptor, layer: content.blobs[1] ?? Buffer.alloc(0) };
}

function layoutOf(manifests: readonly object[], files: Parameters<typeof tarOf>[0]): Promise<Buffer> {
  return tarOf({
    "oci-layout": '{"imageLayoutVersion":"1.0.0"}',
    "index.json": JSON.stringify({ schemaVersion: 2, manifests }),
    ...files,
  });
}

describe("OCI layouts", () => {
  test.each([
    [{ "io.containerd.image.name": "docker.io/library/named:v1" }, "Loaded image: named:v1"],
    [{ "org.opencontainers.image.ref.name": "localhost:5000/a/b:v2" }, "Loaded image: localhost:5000/a/b:v2"],
    [{ "org.opencontainers.image.ref.name": "latest" }, undefined],
    [{}, undefined],
  ])("with annotations %j", async (annotations, line) => {
    const { descriptor, files, imageId } = await image("hello");
    const lines = await load(at.images, await layoutOf([{ ...descriptor, annotations }], files));
    expect(lines).toEqual([line ?? `Loaded image ID: ${imageId}`]);
    expect((await at.images.get(imageId)).id).toBe(imageId);
    // The manifest is stored unchanged, so that a push keeps its digest.
    expect((await at.store.records()).find(({ name }) => name === imageId)?.manifest).toEqual(descriptor);
  });

  test("selects the image for the host's platform from a nested index", async () => {
    const [own, other] = await Promise.all([image("own"), image("other", "s390x")]);
    const inner = Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        manifests: [
          { ...other.descriptor, platform: { os: "linux", architecture: "s390x" } },
          { ...own.descriptor, platform: { os: "linux", architecture: "amd64" } },
        ],
      }),
    );
    const top = { mediaType: MEDIA_TYPES.index, digest: digestOf(inner), size: inner.length };
    const named = { ...top, annotations: { "io.containerd.image.name": "docker.io/library/multi:latest" } };
    // The blobs of other platforms may be missing.
    const archive = await layoutOf([named], { [pathOf(inner)]: inner, ...own.files });
    expect(await load(at.images, archive)).toEqual(["Loaded image: multi:latest"]);
    expect((await at.images.get("multi")).id).toBe(own.imageId);
  });

  test.each([
    ["a manifest that is missing", async () => layoutOf([(await image("x")).descriptor], {}), /which is not in it/],
    [
      "a layer that is missing",
      async () => {
        const { descriptor, files, layer } = await image("gone");
        const { [pathOf(layer)]: _, ...rest } = files;
        return layoutOf([descriptor], rest);
      },
      /which is not in it/,
    ],
    [
      "a small blob of other bytes",
      async () => {
        const { descriptor, files, layer } = await image("forged");
        return layoutOf([descriptor], { ...files, [pathOf(layer)]: gzipSync(await tarOf({ "evil.txt": "evil" })) });
      },
      /unexpected commit (digest|size)/,
    ],
    [
      "a large blob of other bytes",
      async () => {
        const { descriptor, files } = await image("large");
        return layoutOf([descriptor], { ...files, [`blobs/sha256/${"0".repeat(64)}`]: Buffer.alloc(100_000, 1) });
      },
      /unexpected commit digest/,
    ],
    [
      "a manifest of other bytes",
      async () => {
        const [own, other] = await Promise.all([image("one"), image("two")]);
        const path = `blobs/${own.descriptor.digest.replace(":", "/")}`;
        const manifest = other.manifests.v1?.bytes ?? "";
        return layoutOf([own.descriptor], { ...own.files, ...other.files, [path]: manifest });
      },
      /unexpected commit (digest|size)/,
    ],
    ["an index that is none", () => tarOf({ "index.json": "[]" }), /index.json: unsupported manifest format/],
    [
      "an index without end",
      async () => {
        // It cannot contain its own digest, so the name and the content differ.
        const inner = Buffer.from(JSON.stringify({ schemaVersion: 2, manifests: [] }));
        const top = { mediaType: MEDIA_TYPES.index, digest: digestOf(inner), size: inner.length };
        return layoutOf([top], { [pathOf(inner)]: inner });
      },
      /has no image for any platform/,
    ],
  ])("%s: reports an error line and keeps nothing", async (_, archive, message) => {
    const before = await at.store.records();
    const lines = await load(at.images, await archive());
    expect(lines.at(-1)).toMatch(/^error: /);
    expect(lines.at(-1)).toMatch(message);
    expect(await at.store.records()).toEqual(before);
  });
});
