import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeWhole } from "./whole-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-whole-"));
});
afterEach(() => rm(folder, { recursive: true }));

it("replaces the file in one step", async () => {
  const path = join(folder, "exit.json");
  await writeWhole(path, "first");
  const first = await stat(path);
  await writeWhole(path, "second", { mode: 0o600 });
  expect(await readFile(path, "utf8")).toBe("second");
  expect((await stat(path)).ino).not.toBe(first.ino);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["exit.json"]);
});

it("leaves nothing behind when it cannot write", async () => {
  const path = join(folder, "exit.json");
  await mkdir(path);
  await expect(writeWhole(path, "text")).rejects.toThrow("EISDIR");
  expect(await readdir(folder)).toEqual(["exit.json"]);
});
