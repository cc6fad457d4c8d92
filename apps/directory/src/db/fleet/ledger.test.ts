import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "../../../../../tools/postgres.testing.ts";
import type { Amount } from "../../fleet/ledger.ts";
import { type HostReport, planOf } from "../../fleet/report.ts";
import type { OpenDatabase } from "../database.ts";
import { openPostgres } from "../postgres.ts";
import { CLEAN_FLEET, FLEET_AUDIT } from "./audit.testing.ts";
import { FleetLedger } from "./ledger.ts";

const GIB = 2 ** 30;
const HOSTS = ["h1", "h2", "h3"];
const SIZE = { memory: GIB, cpu: 0.1, pids: 10 };
const QUOTA = 4 * GIB;

let database: OpenDatabase;
let drop: () => Promise<void>;
/** Two directories on one database. */
let ledgers: readonly FleetLedger[];
let token = 0;

beforeAll(async () => {
  const made = await createTestDatabase();
  drop = made.drop;
  database = await openPostgres(made.url, { connections: 16 });
  ledgers = [new FleetLedger(database.db), new FleetLedger(database.db)];
  const [row] = await database.db.execute<{ id: string }>(sql`
    with users as (
      insert into directory.users (login, login_key, email_key)
      select 'u' || n, 'u' || n, '' from generate_series(1, 20) n returning id)
    insert into directory.tokens (user_id, sha256, label, scopes) select min(id), 'x'::bytea, 'host', '{report}' from users
    returning id`);
  token = Number(row?.id);
});
afterAll(async () => {
  await database.close();
  await drop();
});
beforeEach(() =>
  database.db.execute(
    sql`truncate directory.fleet_hosts, directory.fleet_places, directory.fleet_ports, directory.fleet_accounts restart identity`,
  ),
);

function ledgerOf(at: number): FleetLedger {
  const ledger = ledgers[at % ledgers.length];
  if (ledger === undefined) throw new Error("there are two");
  return ledger;
}

/** A host as far as the ledger knows it. */
function hostOf(name: string, memory = 16 * GIB) {
  let turn: number | null = null;
  return async (has: readonly number[], plan = planOf) => {
    const speaker = { name, tokenId: token, address: `tcp://${name}:2375`, size: { memory, cpu: 64 } };
    const places = has.map((grant) => ({ grant, state: "ready", secondsLeft: null, containers: 0 }) as const);
    const report: HostReport = { turn, places, refused: [] };
    const heard = await ledgerOf(0).hear(speaker, report, plan);
    turn = "turn" in heard ? heard.turn : null;
    return heard.outcome;
  };
}

function wish(host: string, user: number, name: string, port: number) {
  const ports = [{ start: port, end: port + 1, protocol: "tcp" } as const];
  return { name, userId: user, host, size: SIZE, ports, seconds: undefined };
}

function amounts(user: number): readonly Amount[] {
  return [
    { account: `user/${user}/memory`, amount: GIB, max: QUOTA },
    { account: `user/${user}/containers`, amount: 1, max: undefined },
    { account: "shared/1", amount: 1, max: 30 },
  ];
}

/** What only a ledger that failed would hold, with the quotas of this file. */
async function audit() {
  const [row] = await database.db.execute<Record<string, number>>(sql`
    select a.*,
      (select count(*) from (select user_id from directory.fleet_places group by user_id having sum(memory) > ${QUOTA}) o)::int as over_quota,
      (select greatest(count(*) - 30, 0) from directory.fleet_places)::int as over_shared
    from (${sql.raw(FLEET_AUDIT)}) a`);
  return row;
}
const CLEAN = { ...CLEAN_FLEET, over_quota: 0, over_shared: 0 };

test("200 takes at once on three hosts, five times: no port twice, nobody over a quota, nothing left over", async () => {
  const hosts = HOSTS.map((name) => hostOf(name));
  for (const hear of hosts) expect(await hear([])).toBe("accepted");
  for (let round = 0; round < 5; round++) {
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, at) => {
        const user = 1 + (at % 20);
        const host = HOSTS[(at * 7 + round) % 3] ?? "";
        // Every second port overlaps the one before it.
        return ledgerOf(at).take(1, wish(host, user, `p${at}`, 8_000 + ((at * 13) % 40)), amounts(user));
      }),
    );
    const taken = outcomes.filter((one) => typeof one === "number");
    expect(taken.length).toBeGreaterThan(10);
    expect(new Set(outcomes.filter((one) => typeof one !== "number"))).toEqual(new Set(["room", "ports"]));
    expect(await audit()).toEqual(CLEAN);
    // Half of them become ready, and all are given back.
    for (const [at, hear] of hosts.entries()) {
      const own = (await ledgerOf(0).wanted(HOSTS[at] ?? "")).map(({ id }) => id);
      await hear(own.slice(0, own.length / 2));
    }
    await Promise.all(taken.map((id, at) => ledgerOf(at).end(1, id)));
    await Promise.all(hosts.map((hear) => hear([])));
    expect([await ledgerOf(1).places({}), await audit()]).toEqual([[], CLEAN]);
  }
});

test("a directory that dies between two steps leaks nothing", async () => {
  const hear = hostOf("h1");
  await hear([]);
  const ledger = ledgerOf(0);
  // It dies after it granted: nobody waits for the place, and its user finds it.
  const id = await ledger.take(1, wish("h1", 1, "ci", 8_000), amounts(1));
  if (typeof id !== "number") throw new Error(id);
  expect(await ledgerOf(1).places({ userId: 1 })).toMatchObject([{ id, state: "wanted" }]);
  // It dies while it takes a report: the report changed nothing, and counts when it is sent again.
  const dies = () => {
    throw new Error("died");
  };
  await expect(hear([id], dies)).rejects.toThrow("died");
  expect(await ledger.places({})).toMatchObject([{ state: "wanted" }]);
  expect(await hear([id])).toBe("accepted");
  expect(await ledger.places({})).toMatchObject([{ state: "ready" }]);
  // It dies after somebody gave the place back.
  expect(await ledger.end(1, id)).toBe(true);
  await expect(hear([], dies)).rejects.toThrow("died");
  expect(await ledger.places({})).toMatchObject([{ state: "ending" }]);
  await hear([]);
  expect([await ledger.places({}), await audit()]).toEqual([[], CLEAN]);
});

test("a place ends on its host, and both directories see its room come back once", async () => {
  const hear = hostOf("h1", 2 * GIB);
  await hear([]);
  const first = await ledgerOf(0).take(1, wish("h1", 1, "one", 8_000), amounts(1));
  const second = await ledgerOf(1).take(1, wish("h1", 2, "two", 8_010), amounts(2));
  expect(await ledgerOf(1).take(1, wish("h1", 3, "three", 8_020), amounts(3))).toBe("room");
  await hear([Number(first), Number(second)]);
  await hear([Number(second)]);
  expect(await ledgerOf(1).hosts()).toMatchObject([{ places: 1, free: { memory: GIB } }]);
  expect(typeof (await ledgerOf(1).take(1, wish("h1", 3, "three", 8_000), amounts(3)))).toBe("number");
  expect(await audit()).toEqual(CLEAN);
});
