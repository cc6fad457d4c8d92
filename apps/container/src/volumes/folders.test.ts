import { execFileSync } from "node:child_process";
import { access, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createVolumeFolders } from "./folders.ts";
import type { VolumeFolders } from "./volumes-service.ts";

let root: string;
let folders: VolumeFolders;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "berth-folders-"));
  folders = createVolumeFolders(root);
});
afterEach(() => void execFileSync("rm", ["-rf", root]));

it("removes a tree whose paths are longer than the kernel takes at once", async () => {
  await folders.make("deep", {});
  const make = 'for (1..3000) { mkdir "d" and chdir "d" or die $! }';
  execFileSync("perl", ["-e", make], { cwd: folders.path("deep") });
  await folders.setAside("deep");
  await folders.discard("deep");
  await expect(access(join(root, "deep"))).rejects.toThrow("ENOENT");
});

it("removes a volume that is not there", async () => {
  await folders.setAside("none");
  await folders.discard("none");
  await folders.putBack("none");
  expect(await folders.aside()).toEqual([]);
});

it("tells what was set aside, and puts it back with what is in it", async () => {
  await folders.make("data", {});
  await writeFile(join(folders.path("data"), "file"), "text");
  await folders.setAside("data");
  expect(await folders.aside()).toEqual(["data"]);
  await folders.putBack("data");
  expect(await folders.aside()).toEqual([]);
  expect(await readFile(join(folders.path("data"), "file"), "utf8")).toBe("text");
});
