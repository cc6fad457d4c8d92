import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openInside, readInside } from "./inside.ts";

let dir: string;
let root: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "berth-inside-"));
  root = join(dir, "root");
  await mkdir(join(root, "etc/sub"), { recursive: true });
  await writeFile(join(dir, "secret"), "secret");
  await writeFile(join(root, "file"), "top");
  await writeFile(join(root, "etc/file"), "in etc");
  for (const [name, target] of [
    ["up", "../../../../../../file"],
    ["absolute", "/etc/file"],
    ["out", join(dir, "secret")],
    ["relative-out", "../secret"],
    ["loop", "loop"],
    ["etc/folder", "../etc/sub"],
    ["etc/chain", "folder/../file"],
    ["dangling", "/nowhere"],
  ] as const) {
    await symlink(target, join(root, name));
  }
});
afterAll(() => rm(dir, { recursive: true }));

describe("readInside", () => {
  it.each([
    ["/file", "top"],
    ["etc/file", "in etc"],
    ["//etc/./sub/../file", "in etc"],
    ["../../../file", "top"],
    ["/up", "top"],
    ["/absolute", "in etc"],
    ["/etc/chain", "in etc"],
    ["/out", undefined],
    ["/relative-out", undefined],
    ["/dangling", undefined],
    ["/file/below", undefined],
    ["/etc", undefined],
    ["/nothing", undefined],
  ])("%s is %j", async (path, expected) => expect(await readInside(root, path)).toBe(expected));

  it("refuses a loop, and what is too large", async () => {
    await expect(readInside(root, "/loop")).rejects.toMatchObject({ kind: "invalid" });
    await expect(readInside(root, "/file", { limit: 2 })).rejects.toMatchObject({ kind: "too-large" });
  });

  it("refuses what is no regular file, which could make its reader wait", async () => {
    await promisify(execFile)("mkfifo", [join(root, "fifo")]);
    await promisify(execFile)("mknod", [join(root, "zero"), "c", "1", "5"]);
    for (const path of ["/fifo", "/zero"])
      await expect(readInside(root, path)).rejects.toMatchObject({
        kind: "invalid",
        message: `${path} in the container is not a regular file`,
      });
  });

  it("opens folders, too", async () => {
    const folder = await openInside(root, "/etc/folder");
    expect((await folder?.stat())?.isDirectory()).toBe(true);
    await folder?.close();
  });
});
