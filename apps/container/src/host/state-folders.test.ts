import { chmod, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openStateFolders } from "./state-folders.ts";

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "berth-state-"));
});

afterEach(() => rm(parent, { recursive: true }));

async function modes(stateDir: string) {
  const folders = [stateDir, join(stateDir, "volumes")];
  return await Promise.all(folders.map(async (folder) => ((await stat(folder)).mode & 0o7777).toString(8)));
}

it("creates the state folders closed to other accounts", async () => {
  const stateDir = join(parent, "lib/berth");
  await openStateFolders(stateDir);
  expect(await modes(stateDir)).toEqual(["711", "700"]);
});

it.each([0o755, 0o777, 0o700])("closes existing state folders of mode %o and keeps their content", async (mode) => {
  const stateDir = join(parent, "berth");
  await mkdir(join(stateDir, "volumes/data/_data"), { recursive: true });
  await chmod(stateDir, mode);
  await chmod(join(stateDir, "volumes"), mode);
  await openStateFolders(stateDir);
  expect(await modes(stateDir)).toEqual(["711", "700"]);
  expect((await stat(join(stateDir, "volumes/data/_data"))).isDirectory()).toBe(true);
});
