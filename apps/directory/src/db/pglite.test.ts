import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { openPglite } from "./pglite.ts";
import { rowsOf } from "./rows-of.ts";

// Where no build left one, PGlite makes its database in many seconds on a busy machine.
test("makes a database in spite of half of one, and opens it again", { timeout: 120_000 }, async () => {
  const state = await mkdtemp(join(tmpdir(), "berth-pglite-"));
  onTestFinished(() => rm(state, { recursive: true, force: true }));
  const folder = join(state, "db");
  // What a process leaves that ended while it made the folder.
  await mkdir(`${folder}.part`);
  await writeFile(join(`${folder}.part`, "PG_VERSION"), "18\n");
  const made = await openPglite(folder);
  await made.db.execute(sql`insert into directory.groups (name, name_key) values ('crew', 'crew')`);
  await made.close();
  const again = await openPglite(folder);
  onTestFinished(() => again.close());
  expect(rowsOf(await again.db.execute(sql`select name from directory.groups`))).toEqual([{ name: "crew" }]);
});
