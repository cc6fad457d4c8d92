import { expect, it } from "vitest";
import { createBuildStore } from "./build-store.ts";
import { openTestDatabase } from "./database.testing.ts";

it("has the rows of builds with what they are about to give", async () => {
  const { db, close } = await openTestDatabase();
  try {
    const store = createBuildStore(db);
    const row = { id: "1", owner: undefined, createdAt: "2026-01-02T03:04:05Z", result: undefined };
    const result = { imageId: "sha256:1", names: ["docker.io/library/a:1"], namer: "7" };
    await store.insert(row);
    await store.insert({ ...row, id: "2", owner: "7", result });
    expect(await store.load()).toEqual([row, { ...row, id: "2", owner: "7", result }]);
    await store.note("1", { ...result, namer: undefined });
    await store.delete("2");
    expect(await store.load()).toEqual([{ ...row, result: { ...result, namer: undefined } }]);
  } finally {
    await close();
  }
});
