import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resolveInRoot } from "./resolve-in-root.ts";

describe("resolveInRoot", () => {
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "berth-root-"));
    await mkdir(join(root, "etc"));
    await mkdir(join(root, "data"));
    await writeFile(join(root, "etc/passwd"), "root");
    await symlink("/etc/passwd", join(root, "absolute"));
    await symlink("../../../../etc", join(root, "data/up"));
    await symlink("loop", join(root, "loop"));
  });

  afterAll(() => rm(root, { recursive: true }));

  it.each([
    ["/etc/passwd", "/etc/passwd"],
    ["etc//./passwd", "/etc/passwd"],
    ["/../../etc", "/etc"],
    ["/absolute", "/etc/passwd"],
    ["/data/up/passwd", "/etc/passwd"],
    ["/data/up/../etc/shadow", "/etc/shadow"],
    ["/not/there", "/not/there"],
  ])("resolves %s to %s of the container", async (path, inside) => {
    expect(await resolveInRoot(root, path)).toBe(join(root, inside));
  });

  it("fails on a link loop", async () => {
    await expect(resolveInRoot(root, "/loop")).rejects.toThrow("too many symbolic links");
  });
});
