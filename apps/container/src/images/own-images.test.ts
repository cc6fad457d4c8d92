import type { Constraint } from "@berth/directory-domain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { user } from "../engine/user.testing.ts";
import { imageNamer, imageViewer } from "../policy/images.ts";
import { NEVER, startTestImages, streamOf, type TestImages, tarOf } from "./images.testing.ts";
import { ownBytes } from "./own-bytes.ts";
import { parseReference } from "./reference/reference.ts";

let at: TestImages;
let base: string;
beforeAll(async () => {
  at = await startTestImages();
  base = await imported("base", "base");
});
afterAll(() => at?.dispose());

const ALL = { all: true, filters: new Map() };
const REMOVING = { force: false, prune: true, inUse: new Map() };
const ANN = imageViewer(user(1));
const BOB = imageViewer(user(2));
const ANN_NAMES = imageNamer(user(1));

/** An administrator's image, with this name or none. */
async function imported(content: string, repo = ""): Promise<string> {
  const options = { repo, tag: "1", message: "", changes: [], platform: undefined, signal: NEVER };
  return at.images.import(streamOf(await tarOf({ [content]: content.repeat(1000) })), options);
}

/** A user's image, as a build leaves it. */
async function built(owner: string, content: string, name?: string): Promise<string> {
  const id = await imported(content);
  const { library } = at.context;
  await library.own(owner, id, [[base, "docker.io/library/base:1"]]);
  const reference = name === undefined ? undefined : parseReference(name);
  if (reference?.ok) await library.nameOwn(owner, { ...reference.value, tag: "latest" }, id);
  return id;
}

async function tagsOf(id: string, images = at.images): Promise<Record<"ann" | "bob" | "everyone", unknown>> {
  const of = (viewer: typeof ANN) =>
    images.get(id, { viewer }).then(
      ({ repoTags }) => repoTags,
      ({ kind }) => kind,
    );
  return { ann: await of(ANN), bob: await of(BOB), everyone: await of(undefined) };
}

describe("a user's own image", () => {
  test("is seen by its owner and by administrators alone, and only the owner knows its name", async () => {
    const id = await built("1", "app of ann", "app");
    expect(await tagsOf(id)).toEqual({ ann: ["app:latest"], bob: "not-found", everyone: [] });
    expect((await at.images.get("app", { viewer: ANN })).id).toBe(id);
    expect((await at.images.get("app", { viewer: ANN_NAMES })).id).toBe(id);
    for (const viewer of [BOB, undefined])
      await expect(at.images.get("app", { viewer })).rejects.toMatchObject({ kind: "not-found" });
    expect((await at.images.list({ ...ALL, viewer: BOB })).map((image) => image.id)).not.toContain(id);
    const other = await built("2", "app of bob", "app");
    expect((await at.images.get("app", { viewer: BOB })).id).toBe(other);
    expect((await at.images.get("app", { viewer: ANN })).id).toBe(id);
  });

  test("outlives a restart with its names and its origin", async () => {
    const id = await built("1", "kept", "kept");
    const reopened = await at.reopen();
    expect(await tagsOf(id, reopened)).toEqual({ ann: ["kept:latest"], bob: "not-found", everyone: [] });
    expect(reopened.origin(id, "1")).toEqual({
      references: [id],
      builtFrom: [[base, "docker.io/library/base:1"]],
    });
    expect(reopened.origin(id, "2").builtFrom).toBeUndefined();
  });

  test("stands before everyone's image of the same name, for its owner", async () => {
    const everyones = await imported("everyone's tool", "tool");
    const own = await built("1", "ann's tool");
    await at.images.tag(own, { repo: "tool", tag: "1", viewer: ANN });
    expect((await at.images.get("tool:1", { viewer: ANN })).id).toBe(own);
    expect((await at.images.get("tool:1", { viewer: BOB })).id).toBe(everyones);
    expect((await at.images.get("tool:1")).id).toBe(everyones);
    expect(await at.images.remove("tool:1", { ...REMOVING, viewer: ANN })).toContainEqual({ Deleted: own });
    expect((await at.images.get("tool:1", { viewer: ANN })).id).toBe(everyones);
  });

  test("goes with its last name, and leaves no record", async () => {
    const id = await built("1", "short-lived", "short-lived");
    await at.images.tag("short-lived", { repo: "second", tag: "", viewer: ANN });
    await at.images.remove("short-lived", { ...REMOVING, viewer: ANN });
    expect((await at.images.get("second", { viewer: ANN })).id).toBe(id);
    await at.images.remove("second", { ...REMOVING, viewer: ANN });
    expect(await tagsOf(id)).toEqual({ ann: "not-found", bob: "not-found", everyone: "not-found" });
    expect((await at.store.records()).filter(({ imageId }) => imageId === id)).toEqual([]);
  });

  test("becomes everyone's by an administrator's name, and the owner's again without it", async () => {
    const id = await built("1", "shared later", "mine");
    await at.images.tag(id, { repo: "corp", tag: "1" });
    expect(await tagsOf(id)).toEqual({ ann: ["corp:1", "mine:latest"], bob: ["corp:1"], everyone: ["corp:1"] });
    await at.images.remove("corp:1", REMOVING);
    expect(await tagsOf(id)).toEqual({ ann: ["mine:latest"], bob: "not-found", everyone: [] });
  });

  test("is pruned by its owner, or by an administrator if it has no name at all", async () => {
    const named = await built("1", "named", "named");
    const nameless = await built("1", "nameless");
    const others = await built("2", "another's");
    const pruning = { filters: new Map(), inUse: new Set<string>() };
    await at.images.prune({ ...pruning, owner: "1" });
    expect([await tagsOf(named), await tagsOf(nameless)].map(({ ann }) => ann)).toEqual([
      ["named:latest"],
      "not-found",
    ]);
    expect((await tagsOf(others)).bob).toEqual([]);
    await at.images.prune(pruning);
    expect((await tagsOf(others)).bob).toBe("not-found");
    expect((await tagsOf(named)).ann).toEqual(["named:latest"]);
  });

  test("is removed by an administrator by its id, with its owners' names", async () => {
    const id = await built("1", "unwanted", "unwanted");
    await at.images.remove(id, { ...REMOVING, force: true });
    expect((await at.store.records()).filter(({ imageId }) => imageId === id)).toEqual([]);
    await expect(at.images.get("unwanted", { viewer: ANN })).rejects.toMatchObject({ kind: "not-found" });
  });

  test("takes of the disk what no image of everyone's has", async () => {
    const { catalogue } = at.context.library;
    const before = ownBytes(catalogue, "3");
    expect(before).toBe(0);
    const id = await built("3", "counted");
    const { size } = await at.images.get(id);
    expect(ownBytes(catalogue, "3")).toBe(size);
    await at.images.tag(id, { repo: "counted", tag: "1" });
    expect(ownBytes(catalogue, "3")).toBe(0);
  });
});

describe("everyone's image", () => {
  test("is not a user's to remove, and what a user names of it is its own name", async () => {
    const id = await imported("everyone's", "everyones");
    for (const ref of [id, "everyones:1"])
      await expect(at.images.remove(ref, { ...REMOVING, viewer: ANN })).rejects.toMatchObject({ kind: "forbidden" });
    await at.images.tag("everyones:1", { repo: "alias", tag: "", viewer: ANN });
    expect(await tagsOf(id)).toEqual({
      ann: ["alias:latest", "everyones:1"],
      bob: ["everyones:1"],
      everyone: ["everyones:1"],
    });
    // A container that uses the image has everyone's name of it.
    const inUse = new Map([[id, { containerId: "c1", running: true }]]);
    await at.images.remove("alias", { ...REMOVING, inUse, viewer: ANN });
    expect((await tagsOf(id)).everyone).toEqual(["everyones:1"]);
  });
});

describe("who may run what it built", () => {
  const images = (effect: "limit" | "deny", ...patterns: readonly string[]): Constraint => ({
    kind: "images",
    effect,
    patterns,
  });

  test("is decided by what it was built from, never by its owner's names", async () => {
    const id = await built("1", "decided", "docker.io/library/allowed");
    const sees = (...constraints: readonly Constraint[]) =>
      at.images.get(id, { viewer: imageViewer(user(1, ...constraints)) }).then(
        () => true,
        () => false,
      );
    expect(await sees()).toBe(true);
    expect(await sees(images("limit", "docker.io/library/base:*"))).toBe(true);
    expect(await sees(images("limit", "docker.io/library/allowed:*"))).toBe(false);
    expect(await sees(images("deny", "docker.io/library/base:*"))).toBe(false);
    expect(await sees(images("deny", "docker.io/library/allowed:*"))).toBe(true);
    await at.images.tag(id, { repo: "corp/vetted", tag: "1" });
    expect(await sees(images("limit", "docker.io/corp/*"))).toBe(true);
  });
});
