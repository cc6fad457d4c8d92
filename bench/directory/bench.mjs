// node bench/directory/bench.mjs [USERS]: a large directory on Postgres. What holds for a user, asked over HTTP, against
// the same query sent by postgres.js from one process and against slapd's look-up of a user's groups; signing in against
// argon2 alone; the pages of every list from first to last. What is compared is asked in turn, in one run.
// Needs a build, PostgreSQL 15 and slapd: `npm run bench -- directory` sees to them.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { onInterrupt } from "../processes.mjs";
import { AS_JSON, AS_ROWS } from "./effective.mjs";
import { reportLists } from "./lists.mjs";
import { fill, startPostgres } from "./postgres.mjs";
import { interleave, median } from "./rates.mjs";
import { startDirectory } from "./service.mjs";
import { reportSignIns } from "./sign-ins.mjs";
import { startSlapd } from "./slapd.mjs";

const USERS = Number(process.argv[2] ?? 1_000_000);
const SIZES = { users: USERS, groups: USERS / 10, memberships: USERS * 10, constraints: USERS * 2 };
const IN_FLIGHT = 16;
// Who is at work at one time: what holds for them is asked for again and again.
const ACTIVE = 1_000;

const postgres = createRequire(new URL("../../packages/service-kit/package.json", import.meta.url))("postgres");
const folder = mkdtempSync(join(tmpdir(), "berth-bench-"));
// Postgres runs as a user of its own.
chmodSync(folder, 0o711);
const port = 20_000 + (process.pid % 9_000);
const ends = [() => rmSync(folder, { recursive: true, force: true })];
let stopped;
onInterrupt(stop);

try {
  const busyBefore = loadavg()[0].toFixed(1);
  const sizes = Object.entries(SIZES).map(([of, count]) => `${count.toLocaleString("en")} ${of}`);
  console.log(sizes.join(", "));
  const database = startPostgres({ folder: join(folder, "postgres"), port });
  ends.push(database.stop);
  const options = { url: database.url, folder: join(folder, "state"), port: port + 1, connections: IN_FLIGHT };
  // Makes the schema, and has its statements planned anew once there is something to plan for.
  await (await startDirectory(options)).stop();
  await timed("Postgres filled", () => fill(database.url, SIZES));
  const directory = await startDirectory(options);
  ends.push(directory.stop);
  const sql = postgres(database.url, { max: 4, connection: { jit: "off" } });
  ends.push(() => sql.end());
  const slapd = await timed("slapd filled", () =>
    startSlapd({ folder: join(folder, "slapd"), port: port + 2, sql, connections: IN_FLIGHT }),
  );
  ends.push(slapd.stop);
  const servers = [directory.pid, database.pid];

  await reportInDatabase(sql);
  await reportLookUps({ directory, database, slapd, sql, servers });
  await reportSignIns({ post: directory.post, sql, servers });
  await reportLists({ get: directory.get, sql, users: USERS });
  console.log(`\nthe machine's load: ${busyBefore} before this run, ${loadavg()[0].toFixed(1)} at its end`);
} finally {
  await stop();
}

function stop() {
  stopped ??= (async () => {
    for (const end of ends.reverse()) await Promise.resolve().then(end).catch(console.error);
  })();
  return stopped;
}

async function timed(what, work) {
  const before = performance.now();
  const result = await work();
  console.log(`${what} in ${Math.round((performance.now() - before) / 1_000)} s`);
  return result;
}

/** Drawn from the first so many users, or from all. The first administrator is user 1. */
function anyUser(among = USERS) {
  return 2 + Math.floor(Math.random() * among);
}

function asking(sql, statement, userId) {
  return sql.unsafe(statement, [userId], { prepare: true });
}

/** Time in the database alone, as its own EXPLAIN tells. */
async function reportInDatabase(sql) {
  const times = [];
  for (let n = 0; n < 500; n++) {
    const [answer] = await asking(sql, `explain (analyze, format json) ${AS_JSON}`, anyUser());
    times.push(answer["QUERY PLAN"][0]["Execution Time"]);
  }
  const rows = (await asking(sql, AS_ROWS, anyUser())).length;
  console.log(`\nin the database: p50 ${median(times).toFixed(2)} ms for ${rows} constraints (goal: below 1)`);
}

async function reportLookUps({ directory, database, slapd, sql, servers }) {
  const effective = (user) => directory.get(`/api/users/${user}/effective-constraints`);
  const inSlapd = (user, attributes, worker) => slapd.groupsOf(`user${user - 1}`, attributes, worker);
  const found = await interleave({
    effective: { work: () => effective(anyUser()), servers },
    rows: { work: () => asking(sql, AS_ROWS, anyUser()), servers: [database.pid] },
    json: { work: () => asking(sql, AS_JSON, anyUser()), servers: [database.pid] },
    groups: { work: () => directory.get(`/api/users/${anyUser()}/groups?limit=50`), servers },
    names: { work: (worker) => inSlapd(anyUser(), ["cn"], worker), servers: [slapd.pid] },
    described: { work: (worker) => inSlapd(anyUser(), ["cn", "description"], worker), servers: [slapd.pid] },
    active: { work: () => effective(anyUser(ACTIVE)), servers },
    activeNames: { work: (worker) => inSlapd(anyUser(ACTIVE), ["cn"], worker), servers: [slapd.pid] },
    activeDescribed: {
      work: (worker) => inSlapd(anyUser(ACTIVE), ["cn", "description"], worker),
      servers: [slapd.pid],
    },
  });
  const names = {
    effective: "effective constraints over HTTP",
    rows: "  raw, a row each",
    json: "  raw, in one row of JSON",
    described: "  slapd: groups with their constraints",
    groups: "groups of a user over HTTP",
    names: "  slapd: names of the groups",
    active: `effective constraints of ${ACTIVE} users`,
    activeDescribed: "  slapd: groups with their constraints",
    activeNames: "  slapd: names of the groups",
  };
  console.log(`\n${"".padEnd(38)} a second   processor time of one, µs: client   server`);
  for (const [side, name] of Object.entries(names)) {
    const { rate, client, server } = found[side];
    console.log(`${name.padEnd(38)} ${whole(rate, 8)} ${whole(client, 35)} ${whole(server, 8)}`);
  }
  const ratio = (side, to) => (found[side].rate / found[to].rate).toFixed(2);
  console.log(
    `raw rows / http ${ratio("rows", "effective")} (goal: at most 1.5), raw JSON / http ${ratio("json", "effective")}, ` +
      `slapd with constraints / http ${ratio("described", "effective")}, slapd's names / http's groups ${ratio("names", "groups")}, ` +
      `slapd's names / http's effective constraints ${ratio("names", "effective")}\n` +
      `of ${ACTIVE} users: slapd with constraints / http ${ratio("activeDescribed", "active")} (goal: below 1), ` +
      `slapd's names / http ${ratio("activeNames", "active")}`,
  );
}

function whole(value, width) {
  return String(Math.round(value)).padStart(width);
}
