// node bench/directory/bench.mjs [USERS]: a large directory on Postgres. What holds for a user, asked over HTTP, against
// the same query sent by postgres.js from one process; list and search pages from the first to the last; signing in.
// With BERTH_BENCH_URL and BERTH_BENCH_TOKEN it takes a Postgres that was loaded with data.sql before. Rounds are interleaved, so that what else the machine does meets both alike. Needs a build and PostgreSQL 15.
import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const USERS = Number(process.argv[2] ?? 1_000_000);
const SIZES = { users: USERS, groups: USERS / 10, memberships: USERS * 10, constraints: USERS * 2 };
const ROUNDS = 5;
const SECONDS = 4;
const IN_FLIGHT = 16;

const root = fileURLToPath(new URL("../..", import.meta.url));
const fromDirectory = createRequire(join(root, "apps/directory/package.json"));
const postgres = fromDirectory("postgres");
const argon2 = fromDirectory("@node-rs/argon2");
const bin = "/usr/lib/postgresql/15/bin";
const folder = mkdtempSync(join(tmpdir(), "berth-bench-"));
const port = 20_000 + (process.pid % 9_000);
const loaded = process.env.BERTH_BENCH_URL;
const url = loaded ?? `postgres://postgres@127.0.0.1:${port}/berth`;
const api = `http://127.0.0.1:${port + 1}`;
const ends = [() => rmSync(folder, { recursive: true, force: true })];

try {
  if (loaded === undefined) startPostgres();
  const token = await startDirectory();
  if (loaded === undefined) load();
  const sql = postgres(url, { max: 4, connection: { jit: false } });
  ends.push(() => sql.end());
  await report(sql, token);
} finally {
  for (const end of ends.reverse()) await end();
}

function startPostgres() {
  const [uid, gid] = ["-u", "-g"].map((of) => Number(execFileSync("id", [of, "postgres"])));
  chownSync(folder, uid, gid);
  const as = (name, ...args) =>
    execFileSync("runuser", ["-u", "postgres", "--", join(bin, name), ...args], { stdio: "ignore" });
  as("initdb", "-D", join(folder, "data"), "-U", "postgres", "-A", "trust", "--no-sync");
  const settings = [
    "listen_addresses=127.0.0.1",
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    "shared_buffers=2GB",
    "max_wal_size=8GB",
    "fsync=off",
  ];
  as(
    "pg_ctl",
    "start",
    "-w",
    "-D",
    join(folder, "data"),
    "-l",
    join(folder, "log"),
    "-o",
    settings.map((one) => `-c ${one}`).join(" "),
  );
  ends.push(() => as("pg_ctl", "stop", "-D", join(folder, "data"), "-m", "immediate"));
  as("createdb", "-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "berth");
}

async function startDirectory() {
  const directory = spawn(process.execPath, [join(root, "apps/directory/dist/main.js")], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      BERTH_STATE: join(folder, "state"),
      BERTH_DIRECTORY_LISTEN: `127.0.0.1:${port + 1}`,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  ends.push(() => directory.kill("SIGTERM") && new Promise((resolve) => directory.once("exit", resolve)));
  for await (const chunk of directory.stdout) if (String(chunk).includes("listens")) break;
  const token = process.env.BERTH_BENCH_TOKEN;
  return token ?? readFileSync(join(folder, "state/admin-token"), "utf8").trim();
}

function load() {
  console.log(
    `loading ${Object.entries(SIZES)
      .map(([of, count]) => `${count} ${of}`)
      .join(", ")} …`,
  );
  const before = performance.now();
  const variables = Object.entries(SIZES).flatMap(([of, count]) => ["-v", `${of}=${count}`]);
  const file = fileURLToPath(new URL("data.sql", import.meta.url));
  execFileSync(join(bin, "psql"), [url, "-q", "-v", "ON_ERROR_STOP=1", ...variables, "-f", file], { stdio: "inherit" });
  console.log(`loaded in ${Math.round((performance.now() - before) / 1_000)} s`);
}

const OWN_AND_GROUPS = `
  select id, 'user' as via, user_id as owner, effect, kind, value, expires_at
    from directory.constraints where user_id = u.id
  union all
  select g.id, 'group', g.group_id, g.effect, g.kind, g.value, g.expires_at
    from directory.memberships m join directory.constraints g on g.group_id = m.group_id where m.user_id = u.id`;
const EXPIRES = `to_char(c.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// What holds for a user, a row for each constraint: the query as one writes it.
const AS_ROWS = `
  select u.login, u.role, u.active, u.policy_version || ':' || p.epoch as version,
    c.id, c.via, c.owner, c.effect, c.kind, c.value, ${EXPIRES} as expires
  from directory.users u cross join directory.policy p left join lateral (${OWN_AND_GROUPS}) c on true
  where u.id = $1`;

// The same in one row: the statement of `policy-reader.ts`, as it reaches the database.
const AS_JSON = `
  select u.login, u.role, u.active, u.policy_version || ':' || p.epoch as version, (
    select json_agg(json_build_array(id, via, owner, effect, kind, value, ${EXPIRES}))
    from (${OWN_AND_GROUPS}) c) as constraints
  from directory.users u cross join directory.policy p
  where u.id = $1`;

const asking = (sql, statement, userId) => sql.unsafe(statement, [userId], { prepare: true });

async function report(sql, token) {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  const get = (path) => fetchText(agent, token, path);
  const [ids] =
    await sql`select min(id)::int as first, max(id)::int as last from directory.users where login_key like 'user%'`;
  const anyUser = () => ids.first + Math.floor(Math.random() * (ids.last - ids.first));
  const { rows, milliseconds } = await inDatabase(sql, anyUser);
  console.log(`in the database: p50 ${milliseconds.toFixed(2)} ms for ${rows} constraints`);

  const overHttp = () => get(`/api/users/${anyUser()}/effective-constraints`);
  // Neither side is measured before its code is compiled.
  await saturate(overHttp);
  const rates = { http: [], rows: [], json: [] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.rows.push(await saturate(() => asking(sql, AS_ROWS, anyUser())));
    rates.http.push(await saturate(overHttp));
    rates.json.push(await saturate(() => asking(sql, AS_JSON, anyUser())));
  }
  const http = median(rates.http);
  const against = (raw) => `${Math.round(raw)}/s, raw/http ${(raw / http).toFixed(2)}`;
  console.log(
    `effective constraints: http ${Math.round(http)}/s; raw as rows ${against(median(rates.rows))} (goal: at most 1.5); raw as the one row of JSON that the directory asks for ${against(median(rates.json))}`,
  );

  await signingIn(token);

  for (const [name, list] of [
    ["users by id", "/api/users?limit=50"],
    ["users by login", "/api/users?limit=50&sort=login"],
    ["search", "/api/users?limit=50&q=user1"],
    ["members of a group", "/api/groups/7/members?limit=50"],
  ]) {
    const pages = await walk(get, list);
    console.log(`${name}: first page ${pages.first.toFixed(1)} ms, last of ${pages.count} ${pages.last.toFixed(1)} ms`);
  }
}

/** Sign-ins as they come through HTTP against argon2 alone, with as many at a time as the directory hashes. */
async function signingIn(token) {
  const json = (path, body) =>
    fetch(api + path, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const login = `bench${Date.now()}`;
  const pass = "correct horse battery";
  await json("/api/users", { login, email: `${login}@example.test`, pass });
  const hashed = await argon2.hash(pass, { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const rates = { http: [], alone: [] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.alone.push(await saturate(() => argon2.verify(hashed, pass), availableParallelism()));
    rates.http.push(
      await saturate(async () => (await json("/api/login", { login, pass })).text(), availableParallelism()),
    );
  }
  const [http, alone] = [median(rates.http), median(rates.alone)];
  console.log(
    `sign-ins: http ${http.toFixed(1)}/s, argon2 alone ${alone.toFixed(1)}/s, alone/http ${(alone / http).toFixed(2)}`,
  );
}

/** Time in the database alone, as its own EXPLAIN tells. */
async function inDatabase(sql, anyUser) {
  const times = [];
  for (let n = 0; n < 200; n++) {
    const [answer] = await asking(sql, `explain (analyze, format json) ${AS_JSON}`, anyUser());
    times.push(answer["QUERY PLAN"][0]["Execution Time"]);
  }
  const rows = (await asking(sql, AS_ROWS, anyUser())).length;
  return { rows, milliseconds: median(times) };
}

async function saturate(work, inFlight = IN_FLIGHT) {
  const end = performance.now() + SECONDS * 1_000;
  let done = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (; performance.now() < end; done++) await work();
    }),
  );
  return done / SECONDS;
}

/** Follows a list to its end, or for two thousand pages. */
async function walk(get, list) {
  const time = async (path) => {
    const times = [];
    let answer;
    for (let n = 0; n < 9; n++) {
      const before = performance.now();
      answer = await get(path);
      times.push(performance.now() - before);
    }
    return { milliseconds: median(times), next: /<([^>]+)>/.exec(answer.link ?? "")?.[1] };
  };
  const first = await time(list);
  let last = first;
  let count = 1;
  for (let next = first.next; next !== undefined && count < 2_000; count++) {
    const answer = await get(next);
    const following = /<([^>]+)>/.exec(answer.link ?? "")?.[1];
    if (following === undefined || count === 1_999) last = await time(next);
    next = following;
  }
  return { first: first.milliseconds, last: last.milliseconds, count };
}

function fetchText(agent, token, path) {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, api), { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.on("end", () =>
        answer.statusCode === 200
          ? resolve({ text, link: answer.headers.link })
          : reject(new Error(`${answer.statusCode} ${text}`)),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
