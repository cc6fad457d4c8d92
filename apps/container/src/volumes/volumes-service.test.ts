import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { viewerOf } from "../engine/owners.ts";
import { createVolumeFolders, unmountVolumes } from "./folders.ts";
import { MemoryVolumes } from "./memory-volumes.testing.ts";
import type { Volume } from "./volumes.ts";
import { LocalVolumes, type VolumeStore } from "./volumes-service.ts";

const OUTSIDE = { events: { emit: () => undefined }, now: () => "2026-01-01T00:00:00Z" };
const HOST = viewerOf(undefined);
const EVERYTHING = { anonymousOnly: false, viewer: HOST };
const NO_ROWS: VolumeStore = { load: async () => [], insert: async () => undefined, delete: async () => undefined };

it.each(["nope", "__proto__", "toString"])("refuses the filter %s", async (key) => {
  const { folders } = new MemoryVolumes();
  const volumes = await LocalVolumes.open(NO_ROWS, folders, OUTSIDE);
  const filters = new Map([[key, ["x"]]]);
  await expect(volumes.prune(filters, new Set(), EVERYTHING)).rejects.toThrow(`invalid filter '${key}'`);
  await volumes.create({ name: "one", anonymous: true, owner: undefined, driver: "", options: {}, labels: {} });
  await expect(volumes.prune(filters, new Set(), EVERYTHING)).rejects.toThrow(`invalid filter '${key}'`);
  expect(volumes.find("one", HOST)).toBeDefined();
});

it.each([
  ["a", {}, "create a: volume name is too short"],
  ["x".repeat(231), {}, "a volume's name has at most 230 characters, not 231"],
  ["one", { nope: "1" }, 'create one: invalid option: "nope"'],
  ["one", { type: "tmpfs" }, 'create one: missing required option: "device"'],
  ["one", { device: "/dev/x", o: "ro" }, 'create one: missing required option: "type"'],
])("makes no volume %s with options %j", async (name, options, message) => {
  const volumes = await LocalVolumes.open(NO_ROWS, createVolumeFolders("/nowhere"), OUTSIDE);
  const wish = { name, anonymous: false, owner: undefined, driver: "", options, labels: {} };
  await expect(volumes.create(wish)).rejects.toMatchObject({
    kind: "invalid",
    message: expect.stringContaining(message),
  });
  expect(volumes.find(name, HOST)).toBeUndefined();
});

it("never prunes a volume whose options mount something", async () => {
  const volumes = await LocalVolumes.open(NO_ROWS, new MemoryVolumes().folders, OUTSIDE);
  const wish = { anonymous: false, owner: undefined, driver: "", labels: {} };
  await volumes.create({ ...wish, name: "plain", options: {} });
  await volumes.create({ ...wish, name: "mounting", options: { type: "tmpfs", device: "none" } });
  const { deleted } = await volumes.prune(new Map(), new Set(), EVERYTHING);
  expect(deleted).toEqual(["plain"]);
});

describe("volumes of several owners", () => {
  it("are each its own where both are made at once", async () => {
    const volumes = await LocalVolumes.open(NO_ROWS, new MemoryVolumes().folders, OUTSIDE);
    const both = await Promise.all(["1", "2"].map((owner) => volumes.create({ ...wish, owner })));
    expect(both.map(({ owner, mountpoint }) => [owner, mountpoint])).toEqual([
      ["1", "/volumes/1@data/_data"],
      ["2", "/volumes/2@data/_data"],
    ]);
  });

  const wish = { name: "data", anonymous: false, driver: "", options: {}, labels: {} };
  const [ann, bob] = [viewerOf("1"), viewerOf("2")];

  it("are apart: one name is a volume, a folder and a listing of each", async () => {
    const volumes = await LocalVolumes.open(NO_ROWS, new MemoryVolumes().folders, OUTSIDE);
    for (const owner of ["1", "2", undefined]) await volumes.create({ ...wish, owner });
    expect(volumes.get("data", ann).mountpoint).toBe("/volumes/1@data/_data");
    expect(volumes.mountpoint("data", bob)).toBe("/volumes/2@data/_data");
    expect(volumes.get("data", HOST).mountpoint).toBe("/volumes/data/_data");
    expect(volumes.get("2/data", HOST).owner).toBe("2");
    expect(volumes.find("2/data", ann)).toBeUndefined();
    expect(volumes.list(new Map(), new Set(), ann).map(({ owner }) => owner)).toEqual(["1"]);
    await volumes.prune(new Map(), new Set(), { anonymousOnly: false, viewer: ann });
    expect(volumes.list(new Map(), new Set(), HOST).map(({ owner }) => owner)).toEqual(["2", undefined]);
  });

  it("never share a folder with a volume that is older than owners", async () => {
    const old = { ...wish, folder: "data", owner: "1", createdAt: OUTSIDE.now() };
    const rows = { ...NO_ROWS, load: async () => [old] };
    const volumes = await LocalVolumes.open(rows, new MemoryVolumes().folders, OUTSIDE);
    expect(volumes.get("data", ann).mountpoint).toBe("/volumes/data/_data");
    expect((await volumes.create({ ...wish, owner: undefined })).mountpoint).toBe("/volumes/@data/_data");
  });
});

describe("a volume whose options mount something", () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "berth-volumes-"));
  });

  afterEach(async () => {
    await rm(root, { recursive: true });
  });

  const mounts = async () =>
    (await readFile("/proc/self/mountinfo", "utf8")).split("\n").filter((line) => line.includes(root)).length;

  /** The service after the host's restart: a row, and nothing mounted. */
  const restarted = (options: Volume["options"]) => {
    const row = {
      name: "one",
      folder: "one",
      createdAt: OUTSIDE.now(),
      labels: {},
      options,
      anonymous: false,
      owner: undefined,
    };
    return LocalVolumes.open({ ...NO_ROWS, load: async () => [row] }, createVolumeFolders(root), OUTSIDE);
  };

  it("is mounted once for concurrent users", async () => {
    const volumes = await restarted({ type: "tmpfs", device: "none", o: "size=1m" });
    try {
      expect(await mounts()).toBe(0);
      await Promise.all([
        volumes.ready(volumes.mountpoint("one", HOST)),
        volumes.ready(volumes.mountpoint("one", HOST)),
      ]);
      expect(await mounts()).toBe(1);
    } finally {
      await volumes.remove(volumes.get("one", HOST), { inUse: new Set() });
    }
    expect(await mounts()).toBe(0);
  });

  it("is unmounted with the others of its folder only", async () => {
    const volumes = await restarted({ type: "tmpfs", device: "none", o: "size=1m" });
    await volumes.ready(volumes.mountpoint("one", HOST));
    await unmountVolumes(`${root}/other`);
    expect(await mounts()).toBe(1);
    await unmountVolumes(root);
    expect(await mounts()).toBe(0);
  });

  it("may name a folder that comes later, and mounts it once a container needs it", async () => {
    const volumes = await LocalVolumes.open(NO_ROWS, createVolumeFolders(root), OUTSIDE);
    const device = join(root, "later");
    const options = { type: "none", o: "bind", device };
    const wish = { name: "bound", anonymous: false, owner: undefined, driver: "", labels: {}, options };
    const volume = await volumes.create(wish);
    await expect(volumes.ready(volume.mountpoint)).rejects.toThrow(
      `failed to mount local volume: mount ${device}:${volume.mountpoint}: special device ${device} does not exist.`,
    );
    await mkdir(device);
    try {
      await volumes.ready(volume.mountpoint);
      await writeFile(join(device, "a"), "");
      expect(await readdir(volume.mountpoint)).toEqual(["a"]);
    } finally {
      await volumes.remove(volume, { inUse: new Set() });
    }
    expect(await readdir(device)).toEqual(["a"]);
  });

  it("fails only its user where it cannot be mounted", async () => {
    const volumes = await restarted({ type: "nope", device: "none" });
    expect(volumes.find("one", HOST)).toBeDefined();
    await expect(volumes.ready(volumes.mountpoint("one", HOST))).rejects.toThrow(
      "failed to mount local volume: mount none:",
    );
  });
});
