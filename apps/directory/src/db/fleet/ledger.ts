import type { Protocol } from "@berth/port-spec";
import { type SQL, sql } from "drizzle-orm";
import type { Amount, Heard, Ledger, Speaker, TakeFault } from "../../fleet/ledger.ts";
import type { FleetHost, FleetPlace, PlaceWish } from "../../fleet/place.ts";
import type { HostReport, Plan } from "../../fleet/report.ts";
import { placeTopic } from "../../fleet/signals.ts";
import type { Database } from "../database.ts";
import { readDatabaseError } from "../database-error.ts";
import { IS_ALIVE, ids, noted, notedHost, readTakeFault, release, TELL_HOST, tell } from "./parts.ts";
import { takeStatement } from "./take-statement.ts";

/** The ledger in the directory's database. */
export class FleetLedger implements Ledger {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async hosts(): Promise<readonly FleetHost[]> {
    const rows = await this.#db.execute<HostRow>(sql`
      select h.name, h.address, h.memory, h.cpu::float8 as cpu, h.is_draining, ${IS_ALIVE} as is_alive, h.seen_at,
        (h.memory - coalesce(m.used, 0))::float8 as memory_free, (h.cpu - coalesce(c.used, 0))::float8 as cpu_free,
        (select count(*) from directory.fleet_places p where p.host = h.name)::int as places
      from directory.fleet_hosts h
      left join directory.fleet_accounts m on m.account = 'host/' || h.number || '/memory'
      left join directory.fleet_accounts c on c.account = 'host/' || h.number || '/cpu'
      order by h.name`);
    return rows.map((row) => ({
      ...{ name: row.name, address: row.address, memory: Number(row.memory), cpu: row.cpu, places: row.places },
      free: { memory: row.memory_free, cpu: row.cpu_free },
      ...{ isDraining: row.is_draining, isAlive: row.is_alive, seenAt: new Date(row.seen_at).toISOString() },
    }));
  }

  async places({ userId, id }: { readonly userId?: number; readonly id?: number }): Promise<readonly FleetPlace[]> {
    const whose = userId === undefined ? sql`true` : sql`user_id = ${userId}`;
    return await placesWhere(this.#db, sql`${whose} and ${id === undefined ? sql`true` : sql`id = ${id}`}`);
  }

  wanted(host: string): Promise<readonly FleetPlace[]> {
    return placesWhere(this.#db, sql`host = ${host} and state <> 'ending'`);
  }

  async used(accounts: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#db.execute<{ account: string; used: number }>(sql`
      select account, used::float8 as used from directory.fleet_accounts
      where account in (select jsonb_array_elements_text(${JSON.stringify(accounts)}::jsonb))`);
    return new Map(rows.map(({ account, used }) => [account, used]));
  }

  async holders(ports: PlaceWish["ports"]) {
    const rows = await this.#db.execute<HolderRow>(sql`
      with asked as (select * from jsonb_to_recordset(${JSON.stringify(ports)}::jsonb) as a(start int, "end" int, protocol text)),
      held as (
        select p.host, r.start, r."end", r.protocol, 'place ' || p.name || coalesce(' of ' || u.login, '') as holder, true as is_place
        from directory.fleet_places p left join directory.users u on u.id = p.user_id,
          jsonb_to_recordset(p.ports) as r(start int, "end" int, protocol text)
        where p.state <> 'placing'
        union all
        select h.name, r.start, r."end", r.protocol, case when r."containerName" is null
          then 'reserved for ' || coalesce(r."reservedFor" ->> 'type' || ' ' || (r."reservedFor" ->> 'name'), 'a place')
          else 'container ' || r."containerName" || coalesce(' of ' || u.login, '') end, false
        from directory.hosts h join directory.fleet_hosts f on f.name = h.name,
          jsonb_to_recordset(h.report -> 'heldPorts') as r(start int, "end" int, protocol text, "containerName" text, "ownerId" bigint, "reservedFor" jsonb)
          left join directory.users u on u.id = r."ownerId")
      select distinct host, held.start, held."end", held.protocol, holder, is_place from held join asked
        on asked.protocol = held.protocol and asked.start <= held."end" and held.start <= asked."end"
      order by host, start`);
    // Hosts report what is in a place, too: the place itself says it all.
    const isInPlace = (row: HolderRow) =>
      rows.some(
        (one) =>
          one.is_place &&
          one.host === row.host &&
          one.protocol === row.protocol &&
          one.start <= row.end &&
          row.start <= one.end,
      );
    return rows
      .filter((row) => row.is_place || !isInPlace(row))
      .map(({ host, start, end, protocol, holder }) => ({ host, start, end, protocol, holder }));
  }

  async take(
    actor: number,
    wish: PlaceWish & { readonly host: string },
    amounts: readonly Amount[],
  ): Promise<number | TakeFault> {
    try {
      const [row] = await this.#db.execute<{ id: number | string }>(takeStatement(actor, wish, amounts));
      if (row === undefined) throw new Error("a place was neither taken nor refused");
      return Number(row.id);
    } catch (thrown) {
      return readTakeFault(thrown);
    }
  }

  async extend(actor: number, id: number, seconds: number): Promise<boolean> {
    const rows = await this.#change(sql`
      with place as (
        update directory.fleet_places set until = now() + make_interval(secs => ${seconds})
        where id = ${id} and state <> 'ending' and until < now() + make_interval(secs => ${seconds})
          and host in (select name from directory.fleet_hosts where ${IS_ALIVE})
        returning id, host, user_id, name)
      ${noted(actor, "place.extend", sql`place`)}
      select ${TELL_HOST} from place`);
    return rows.length > 0;
  }

  async end(actor: number, id: number): Promise<boolean> {
    const rows = await this.#change(sql`
      with place as (
        update directory.fleet_places set state = 'ending' where id = ${id} and state <> 'placing' returning id, host, user_id, name)
      ${noted(actor, "place.give", sql`place`)}
      select ${TELL_HOST} from place`);
    return rows.length > 0;
  }

  hear(
    speaker: Speaker,
    report: HostReport,
    plan: (places: readonly FleetPlace[], report: HostReport) => Plan,
  ): Promise<Heard> {
    return this.#db
      .transaction(async (tx): Promise<Heard> => {
        const heard = await hearIn(tx, speaker, report);
        if (heard.outcome !== "accepted") return heard;
        await tx.execute(sql`
          update directory.fleet_places p set state = 'ending' where host = ${speaker.name} and state <> 'ending'
            and not exists (select from directory.users u where u.id = p.user_id)`);
        const places = await placesWhere(tx, sql`host = ${speaker.name}`, sql`for update of p`);
        await applyPlan(tx, speaker.name, plan(places, report), report);
        return heard;
      })
      .catch((thrown: unknown) => {
        throw readDatabaseError(thrown);
      });
  }

  async drain(actor: number, host: string, { isDraining }: { readonly isDraining: boolean }): Promise<boolean> {
    const rows = await this.#change(sql`
      with host as (update directory.fleet_hosts set is_draining = ${isDraining} where name = ${host} returning name)
      ${notedHost(actor, isDraining ? "host.drain" : "host.undrain")}
      select name from host`);
    return rows.length > 0;
  }

  forget(actor: number, host: string): Promise<"forgotten" | "alive" | "unknown"> {
    return this.#db.transaction(async (tx) => {
      const [row] = await tx.execute<{ number: string; is_alive: boolean }>(sql`
        select number, ${IS_ALIVE} as is_alive from directory.fleet_hosts where name = ${host} for update`);
      if (row === undefined) return "unknown";
      if (row.is_alive) return "alive";
      const lost = await placesWhere(tx, sql`host = ${host}`, sql`for update of p`);
      await release(
        tx,
        lost.map(({ id }) => id),
      );
      for (const { id } of lost) await tx.execute(tell({ topic: placeTopic(id) }));
      await tx.execute(sql`delete from directory.fleet_accounts where starts_with(account, ${`host/${row.number}/`})`);
      await tx.execute(sql`
        with host as (delete from directory.fleet_hosts where name = ${host} returning name)
        ${notedHost(actor, "host.forget", { places: lost.length })} select name from host`);
      return "forgotten";
    });
  }

  async #change(statement: SQL) {
    try {
      return await this.#db.execute(statement);
    } catch (thrown) {
      throw readDatabaseError(thrown);
    }
  }
}

type HostRow = {
  name: string;
  address: string;
  memory: string | number;
  cpu: number;
  is_draining: boolean;
  is_alive: boolean;
  seen_at: string | Date;
  memory_free: number;
  cpu_free: number;
  places: number;
};
type HolderRow = { host: string; start: number; end: number; protocol: Protocol; holder: string; is_place: boolean };
type PlaceRow = {
  id: string | number;
  name: string;
  user_id: string | number;
  host: string;
  memory: string | number;
  cpu: number;
  pids: number;
  ports: PlaceWish["ports"];
  state: FleetPlace["state"];
  since: string | Date;
  seconds_left: number | null;
  pod: string | null;
  containers: number;
};

async function placesWhere(db: Database, condition: SQL, lock = sql``): Promise<readonly FleetPlace[]> {
  const rows = await db.execute<PlaceRow>(sql`
    select id, name, user_id, host, pod, memory, cpu::float8 as cpu, pids, ports, state, since, containers,
      extract(epoch from until - now())::float8 as seconds_left
    from directory.fleet_places p where state <> 'placing' and ${condition} order by id ${lock}`);
  return rows.map((row) => ({
    ...{ id: Number(row.id), name: row.name, userId: Number(row.user_id), host: row.host },
    size: { memory: Number(row.memory), cpu: row.cpu, pids: row.pids },
    ...{ ports: row.ports, state: row.state, since: new Date(row.since).toISOString(), containers: row.containers },
    ...{ secondsLeft: row.seconds_left ?? undefined, pod: row.pod ?? undefined },
  }));
}

/** Takes the host's turn, or tells why not. A host that nobody knows is registered, if it has no places. */
async function hearIn(tx: Database, { name, tokenId, address, size }: Speaker, report: HostReport): Promise<Heard> {
  const values = sql`address = ${address}, memory = ${size.memory}, cpu = ${size.cpu}, seen_at = now(), token_id = ${tokenId}`;
  const [row] = await tx.execute<{ turn: string; token_id: string | null }>(
    sql`select turn, token_id from directory.fleet_hosts where name = ${name} for update`,
  );
  if (row === undefined) {
    if (report.places.length > 0) return { outcome: "unknown" };
    const [made] = await tx.execute<{ turn: string }>(sql`
      insert into directory.fleet_hosts (name, token_id, turn, address, memory, cpu)
      values (${name}, ${tokenId}, nextval('directory.fleet_turns'), ${address}, ${size.memory}, ${size.cpu})
      on conflict do nothing returning turn`);
    return made === undefined ? { outcome: "foreign" } : { outcome: "accepted", turn: Number(made.turn) };
  }
  if (row.token_id !== null && Number(row.token_id) !== tokenId) return { outcome: "foreign" };
  if (Number(row.turn) !== report.turn) return { outcome: "stale", turn: Number(row.turn) };
  const [heard] = await tx.execute<{ turn: string }>(sql`
    update directory.fleet_hosts set turn = nextval('directory.fleet_turns'), ${values} where name = ${name} returning turn`);
  return { outcome: "accepted", turn: Number(heard?.turn) };
}

async function applyPlan(
  tx: Database,
  host: string,
  { ready, ending, gone }: Plan,
  { places }: HostReport,
): Promise<void> {
  const counts = places.map(({ grant, containers }) => ({ id: grant, containers }));
  await tx.execute(sql`
    update directory.fleet_places p set
      containers = r.containers,
      state = case when p.id in (${ids(ready)}) then 'ready' when p.id in (${ids(ending)}) then 'ending' else state end
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as r(id bigint, containers int)
    where r.id = p.id and p.host = ${host} and (p.containers <> r.containers or p.id in (${ids([...ready, ...ending])}))`);
  await release(
    tx,
    gone.map(({ id }) => id),
  );
  const signals = [
    ...[...ready, ...ending].map((id) => ({ topic: placeTopic(id) })),
    ...gone.map(({ id, reason }) => ({ topic: placeTopic(id), detail: reason?.slice(0, 2_000) })),
  ];
  for (const signal of signals) await tx.execute(tell(signal));
}
