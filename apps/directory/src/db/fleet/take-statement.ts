import { PROTOCOLS } from "@berth/port-spec";
import { type SQL, sql } from "drizzle-orm";
import type { Amount } from "../../fleet/ledger.ts";
import type { PlaceWish } from "../../fleet/place.ts";
import { IS_ALIVE, noted, TELL_HOST } from "./parts.ts";

/** One line of numbers for all ports of all hosts: 2^18 for each host, 2^16 for each protocol. */
function spanFrom(number: SQL, protocol: SQL, port: SQL): SQL {
  const protocols = sql.raw(`array[${PROTOCOLS.map((one) => `'${one}'`).join(",")}]`);
  return sql`((${number} * 4 + array_position(${protocols}, ${protocol}::text) - 1) * 65536 + ${port})`;
}

/**
 * The statement that grants a place. Room of the host, the user's and shared amounts are rows that it raises in the order of their names,
 * each only as far as its bound allows; the row of the place is refused unless the host and every amount were there, the rows of ports
 * where somebody has one. Either all of it holds or none.
 */
export function takeStatement(
  actor: number,
  wish: PlaceWish & { readonly host: string },
  amounts: readonly Amount[],
): SQL {
  const { name, userId, size, ports, seconds } = wish;
  const span = (port: SQL) => spanFrom(sql`place.number`, sql`r.protocol`, port);
  return sql`
    with host as (
      select name, number, memory, cpu from directory.fleet_hosts
      where name = ${wish.host} and not is_draining and ${IS_ALIVE} for share
    ), asked as (
      select * from jsonb_to_recordset(${JSON.stringify(amounts)}::jsonb) as a(account text, amount numeric, max numeric)
      union all select 'host/' || number || '/memory', ${size.memory}::numeric, memory from host
      union all select 'host/' || number || '/cpu', ${size.cpu}::numeric, cpu from host
    ), counted as (
      insert into directory.fleet_accounts as a (account, used)
      select account, amount from asked where max is null or amount <= max order by account collate "C"
      on conflict (account) do update set used = a.used + excluded.used
      where not exists (select from asked where asked.account = excluded.account and a.used + excluded.used > max)
      returning account
    ), place as (
      insert into directory.fleet_places (name, user_id, host, memory, cpu, pids, ports, until, amounts)
      select ${name}::text, ${userId}::bigint, (select name from host), ${size.memory}::bigint, ${size.cpu}::numeric, ${size.pids}::int,
        ${JSON.stringify(ports)}::jsonb,
        now() + make_interval(secs => ${seconds ?? null}::float8),
        (select jsonb_agg(asked) from asked having count(*) = (select count(*) from counted))
      returning id, host, user_id, name, (select number from host) as number
    ), spans as (
      insert into directory.fleet_ports (place_id, span)
      select place.id, int8range(${span(sql`r.start`)}, ${span(sql`r."end"`)}, '[]')
      from place, jsonb_to_recordset(${JSON.stringify(ports)}::jsonb) as r(start int, "end" int, protocol text)
      returning 1
    ) ${noted(actor, "place.take", sql`place`)}
    select id, (select count(*) from spans), ${TELL_HOST} from place`;
}
