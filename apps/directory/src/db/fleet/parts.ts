import { databaseFault } from "@berth/service-kit";
import { type SQL, sql } from "drizzle-orm";
import type { TakeFault } from "../../fleet/ledger.ts";
import { UNSEEN_SECONDS } from "../../fleet/place.ts";
import type { Signal } from "../../fleet/signals.ts";
import type { Database } from "../database.ts";
import { readDatabaseError } from "../database-error.ts";
import { HOST_THERE, NAME_TAKEN, PORT_TAKEN, ROOM_LEFT } from "./schema.ts";

export const FLEET_CHANNEL = "berth_fleet";

/** Of a row of `fleet_hosts`. */
export const IS_ALIVE = sql.raw(`seen_at > now() - interval '${UNSEEN_SECONDS} seconds'`);

/** Tells everyone who waits, once the transaction commits. */
export function tell(...signals: readonly Signal[]): SQL {
  const calls = signals.map((signal) => sql`pg_notify(${FLEET_CHANNEL}, ${JSON.stringify(signal)})`);
  return sql`select ${sql.join(calls, sql`, `)}`;
}

/** Of rows of places: tells the host of each, once the transaction commits. */
export const TELL_HOST = sql`pg_notify(${FLEET_CHANNEL}, jsonb_build_object('topic', 'host/' || host)::text)`;

/** Adds an audit entry for each row of `rows` to a statement's common table expressions. */
export function noted(actor: number, action: string, rows: SQL): SQL {
  return sql`, noted as (
    insert into directory.audit (actor, action, target, after)
    select ${actor}::bigint, ${action}::text, 'place/' || id, jsonb_build_object('ownerId', user_id, 'name', name, 'host', host) from ${rows})`;
}

export function notedHost(actor: number, action: string, more: object = {}): SQL {
  return sql`, noted as (
    insert into directory.audit (actor, action, target, after)
    select ${actor}::bigint, ${action}::text, 'host/' || name, ${JSON.stringify(more)}::jsonb from host)`;
}

/** Removes places of which nothing is left, and gives back what they took. */
export async function release(tx: Database, gone: readonly number[]): Promise<void> {
  if (gone.length === 0) return;
  await tx.execute(sql`
    with gone as (delete from directory.fleet_places where id in (${ids(gone)}) returning amounts),
    back as (
      select r.account, sum(r.amount) as amount from gone, jsonb_to_recordset(gone.amounts) as r(account text, amount numeric)
      group by r.account
    ), locked as (
      select a.account from directory.fleet_accounts a join back on back.account = a.account order by a.account for update of a
    )
    update directory.fleet_accounts a set used = a.used - back.amount from locked join back using (account) where a.account = locked.account`);
}

/** The ids as rows of a query. */
export function ids(of: readonly number[]): SQL {
  return sql`select jsonb_array_elements_text(${JSON.stringify(of)}::jsonb)::bigint`;
}

const FAULTS: Readonly<Record<string, TakeFault>> = {
  [HOST_THERE]: "host",
  [ROOM_LEFT]: "room",
  [PORT_TAKEN]: "ports",
  [NAME_TAKEN]: "name",
};

/** What was in the way of a place, by the constraint that refused its row. Throws anything else in the directory's words. */
export function readTakeFault(thrown: unknown): TakeFault {
  const { constraint = "" } = databaseFault(thrown) ?? {};
  const fault = FAULTS[constraint];
  if (fault === undefined) throw readDatabaseError(thrown);
  return fault;
}
