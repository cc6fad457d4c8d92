import { type SQL, sql } from "drizzle-orm";
import { UNSEEN_SECONDS } from "../../fleet/place.ts";
import type { Signal } from "../../fleet/signals.ts";

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
