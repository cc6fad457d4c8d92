import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { createDiskQuota } from "../host/disk-quota.ts";
import { watchedUnpack } from "../runtimes/containerd/images/watched-unpack.ts";
import { AMPLE_QUOTA } from "./disk-quota.testing.ts";
import { type DiskQuota, within } from "./disk-quota.ts";
import { gather, load, OF_ADMINISTRATOR, startTestImages, streamOf, tarOf, wordsOf } from "./images.testing.ts";
import { digestOf } from "./manifest/manifest.ts";
import { contentOf, startFaultyRegistry } from "./registry/faulty-registry.testing.ts";

const MEBIBYTE = 2 ** 20;
const TIGHT: DiskQuota = { ...AMPLE_QUOTA, layer: 8 * MEBIBYTE, image: 12 * MEBIBYTE };

const STOPS: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of STOPS.splice(0)) await stop();
});

async function start(quota: DiskQuota = TIGHT) {
  const at = await startTestImages({}, quota);
  STOPS.push(at.dispose);
  const nothingLeft = async () => {
    expect(await at.store.records()).toEqual([]);
    expect(await at.containerd.leases.list()).toEqual([]);
    // containerd's garbage collector removes committed snapshots.
    await expect.poll(() => at.containerd.snapshots.list()).toEqual([]);
    expect(await at.containerd.content.statuses()).toEqual([]);
  };
  return { ...at, nothingLeft };
}

/** A layer of `mebibytes` that compresses to a few bytes. */
async function bomb(name: string, mebibytes: number) {
  const tar = await tarOf({ [name]: Buffer.alloc(mebibytes * MEBIBYTE) });
  return { tar, blob: gzipSync(tar), suffix: "+gzip" as const };
}

/** A `docker save` archive of the layers. */
function archiveOf(layers: readonly { readonly tar: Buffer; readonly blob: Buffer }[]) {
  return tarOf({
    ...Object.fromEntries(layers.map(({ blob }, index) => [`${index}.tar`, blob])),
    "config.json": JSON.stringify({
      os: "linux",
      architecture: "amd64",
      rootfs: { type: "layers", diff_ids: layers.map(({ tar }) => digestOf(tar)) },
    }),
    "manifest.json": JSON.stringify([
      { Config: "config.json", RepoTags: ["bomb:1"], Layers: layers.map((_, index) => `${index}.tar`) },
    ]),
  });
}

const LAYER_LIMIT = /exceeds BERTH_LAYER_LIMIT \(8388608 bytes\)/;
const IMAGE_LIMIT = /exceed BERTH_IMAGE_LIMIT \(12582912 bytes\)/;

async function pullOf(...layers: Awaited<ReturnType<typeof bomb>>[]) {
  const registry = await startFaultyRegistry(contentOf(layers));
  STOPS.push(registry.stop);
  const at = await start();
  const lines = await at.images.pull({ image: `${registry.host}/some/app`, tag: "v1" }, OF_ADMINISTRATOR);
  const words = wordsOf(await gather(lines));
  return { at, registry, last: words.at(-1) ?? "" };
}

describe("an image beyond the disk quota", () => {
  test("fails to pull if a layer exceeds the limit", async () => {
    const { at, last } = await pullOf(await bomb("zeros", 64));
    expect(last).toMatch(LAYER_LIMIT);
    await at.nothingLeft();
  });

  test("fails to pull if the layers together exceed the limit", async () => {
    const { at, last } = await pullOf(await bomb("a", 7), await bomb("b", 7));
    expect(last).toMatch(IMAGE_LIMIT);
    await at.nothingLeft();
  });

  test("is not fetched if the manifest's sizes exceed the limit", async () => {
    const content = contentOf([await bomb("a", 1)]);
    const [manifest] = Object.values(content.manifests);
    const large = JSON.parse(manifest?.bytes.toString() ?? "");
    large.layers[0].size = 13 * MEBIBYTE;
    const bytes = Buffer.from(JSON.stringify(large));
    const registry = await startFaultyRegistry({
      ...content,
      manifests: { v1: { bytes, mediaType: large.mediaType } },
    });
    STOPS.push(registry.stop);
    const at = await start();
    const lines = await at.images.pull({ image: `${registry.host}/some/app`, tag: "v1" }, OF_ADMINISTRATOR);
    expect(wordsOf(await gather(lines)).at(-1)).toMatch(IMAGE_LIMIT);
    expect(registry.requests.filter((line) => line.includes("/blobs/"))).toEqual([]);
  });

  test("is pulled when it stays within the limit", async () => {
    const { last } = await pullOf(await bomb("a", 7), await bomb("b", 4));
    expect(last).toMatch(/^Status: Downloaded newer/);
  });

  test.each([
    ["a layer", [64], LAYER_LIMIT],
    ["an image", [7, 7], IMAGE_LIMIT],
  ])("fails to load as %s", async (_, sizes, message) => {
    const at = await start();
    const layers = await Promise.all(sizes.map((size, index) => bomb(`file-${index}`, size)));
    expect((await load(at.images, await archiveOf(layers))).at(-1)).toMatch(message);
    await at.nothingLeft();
  });

  test("fails to load from a small compressed archive", async () => {
    const at = await start();
    expect((await load(at.images, gzipSync(await tarOf({ "0.tar": Buffer.alloc(64 * MEBIBYTE) })))).at(-1)).toMatch(
      LAYER_LIMIT,
    );
    await at.nothingLeft();
  });

  test("fails to import", async () => {
    const at = await start();
    const { blob } = await bomb("zeros", 64);
    const options = {
      repo: "",
      tag: "",
      message: "",
      changes: [],
      platform: undefined,
      signal: OF_ADMINISTRATOR.signal,
    };
    await expect(at.images.import(streamOf(blob), options)).rejects.toMatchObject({
      kind: "too-large",
      message: expect.stringMatching(LAYER_LIMIT),
    });
    await at.nothingLeft();
  });
});

describe("a disk below its reserve", () => {
  const full = createDiskQuota("/", { layer: 2 ** 36, image: 2 ** 37, reserve: 2 ** 60 });
  const message = /no space left on .* BERTH_DISK_RESERVE/;

  test("rejects further bytes", async () => {
    const bytes = within(full, streamOf(Buffer.from("some")));
    await expect(gather(bytes)).rejects.toMatchObject({ kind: "full", message: expect.stringMatching(message) });
  });

  test("fails a pull", async () => {
    const registry = await startFaultyRegistry(contentOf([await bomb("a", 1)]));
    STOPS.push(registry.stop);
    const at = await start(full);
    const lines = await at.images.pull({ image: `${registry.host}/some/app`, tag: "v1" }, OF_ADMINISTRATOR);
    expect(wordsOf(await gather(lines)).at(-1)).toMatch(message);
    await at.nothingLeft();
  });
});

describe("an unpack that runs inside containerd", () => {
  const untilAborted = (stop: AbortSignal): Promise<never> =>
    new Promise((_, reject) => stop.addEventListener("abort", () => reject(new Error("cancelled")), { once: true }));
  /** A disk that loses `bytes` between two checks. */
  const losing = (bytes: number): DiskQuota => {
    let left = 2 ** 40;
    return {
      ...TIGHT,
      free: async () => {
        left -= bytes;
        return left;
      },
    };
  };

  test("is aborted when the layer is too large", async () => {
    const usages = [4 * MEBIBYTE, 9 * MEBIBYTE];
    const usage = async () => usages.shift() ?? 0;
    const unpacking = watchedUnpack(losing(5 * MEBIBYTE), { usage, signal: undefined }, untilAborted);
    await expect(unpacking).rejects.toMatchObject({ kind: "too-large" });
    expect(usages).toEqual([]);
  });

  test("is aborted when the disk is full", async () => {
    const fault = new Error("no space left");
    let looks = 0;
    const quota = { ...TIGHT, free: async () => (looks++ < 2 ? 2 ** 30 : Promise.reject(fault)) };
    const unpacking = watchedUnpack(quota, { usage: async () => 0, signal: undefined }, untilAborted);
    await expect(unpacking).rejects.toBe(fault);
  });

  test("does not measure the layer while the disk loses less than the limit", async () => {
    let looks = 0;
    const quota = losing(MEBIBYTE / 4);
    const done = new Promise<string>((resolve) => setTimeout(resolve, 500, "done"));
    const usage = async () => ++looks;
    expect(await watchedUnpack(quota, { usage, signal: undefined }, () => done)).toBe("done");
    expect(looks).toBe(0);
  });
});
