#!/usr/bin/env node
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
// Carries the databases that version 0.1.0 kept in each service (PGlite, in BERTH_STATE/directory/db and BERTH_STATE/container/db)
// over into Postgres, and sets each old folder aside as db.migrated. Each in one transaction: what is interrupted is repeated.
// The services must not run. The target is DATABASE_URL, or a service's own, or the private Postgres.
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { createClient, holdFolder, privateDatabaseUrl } from "../packages/service-kit/dist/index.js";

const ROOT = resolve(fileURLToPath(new URL(".", import.meta.url)), "..");
const { BERTH_STATE = "/var/lib/berth", BERTH_RUN = "/run/berth" } = process.env;

const SERVICES = [
  { name: "directory", schema: "directory", journal: { schema: "directory", table: "migrations" } },
  { name: "container", schema: "public", journal: { schema: "drizzle", table: "__drizzle_migrations" } },
];

for (const service of SERVICES) {
  const folder = join(BERTH_STATE, service.name, "db");
  if (!existsSync(join(folder, "PG_VERSION"))) continue;
  const hold = await holdFolder(join(BERTH_STATE, service.name), `the ${service.name} service`);
  const sql = connect(service.name);
  try {
    const rows = await carryOver(service, folder, sql);
    renameSync(folder, freeName(`${folder}.migrated`));
    console.log(
      `  ${service.name.padEnd(11)} ${rows === undefined ? "was carried over before" : `${rows} rows carried over`}`,
    );
  } finally {
    await sql.end();
    await hold.release();
  }
}

/** How many rows were copied; undefined where an earlier run had done it and was ended before it could rename the folder. */
async function carryOver(service, folder, sql) {
  const source = await PGlite.create({ dataDir: folder });
  try {
    return await sql.begin(async (target) => {
      if (await isCarriedOver(service, folder, target)) return undefined;
      await makeTables(service, source, target);
      const tables = await tablesOf(service, target);
      for (const table of tables) await target.unsafe(`alter table ${table} disable trigger user`);
      await target.unsafe(`truncate ${tables.join(", ")}`);
      let rows = 0;
      for (const table of tables) rows += await copyTable(table, source, target);
      for (const table of tables) await target.unsafe(`alter table ${table} enable trigger user`);
      await copySequences(service, source, target);
      await target.unsafe(`comment on schema ${service.schema} is '${markOf(folder)}'`);
      return rows;
    });
  } finally {
    await source.close();
  }
}

function markOf(folder) {
  return `carried over from ${folder}`.replaceAll("'", "''");
}

async function isCarriedOver({ name, schema }, folder, target) {
  const [found] = await target`
    select obj_description(oid, 'pg_namespace') as mark, exists (select from pg_class where relnamespace = n.oid) as used
    from pg_namespace n where nspname = ${schema}`;
  if (found === undefined || !found.used) return false;
  if (found.mark === `carried over from ${folder}`) return true;
  throw new Error(
    `${folder} is a database of an earlier version, but the ${name} service has data in Postgres already. ` +
      "Move that folder away to keep what is in Postgres.",
  );
}

/** Makes the tables as the source has them: the service's own migrations, as far as they were run there. */
async function makeTables({ name, journal }, source, target) {
  const migrations = join(ROOT, "apps", name, "drizzle");
  const { entries } = JSON.parse(readFileSync(join(migrations, "meta/_journal.json"), "utf8"));
  const { rows } = await source.query(`select hash, created_at from ${journal.schema}.${journal.table} order by id`);
  const done = new Set(rows.map((row) => Number(row.created_at)));
  await target.unsafe(`create schema if not exists ${journal.schema}`);
  await target.unsafe(
    `create table ${journal.schema}.${journal.table} (id serial primary key, hash text not null, created_at bigint)`,
  );
  for (const { tag, when } of entries.filter((entry) => done.has(entry.when))) {
    const text = readFileSync(join(migrations, `${tag}.sql`), "utf8");
    for (const statement of text.split("--> statement-breakpoint")) await target.unsafe(statement);
    const { hash } = rows.find((row) => Number(row.created_at) === when);
    await target.unsafe(`insert into ${journal.schema}.${journal.table} (hash, created_at) values ($1, $2)`, [
      hash,
      when,
    ]);
  }
}

/** The service's tables, each after those that it refers to. */
async function tablesOf({ schema, journal }, target) {
  const tables = await target`
    select oid::regclass::text as name, array(
      select confrelid::regclass::text from pg_constraint where conrelid = c.oid and contype = 'f' and confrelid <> c.oid
    ) as parents
    from pg_class c where relkind = 'r' and relnamespace = ${schema}::regnamespace
      and oid <> ${`${journal.schema}.${journal.table}`}::regclass
    order by name`;
  const sorted = [];
  while (sorted.length < tables.length)
    for (const { name, parents } of tables)
      if (!sorted.includes(name) && parents.every((parent) => sorted.includes(parent))) sorted.push(name);
  return sorted;
}

async function copyTable(table, source, target) {
  const columns = await target`
    select attname from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;
  const named = `${table} (${columns.map(({ attname }) => `"${attname}"`).join(", ")})`;
  const { blob } = await source.query(`copy ${named} to '/dev/blob'`);
  // PGlite gives none for an empty table.
  const text = blob === undefined ? "" : Buffer.from(await blob.arrayBuffer());
  const writable = await target.unsafe(`copy ${named} from stdin`).writable();
  await new Promise((settle, fail) => {
    writable.once("error", fail).once("finish", settle);
    writable.end(text);
  });
  const counting = `select count(*)::int as count from ${table}`;
  const [{ count }] = await target.unsafe(counting);
  const [there] = (await source.query(counting)).rows;
  if (count !== there.count) throw new Error(`${table} has ${there.count} rows, of which ${count} were copied`);
  return count;
}

async function copySequences({ schema }, source, target) {
  const sequences = await target`
    select oid::regclass::text as name from pg_class
    where relkind = 'S' and relnamespace = ${schema}::regnamespace`;
  for (const { name } of sequences) {
    const { rows } = await source.query(`select last_value, is_called from ${name}`);
    await target`select setval(${name}::regclass, ${Number(rows[0].last_value)}, ${rows[0].is_called})`;
  }
}

function connect(service) {
  const url = process.env[`BERTH_${service.toUpperCase()}_DATABASE_URL`] || process.env.DATABASE_URL;
  // The driver writes arrays, whose types it has to know.
  return createClient(url || privateDatabaseUrl(BERTH_RUN), { max: 1, fetch_types: true });
}

/** An earlier set-aside folder stays. */
function freeName(path) {
  let name = path;
  for (let n = 2; existsSync(name); n += 1) name = `${path}.${n}`;
  return name;
}
