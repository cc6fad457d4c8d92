#!/usr/bin/env node
// Leaves beside what opens it an empty database as PGlite dumps it, which opens in a fifth of the time that PGlite takes to
// make one. Made once for each version of PGlite; without it the services make theirs anew.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const kit = join(root, "packages", "service-kit");

const fromKit = createRequire(join(kit, "package.json"));
const entry = fromKit.resolve("@electric-sql/pglite");
const { version } = JSON.parse(readFileSync(join(dirname(entry), "..", "package.json"), "utf8"));
const made = join(root, "node_modules", ".cache", "berth", `pglite-${version}.tar.gz`);

if (!existsSync(made)) {
  const { PGlite } = fromKit(entry);
  const database = await PGlite.create();
  const dump = Buffer.from(await (await database.dumpDataDir("gzip")).arrayBuffer());
  await database.close();
  whole(made, (part) => writeFileSync(part, dump));
}
whole(join(kit, "dist", "fresh-database.tar.gz"), (part) => copyFileSync(made, part));

/** A file that is there is whole, whatever ended this before its end. */
function whole(file, write) {
  mkdirSync(dirname(file), { recursive: true });
  const part = `${file}.${process.pid}`;
  write(part);
  renameSync(part, file);
}
