/** SQL that counts what only a ledger that failed would hold. */
export const FLEET_AUDIT = `
  select
    (select count(*) from directory.fleet_ports a join directory.fleet_ports b
      on a.ctid < b.ctid and a.span && b.span)::int as double_ports,
    (select count(*) from directory.fleet_places p where jsonb_array_length(p.ports)
      <> (select count(*) from directory.fleet_ports o where o.place_id = p.id))::int as miscounted_ports,
    (select count(*) from directory.fleet_hosts h where h.memory < (select coalesce(sum(p.memory), 0)
      from directory.fleet_places p where p.host = h.name) or h.cpu < (select coalesce(sum(p.cpu), 0)
      from directory.fleet_places p where p.host = h.name))::int as over_host,
    (select count(*) from (
      select account, sum(amount) from (
        select account, used as amount from directory.fleet_accounts
        union all select r.account, -r.amount from directory.fleet_places p,
          jsonb_to_recordset(p.amounts) as r(account text, amount numeric)) both_sides
      group by account having sum(amount) <> 0) t)::int as miscounted`;

export const CLEAN_FLEET = { double_ports: 0, miscounted_ports: 0, over_host: 0, miscounted: 0 };
