import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { markInstance } from "./instance-mark.ts";

it("refuses the state of another instance, and names it", async () => {
  const state = await mkdtemp(join(tmpdir(), "berth-mark-"));
  await mkdir(join(state, "container"));
  await markInstance(state, "berth");
  await markInstance(state, "berth");
  await expect(markInstance(state, "other")).rejects.toThrow(
    `BERTH_INSTANCE: ${state} belongs to the instance berth, and this is other; set BERTH_INSTANCE=berth`,
  );
  await rm(state, { recursive: true });
});
