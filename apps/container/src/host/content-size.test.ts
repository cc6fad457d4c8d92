import { execFileSync } from "node:child_process";
import { link, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isEngineError } from "../engine/errors.ts";
import { contentSize, diskUsage } from "./content-size.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "berth-size-"));
});
// Node's rm fails at paths that are too long.
afterAll(() => void execFileSync("rm", ["-rf", dir]));

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

it("takes a folder that is removed and made again meanwhile for gone, and never for unreadable", async () => {
  const path = join(dir, "again");
  const outcomes = new Set<unknown>();
  let isOver = false;
  const replacing = (async () => {
    while (!isOver) {
      await mkdir(path, { recursive: true });
      await rm(path, { recursive: true, force: true });
    }
  })();
  for (let round = 0; round < 40; round++)
    outcomes.add(await contentSize(path).catch((thrown: unknown) => (isEngineError(thrown) ? thrown.kind : thrown)));
  isOver = true;
  await replacing;
  expect([...outcomes].filter((outcome) => outcome !== 0 && outcome !== "not-found")).toEqual([]);
});

it("does not reveal the directory it fails on", async () => {
  await writeFile(join(dir, "file"), "");
  await expect(contentSize(join(dir, "file"))).rejects.toMatchObject({
    kind: "failed",
    message: "the size of a folder could not be read",
  });
});

it.each<[string, (root: string) => Promise<unknown>, number]>([
  ["an empty file as an inode", (root) => writeFile(join(root, "empty"), ""), 4096],
  ["folders", (root) => mkdir(join(root, "a/b"), { recursive: true }), 2 * 4096],
  [
    "a hole as what is on the disk",
    async (root) => {
      await writeFile(join(root, "hole"), "");
      await truncate(join(root, "hole"), 2 ** 40);
    },
    4096,
  ],
  [
    "a file of two names once",
    async (root) => {
      await writeFile(join(root, "one"), "x".repeat(4096));
      await link(join(root, "one"), join(root, "two"));
    },
    4096,
  ],
])("counts %s on the disk", async (name, make, bytes) => {
  const root = join(dir, `disk ${name}`);
  await mkdir(root);
  await make(root);
  expect(await diskUsage(root)).toBe(bytes);
});

it("measures a tree deeper than a process may have open files", async () => {
  const root = join(dir, "deep");
  await mkdir(root);
  execFileSync("perl", ["-e", 'for (1..3000) { mkdir "d" and chdir "d" or die $! }'], { cwd: root });
  expect(await diskUsage(root)).toBe(3000 * 4096);
});

it("does not find a folder that is gone", async () => {
  await expect(diskUsage(join(dir, "gone"))).rejects.toMatchObject({ kind: "not-found" });
});
