import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openEmbedded } from "./embedded-database.ts";

// Where no build left one, PGlite makes its database in many seconds on a busy machine.
test("is made in spite of half of one, and opened again", { timeout: 120_000 }, async () => {
  const state = await mkdtemp(join(tmpdir(), "berth-embedded-"));
  onTestFinished(() => rm(state, { recursive: true, force: true }));
  const folder = join(state, "db");
  // What a process leaves that ended while it made the folder.
  await mkdir(`${folder}.part`);
  await writeFile(join(`${folder}.part`, "PG_VERSION"), "18\n");
  const made = await openEmbedded(folder);
  await made.exec("create table crew (name text); insert into crew values ('ann')");
  await made.close();
  const again = await openEmbedded(folder);
  onTestFinished(() => again.close());
  expect((await again.query("select name from crew")).rows).toEqual([{ name: "ann" }]);
  expect(await readdir(state)).toEqual(["db"]);
});
