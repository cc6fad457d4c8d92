import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mountAll, unmount } from "./mount.ts";

it("names no folder of the engine where it fails, but in the cause", async () => {
  const dir = await mkdtemp(join(tmpdir(), "berth-mount-"));
  const options = [`lowerdir=${dir}/gone`];
  const cause = expect.objectContaining({ message: expect.stringContaining(dir) });
  await expect(mountAll([{ type: "overlay", source: "overlay", target: "", options }], dir)).rejects.toMatchObject({
    kind: "failed",
    message: "a root file system could not be mounted",
    cause,
  });
  await expect(unmount(dir)).rejects.toMatchObject({ message: "a root file system could not be unmounted", cause });
  await rm(dir, { recursive: true });
});
