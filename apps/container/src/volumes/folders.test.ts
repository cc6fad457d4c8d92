import { execFileSync } from "node:child_process";
import { access, mkdtemp } from "node:fs/promises";
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
  await folders.remove("deep");
  await expect(access(join(root, "deep"))).rejects.toThrow("ENOENT");
});

it("removes a volume that is not there", async () => {
  await folders.remove("none");
});
