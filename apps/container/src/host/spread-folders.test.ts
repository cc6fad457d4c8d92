import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ProgramError } from "./run-program.ts";
import { spreadFolders } from "./spread-folders.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "berth-spread-"));
});
afterAll(() => rm(dir, { recursive: true }));

const type = execFileSync("stat", ["-f", "-c", "%T", tmpdir()], { encoding: "utf8" }).trim();

it.runIf(type === "ext2/ext3")("marks a folder of ext4 as the top of unrelated trees, once and again", async () => {
  const folder = join(dir, "marked");
  await mkdir(folder);
  for (let time = 0; time < 2; time++) {
    await spreadFolders(folder);
    expect(execFileSync("lsattr", ["-d", folder], { encoding: "utf8" }).split(" ")[0]).toContain("T");
  }
});

it("leaves a folder of a file system without such a mark as it is", async () => {
  await expect(spreadFolders("/proc")).resolves.toBeUndefined();
});

it("rejects a folder that is missing", async () => {
  await expect(spreadFolders(join(dir, "missing"))).rejects.toThrow(ProgramError);
});
