import { PROTOCOLS } from "@berth/port-spec";
import { type SQL, sql } from "drizzle-orm";
import type { Amount } from "../../fleet/ledger.ts";
import type { PlaceWish } from "../../fleet/place.ts";
import type { Site } from "../../fleet/placements/placings.ts";
import { IS_ALIVE, noted, TELL_HOST } from "./parts.ts";

/** One line of numbers for all ports of all hosts: 2^18 for each host, 2^16 for each protocol. */
function spanFrom(number: SQL, protocol: SQL, port: SQL): SQL {
  const protocols = sql.raw(`array[${PROTOCOLS.map((one) => `'${one}'`).join(",")}]`);
  return sql`((${number} * 4 + array_position(${protocols}, ${protocol}::text) - 1) * 65536 + ${port})`;
}

function asked(amounts: readonly Amount[]): SQL {
  return sql`select * from jsonb_to_recordset(${JSON.stringify(amounts)}::jsonb) as a(account text, amount numeric, max numeric)`;
}

/** What a place takes of `host`. */
function askedOfHost({ size }: PlaceWish): SQL {
  return sql`
    select 'host/' || number || '/memory' as account, ${size.memory}::numeric as amount, memory::numeric as max from host
    union all select 'host/' || number || '/cpu', ${size.cpu}::numeric, cpu from host`;
}

/** Raises the rows of `asked` in the order of their names, each only as far as its bound allows. */
const COUNTED = sql`
  counted as (
    insert into directory.fleet_accounts as a (account, used)
    select account, amount from asked where max is null or amount <= max order by account collate "C"
    on conflict (account) do update set used = a.used + excluded.used
    where not exists (select from asked where asked.account = excluded.account and a.used + excluded.used > max)
    returning account
  )`;

/** Null where an amount of `asked` was not there, which no row of a place may have. */
const TAKEN = sql`(select jsonb_agg(asked) from asked having count(*) = (select count(*) from counted))`;

/** Takes the ports of `place`, on the host of its `number`. */
function spans({ ports }: PlaceWish): SQL {
  const span = (port: SQL) => spanFrom(sql`place.number`, sql`r.protocol`, port);
  return sql`
    spans as (
      insert into directory.fleet_ports (place_id, span)
      select place.id, int8range(${span(sql`r.start`)}, ${span(sql`r."end"`)}, '[]')
      from place, jsonb_to_recordset(${JSON.stringify(ports)}::jsonb) as r(start int, "end" int, protocol text)
      returning 1
    )`;
}

function untilOf({ seconds }: PlaceWish): SQL {
  return sql`now() + make_interval(secs => ${seconds ?? null}::float8)`;
}

/**
 * The statement that grants a place. Room of the host, the user's and shared amounts are rows that it raises; the row of the place is
 * refused unless the host and every amount were there, the rows of ports where somebody has one. Either all of it holds or none.
 */
export function takeStatement(
  actor: number,
  wish: PlaceWish & { readonly host: string },
  amounts: readonly Amount[],
): SQL {
  const { name, userId, size, ports } = wish;
  return sql`
    with host as (
      select name, number, memory, cpu from directory.fleet_hosts
      where name = ${wish.host} and not is_draining and ${IS_ALIVE} for share
    ), asked as (
      ${asked(amounts)} union all ${askedOfHost(wish)}
    ), ${COUNTED}, place as (
      insert into directory.fleet_places (name, user_id, host, memory, cpu, pids, ports, until, amounts)
      select ${name}::text, ${userId}::bigint, (select name from host), ${size.memory}::bigint, ${size.cpu}::numeric, ${size.pids}::int,
        ${JSON.stringify(ports)}::jsonb, ${untilOf(wish)}, ${TAKEN}
      returning id, host, user_id, name, (select number from host) as number
    ), ${spans(wish)} ${noted(actor, "place.take", sql`place`)}
    select id, (select count(*) from spans), ${TELL_HOST} from place`;
}

/** The first half of the grant where the host is not known yet: the user's name and amounts. */
export function reserveStatement({ name, userId, size, ports }: PlaceWish, amounts: readonly Amount[]): SQL {
  return sql`
    with asked as (${asked(amounts)}), ${COUNTED}
    insert into directory.fleet_places (name, user_id, state, memory, cpu, pids, ports, amounts)
    select ${name}::text, ${userId}::bigint, 'placing', ${size.memory}::bigint, ${size.cpu}::numeric, ${size.pids}::int,
      ${JSON.stringify(ports)}::jsonb, ${TAKEN}
    returning id`;
}

/** The second half: room and ports of the host, or nothing of it. Gives no row where the first half was given up. */
export function settleStatement(actor: number, id: number, { host, pod }: Site, wish: PlaceWish): SQL {
  return sql`
    with pending as (
      select id from directory.fleet_places where id = ${id} and state = 'placing' for update
    ), host as (
      select name, number, memory, cpu from directory.fleet_hosts
      where exists (select from pending) and name = ${host} and not is_draining and ${IS_ALIVE} for share
    ), asked as (${askedOfHost(wish)}), ${COUNTED}, place as (
      update directory.fleet_places p set state = 'wanted', host = (select name from host), pod = ${pod}, since = now(),
        until = ${untilOf(wish)}, amounts = p.amounts || ${TAKEN}
      from pending where p.id = pending.id
      returning p.id, p.host, p.user_id, p.name, (select number from host) as number
    ), ${spans(wish)} ${noted(actor, "place.take", sql`place`)}
    select id, (select count(*) from spans), ${TELL_HOST} from place`;
}
