import { and, asc, eq, gt, inArray, notInArray, type SQL, sql } from "drizzle-orm";
import type { SubgroupStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { GROUP_COLUMNS, groupOf } from "./rows.ts";
import { groups, subgroups } from "./schema.ts";

/** A query of the ids of all groups that the user's own groups are part of, at any depth. */
export function groupsAbove(userId: SQL): SQL {
  return sql`
    with recursive above(id) as (
      select s.group_id from directory.memberships m join directory.subgroups s on s.subgroup_id = m.group_id
        where m.user_id = ${userId}
      union select s.group_id from above join directory.subgroups s on s.subgroup_id = above.id
    ) select id from above`;
}

/** A query of the ids of a group and all groups that are part of it. */
function groupsWithin(groupId: number): SQL {
  return sql`
    with recursive below(id) as (
      select ${groupId}::bigint
      union select s.subgroup_id from below join directory.subgroups s on s.group_id = below.id
    ) select id from below`;
}

export function subgroupStore(db: Database): SubgroupStore {
  return {
    async put(groupId, subgroupId) {
      await db.insert(subgroups).values({ groupId, subgroupId }).onConflictDoNothing();
    },
    async removeAll(groupId, ids) {
      await db.delete(subgroups).where(and(eq(subgroups.groupId, groupId), inArray(subgroups.subgroupId, [...ids])));
    },
    async removeOthers(groupId, ids) {
      await db.delete(subgroups).where(and(eq(subgroups.groupId, groupId), notInArray(subgroups.subgroupId, [...ids])));
    },
    async ofGroup(groupId, page) {
      const rows = await db
        .select(GROUP_COLUMNS)
        .from(subgroups)
        .innerJoin(groups, eq(groups.id, subgroups.subgroupId))
        .where(and(eq(subgroups.groupId, groupId), page.after && gt(subgroups.subgroupId, page.after.id)))
        .orderBy(asc(subgroups.subgroupId))
        .limit(page.limit);
      return rows.map(groupOf);
    },
    async within(groupId, userIds) {
      const rows = await db.execute<{ user_id: number | string }>(sql`
        select distinct user_id from directory.memberships
        where group_id in (${groupsWithin(groupId)})
          and user_id in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(userIds)}::jsonb))`);
      return new Set(rows.map((row) => Number(row.user_id)));
    },
  };
}

/** The groups that contain groups of the users, without the users' own. */
export async function groupsAboveUsers(
  db: Database,
  userIds: readonly number[],
): Promise<readonly { readonly userId: number; readonly id: number; readonly name: string }[]> {
  const rows = await db.execute<{ user: number | string; id: number | string; name: string }>(sql`
    select u.id as user, n.id, n.name
    from (select value::bigint as id from jsonb_array_elements_text(${JSON.stringify(userIds)}::jsonb)) u
      cross join lateral (${groupsAbove(sql`u.id`)}) a join directory.groups n on n.id = a.id
    order by n.id`);
  return rows.map(({ user, id, name }) => ({ userId: Number(user), id: Number(id), name }));
}
