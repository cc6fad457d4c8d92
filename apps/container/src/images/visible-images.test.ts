import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { busyboxImage } from "../../../../tools/busybox-image.mjs";
import { ADMINISTRATOR } from "../containers/containers-service.testing.ts";
import { user } from "../engine/user.testing.ts";
import { imageViewer } from "../policy/images.ts";
import { gather, load, NEVER, startTestImages, streamOf, type TestImages, tarOf } from "./images.testing.ts";

let at: TestImages;
beforeAll(async () => {
  at = await startTestImages();
  await load(at.images, busyboxImage());
});
afterAll(() => at?.dispose());

const IMPORTING = { tag: "", message: "", changes: [], platform: undefined, signal: NEVER };
const noFilters = new Map();

describe("a viewer that sees some images", () => {
  const sees = (pattern: string) => imageViewer(user(1, { kind: "images", effect: "limit", patterns: [pattern] }));
  const named = async (content: string, ...repos: readonly [string, ...string[]]) => {
    const [first, ...others] = repos;
    const id = await at.images.import(streamOf(await tarOf({ content })), { ...IMPORTING, repo: first, tag: "1" });
    for (const repo of others) await at.images.tag(id, { repo, tag: "1" });
    return id;
  };

  test("reads an image by any of its names if one of them passes, and no other image", async () => {
    const shared = await named("shared", "team-a/app", "team-b/app");
    const secret = await named("secret", "team-b/secret");
    const nameless = await at.images.import(streamOf(await tarOf({ nameless: "" })), { ...IMPORTING, repo: "" });
    const viewer = sees("docker.io/team-a/*");
    for (const ref of [shared, shared.slice(7, 19), "team-a/app:1", "team-b/app:1"]) {
      expect((await at.images.get(ref, { viewer })).id).toBe(shared);
      (await at.images.save([ref], { viewer })).destroy();
    }
    for (const ref of [secret, secret.slice(7, 19), "team-b/secret:1", nameless]) {
      const missing = { kind: "not-found", message: expect.stringContaining("No such image: ") };
      await expect(at.images.get(ref, { viewer })).rejects.toMatchObject(missing);
      await expect(at.images.save(["team-a/app:1", ref], { viewer })).rejects.toMatchObject(missing);
    }
    const listed = await at.images.list({ all: true, filters: noFilters, viewer });
    expect(listed.map(({ id }) => id)).toEqual([shared]);
    await expect(
      at.images.list({ all: true, filters: new Map([["since", ["team-b/secret:1"]]]), viewer }),
    ).rejects.toMatchObject({ kind: "not-found" });
  });

  test("saves those tags of a repository that pass", async () => {
    const one = await at.images.import(streamOf(await tarOf({ one: "1" })), { ...IMPORTING, repo: "tags", tag: "one" });
    await at.images.import(streamOf(await tarOf({ two: "2" })), { ...IMPORTING, repo: "tags", tag: "two" });
    const before = at.events.length;
    await gather(await at.images.save(["tags"], { viewer: sees("docker.io/library/tags:one") }));
    expect(at.events.slice(before)).toEqual([`save ${one}`]);
  });

  test("is everyone without a constraint on images", async () => {
    const { id } = await at.images.get("busybox");
    for (const viewer of [imageViewer(user(1)), imageViewer(ADMINISTRATOR)])
      expect((await at.images.get("busybox", { viewer })).id).toBe(id);
  });
});
