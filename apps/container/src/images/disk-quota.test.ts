import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { createDiskRoom } from "../host/disk-room.ts";
import { watchedUnpack } from "../runtimes/containerd/images/watched-unpack.ts";
import { AMPLE_ROOM } from "./disk-quota.testing.ts";
import { type Room, within } from "./disk-quota.ts";
import { gather, load, OF_ADMINISTRATOR, startTestImages, streamOf, tarOf, wordsOf } from "./images.testing.ts";
import { digestOf } from "./manifest/manifest.ts";
import { contentOf, startFaultyRegistry } from "./registry/faulty-registry.testing.ts";

const MEBIBYTE = 2 ** 20;
const TIGHT: Room = { ...AMPLE_ROOM, layer: 8 * MEBIBYTE, image: 12 * MEBIBYTE };

const STOPS: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of STOPS.splice(0)) await stop();
});

async function start(room: Room = TIGHT) {
  const at = await startTestImages({}, room);
  STOPS.push(at.dispose);
  const nothingLeft = async () => {
    expect(await at.store.records()).toEqual([]);
    expect(await at.containerd.leases.list()).toEqual([]);
    // Its collector takes what was committed already.
    await expect.poll(() => at.containerd.snapshots.list()).toEqual([]);
    expect(await at.containerd.content.statuses()).toEqual([]);
  };
  return { ...at, nothingLeft };
}

/** A layer of so many mebibytes that is small on the wire. */
async function bomb(name: string, mebibytes: number) {
  const tar = await tarOf({ [name]: Buffer.alloc(mebibytes * MEBIBYTE) });
  return { tar, blob: gzipSync(tar), suffix: "+gzip" as const };
}

/** A `docker save` archive of these layers, as they are. */
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

const LAYER_LIMIT = /takes more than the 8388608 bytes of BERTH_LAYER_LIMIT/;
const IMAGE_LIMIT = /take more than the 12582912 bytes of BERTH_IMAGE_LIMIT/;

async function pullOf(...layers: Awaited<ReturnType<typeof bomb>>[]) {
  const registry = await startFaultyRegistry(contentOf(layers));
  STOPS.push(registry.stop);
  const at = await start();
  const lines = await at.images.pull({ image: `${registry.host}/some/app`, tag: "v1" }, OF_ADMINISTRATOR);
  const words = wordsOf(await gather(lines));
  return { at, registry, last: words.at(-1) ?? "" };
}

describe("what unpacks to more than it may", () => {
  test("is not pulled as a layer", async () => {
    const { at, last } = await pullOf(await bomb("zeros", 64));
    expect(last).toMatch(LAYER_LIMIT);
    await at.nothingLeft();
  });

  test("is not pulled as an image", async () => {
    const { at, last } = await pullOf(await bomb("a", 7), await bomb("b", 7));
    expect(last).toMatch(IMAGE_LIMIT);
    await at.nothingLeft();
  });

  test("is not even asked for where its size says so", async () => {
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

  test("is pulled where it is no more than that", async () => {
    const { last } = await pullOf(await bomb("a", 7), await bomb("b", 4));
    expect(last).toMatch(/^Status: Downloaded newer/);
  });

  test.each([
    ["a layer", [64], LAYER_LIMIT],
    ["an image", [7, 7], IMAGE_LIMIT],
  ])("is not loaded as %s", async (_, sizes, message) => {
    const at = await start();
    const layers = await Promise.all(sizes.map((size, index) => bomb(`file-${index}`, size)));
    expect((await load(at.images, await archiveOf(layers))).at(-1)).toMatch(message);
    await at.nothingLeft();
  });

  test("is not loaded in an archive that is small itself", async () => {
    const at = await start();
    expect((await load(at.images, gzipSync(await tarOf({ "0.tar": Buffer.alloc(64 * MEBIBYTE) })))).at(-1)).toMatch(
      LAYER_LIMIT,
    );
    await at.nothingLeft();
  });

  test("is not imported", async () => {
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

describe("a disk that is as good as full", () => {
  const full = createDiskRoom("/", { layer: 2 ** 36, image: 2 ** 37, reserve: 2 ** 60 });
  const message = /no space left: .* BERTH_DISK_RESERVE/;

  test("takes no more bytes", async () => {
    const bytes = within(full, streamOf(Buffer.from("some")));
    await expect(gather(bytes)).rejects.toMatchObject({ kind: "failed", message: expect.stringMatching(message) });
  });

  test("is not filled by a pull", async () => {
    const registry = await startFaultyRegistry(contentOf([await bomb("a", 1)]));
    STOPS.push(registry.stop);
    const at = await start(full);
    const lines = await at.images.pull({ image: `${registry.host}/some/app`, tag: "v1" }, OF_ADMINISTRATOR);
    expect(wordsOf(await gather(lines)).at(-1)).toMatch(message);
    await at.nothingLeft();
  });
});

describe("an unpacking that containerd does by itself", () => {
  const untilCalledOff = (stop: AbortSignal): Promise<never> =>
    new Promise((_, reject) => stop.addEventListener("abort", () => reject(new Error("cancelled")), { once: true }));
  /** A disk that loses so many bytes at each look. */
  const losing = (bytes: number): Room => {
    let left = 2 ** 40;
    return {
      ...TIGHT,
      free: async () => {
        left -= bytes;
        return left;
      },
    };
  };

  test("is called off when the layer is too large", async () => {
    const usages = [4 * MEBIBYTE, 9 * MEBIBYTE];
    const usage = async () => usages.shift() ?? 0;
    const unpacking = watchedUnpack(losing(5 * MEBIBYTE), { usage, signal: undefined }, untilCalledOff);
    await expect(unpacking).rejects.toMatchObject({ kind: "too-large" });
    expect(usages).toEqual([]);
  });

  test("is called off when the disk is full", async () => {
    const fault = new Error("no space left");
    let looks = 0;
    const room = { ...TIGHT, free: async () => (looks++ < 2 ? 2 ** 30 : Promise.reject(fault)) };
    const unpacking = watchedUnpack(room, { usage: async () => 0, signal: undefined }, untilCalledOff);
    await expect(unpacking).rejects.toBe(fault);
  });

  test("costs no look at the layer while the disk loses less than that", async () => {
    let looks = 0;
    const room = losing(MEBIBYTE / 4);
    const done = new Promise<string>((resolve) => setTimeout(resolve, 500, "done"));
    const usage = async () => ++looks;
    expect(await watchedUnpack(room, { usage, signal: undefined }, () => done)).toBe("done");
    expect(looks).toBe(0);
  });
});
