import { execFileSync } from "node:child_process";
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createContainerFiles } from "./container-files.ts";
import { NATIVE_DIR } from "./native-dir.ts";
import { runProgram } from "./run-program.ts";

let dir: string;
let volume: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "berth-populate-"));
  volume = join(dir, "volume");
  await mkdir(join(dir, "root/data"), { recursive: true });
  await writeFile(join(dir, "root/data/file"), "of the image");
  await symlink("file", join(dir, "root/data/link"));
  await mkdir(join(volume, "part"), { recursive: true });
  await mkdir(join(dir, "outside"));
  const links = { inside: "part", up: "../outside", away: join(dir, "outside"), loop: "loop" };
  for (const [name, target] of Object.entries(links)) await symlink(target, join(volume, name));
});
afterEach(() => rm(dir, { recursive: true }));

function populate(place: { readonly volume: string; readonly subpath?: string }, path = "/data") {
  return createContainerFiles(join(dir, "containers")).populate(join(dir, "root"), path, place);
}

it.each(["part", "inside"])("fills an empty part of a volume: %s", async (subpath) => {
  await populate({ volume, subpath });
  expect(await readFile(join(volume, "part/file"), "utf8")).toBe("of the image");
  expect((await lstat(join(volume, "part/link"))).isSymbolicLink()).toBe(true);
});

it("fills an empty volume, and gives it the folder's mode", async () => {
  const empty = join(dir, "empty");
  await mkdir(empty, { mode: 0o700 });
  await populate({ volume: empty });
  expect((await readdir(empty)).sort()).toEqual(["file", "link"]);
  expect((await stat(empty)).mode & 0o777).toBe(0o755);
});

it("leaves what has something in it", async () => {
  await writeFile(join(volume, "part/own"), "own");
  await populate({ volume, subpath: "part" });
  await populate({ volume });
  expect(await readdir(join(volume, "part"))).toEqual(["own"]);
});

it("does nothing where the part is missing, or the image has no such folder", async () => {
  const before = await readdir(volume);
  await populate({ volume, subpath: "nope" });
  await populate({ volume, subpath: "part" }, "/nope");
  expect(await readdir(volume)).toEqual(before);
  expect(await readdir(join(volume, "part"))).toEqual([]);
});

it.each([
  ["up", "path concatenation escapes the base directory"],
  ["away", "path concatenation escapes the base directory"],
  ["loop", "error while resolving symlinks in combined path"],
])("writes nothing outside the volume: %s", async (subpath, words) => {
  await expect(populate({ volume, subpath })).rejects.toMatchObject({
    kind: "invalid",
    message: expect.stringContaining(`failed to populate volume: ${words}`),
  });
  expect(await readdir(join(dir, "outside"))).toEqual([]);
});

it("writes nowhere else, whatever link others lay in the way of the copy", async () => {
  const programs = await mkdtemp(join(dir, "programs-"));
  const script = `#!/bin/sh\nln -s ${dir}/outside way && echo own >own && echo out >way/out\n`;
  await writeFile(join(programs, "cp"), script, { mode: 0o755 });
  const env = { PATH: `${programs}:${process.env.PATH}` };
  const filling = runProgram(join(NATIVE_DIR, "pin"), ["fill", volume, "part", join(dir, "root/data")], { env });
  await expect(filling).rejects.toMatchObject({ stderr: expect.stringContaining("Read-only file system") });
  expect((await readdir(join(volume, "part"))).sort()).toEqual(["own", "way"]);
  expect(await readdir(join(dir, "outside"))).toEqual([]);
});

it("tells what could not be copied", async () => {
  const full = join(dir, "full");
  await mkdir(full);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=4k", "none", full]);
  try {
    await writeFile(join(dir, "root/data/file"), Buffer.alloc(1 << 16));
    await expect(populate({ volume: full })).rejects.toMatchObject({
      kind: "failed",
      message: expect.stringMatching(/^failed to populate volume: cp: .*No space left on device$/),
    });
  } finally {
    execFileSync("umount", [full]);
  }
});

it("refuses a part that is a file", async () => {
  await writeFile(join(volume, "file"), "");
  await expect(populate({ volume, subpath: "file" })).rejects.toMatchObject({ kind: "invalid" });
});
