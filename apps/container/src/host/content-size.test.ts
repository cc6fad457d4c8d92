import { link, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { contentSize } from "./content-size.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "berth-size-"));
});
afterAll(() => rm(dir, { recursive: true }));

it.each<[string, (root: string) => Promise<unknown>, number]>([
  ["nothing", async () => undefined, 0],
  ["folders", (root) => mkdir(join(root, "a/b/c"), { recursive: true }), 0],
  [
    "files at any depth",
    async (root) => {
      await mkdir(join(root, "a/b"), { recursive: true });
      await writeFile(join(root, "a/b/five"), "12345");
      await writeFile(join(root, "three"), "123");
    },
    8,
  ],
  [
    "a file of two names once",
    async (root) => {
      await writeFile(join(root, "one"), "1234567");
      await link(join(root, "one"), join(root, "two"));
    },
    7,
  ],
  [
    "a hole as what is read of it",
    async (root) => {
      await writeFile(join(root, "hole"), "");
      await truncate(join(root, "hole"), 1 << 20);
    },
    1 << 20,
  ],
  [
    "a link as its text, and not what it leads to",
    async (root) => {
      await writeFile(join(dir, "outside"), "more than four bytes");
      await symlink("/etc", join(root, "folder"));
      await symlink("../outside", join(root, "file"));
    },
    4 + 10,
  ],
])("counts %s", async (name, put, size) => {
  const root = join(dir, name);
  await mkdir(root);
  await put(root);
  expect(await contentSize(root)).toBe(size);
});

it("does not reveal the directory it fails on", async () => {
  await expect(contentSize(join(dir, "gone"))).rejects.toMatchObject({
    kind: "failed",
    message: "the size of a folder could not be read",
  });
});
