// What holds for a user, as the database is asked for it.

const EXPIRES = `to_char(c.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const OWN_AND_GROUPS = `
  select id, 'user' as via, user_id as owner, effect, kind, value, expires_at
    from directory.constraints where user_id = u.id
  union all
  select g.id, 'group', g.group_id, g.effect, g.kind, g.value, g.expires_at
    from directory.memberships m join directory.constraints g on g.group_id = m.group_id where m.user_id = u.id`;

/** A row for each constraint: the query as one writes it. */
export const AS_ROWS = `
  select u.login, u.role, u.active, u.policy_version || ':' || p.epoch as version,
    c.id, c.via, c.owner, c.effect, c.kind, c.value, ${EXPIRES} as expires
  from directory.users u cross join directory.policy p left join lateral (${OWN_AND_GROUPS}) c on true
  where u.id = $1`;

/** The same in one row: the statement of `policy-reader.ts`, as it reaches the database. */
export const AS_JSON = `
  select u.login, u.role, u.active, u.policy_version || ':' || p.epoch as version, (
    select json_agg(json_build_array(id, via, owner, effect, kind, value, ${EXPIRES}))
    from (${OWN_AND_GROUPS}) c) as constraints
  from directory.users u cross join directory.policy p
  where u.id = $1`;
