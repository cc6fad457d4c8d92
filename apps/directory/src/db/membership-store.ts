import { and, asc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { GroupOfMember, MembershipStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { GROUP_COLUMNS, groupOf, USER_COLUMNS, userOf } from "./rows.ts";
import { groups, memberships, users } from "./schema.ts";
import { groupsAboveUsers } from "./subgroup-store.ts";

/** Ordered like the index it reads. */
function groupsOfStatement(db: Database) {
  return db
    .select({ group: GROUP_COLUMNS, role: memberships.role })
    .from(memberships)
    .innerJoin(groups, eq(groups.id, memberships.groupId))
    .where(and(eq(memberships.userId, sql.placeholder("user")), gt(memberships.groupId, sql.placeholder("after"))))
    .orderBy(asc(memberships.groupId))
    .limit(sql.placeholder("limit"))
    .prepare("groups_of");
}

/** Ids as one parameter: a statement with thousands of them costs more to plan than to run. */
function idsIn(ids: readonly number[]): SQL {
  return sql`(select value::bigint from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;
}

export function membershipStore(db: Database): MembershipStore {
  let statement: ReturnType<typeof groupsOfStatement> | undefined;
  return {
    async roleOf(userId, groupId) {
      const [row] = await db
        .select({ role: memberships.role })
        .from(memberships)
        .where(and(eq(memberships.userId, userId), eq(memberships.groupId, groupId)));
      return row?.role;
    },
    async put(userId, groupId, role) {
      await db
        .insert(memberships)
        .values({ userId, groupId, role })
        .onConflictDoUpdate({ target: [memberships.userId, memberships.groupId], set: { role } });
    },
    async remove(userId, groupId) {
      await db.delete(memberships).where(and(eq(memberships.userId, userId), eq(memberships.groupId, groupId)));
    },
    async addAll(groupId, userIds) {
      // In the order of their ids, so that two requests that add the same users never wait for each other in a circle.
      const found = await db.execute<{ id: number | string }>(sql`
        select id from directory.users where id in ${idsIn(userIds)} order by id for no key update`);
      const ids = new Set(found.map((row) => Number(row.id)));
      const missing = userIds.find((id) => !ids.has(id));
      if (missing !== undefined) return missing;
      await db.execute(sql`
        insert into directory.memberships (user_id, group_id, role)
        select id, ${groupId}::bigint, 'member' from directory.users where id in ${idsIn(userIds)}
        on conflict do nothing`);
      return undefined;
    },
    async removeAll(groupId, userIds) {
      await db.execute(sql`
        delete from directory.memberships where group_id = ${groupId} and user_id in ${idsIn(userIds)}`);
    },
    async removeOthers(groupId, userIds) {
      await db.execute(sql`
        delete from directory.memberships where group_id = ${groupId} and user_id not in ${idsIn(userIds)}`);
    },
    async groupsOfAll(userIds) {
      const rows = await db
        .select({ user: memberships.userId, id: groups.id, name: groups.name })
        .from(memberships)
        .innerJoin(groups, eq(groups.id, memberships.groupId))
        .where(inArray(memberships.userId, [...userIds]))
        .orderBy(asc(memberships.groupId));
      const byUser = new Map<number, GroupOfMember[]>();
      const add = (user: number, group: GroupOfMember) => {
        const list = byUser.get(user) ?? [];
        byUser.set(user, list);
        if (!list.some(({ id }) => id === group.id)) list.push(group);
      };
      for (const { user, id, name } of rows) add(user, { id, name, type: "direct" });
      for (const { userId, id, name } of await groupsAboveUsers(db, userIds))
        add(userId, { id, name, type: "indirect" });
      return byUser;
    },
    async namesOf(groupId, page) {
      return db
        .select({ id: memberships.userId, name: sql<string>`coalesce(${users.name}, ${users.login})` })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(and(eq(memberships.groupId, groupId), page.after && gt(memberships.userId, page.after.id)))
        .orderBy(asc(memberships.userId))
        .limit(page.limit);
    },
    // Ordered like the index it reads.
    async membersOf(groupId, page) {
      const rows = await db
        .select({ user: USER_COLUMNS, role: memberships.role })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(and(eq(memberships.groupId, groupId), page.after && gt(memberships.userId, page.after.id)))
        .orderBy(asc(memberships.userId))
        .limit(page.limit);
      return rows.map((row) => ({ user: userOf(row.user), role: row.role }));
    },
    async groupsOf(userId, page) {
      statement ??= groupsOfStatement(db);
      const rows = await statement.execute({ user: userId, after: page.after?.id ?? 0, limit: page.limit });
      return rows.map((row) => ({ group: groupOf(row.group), role: row.role }));
    },
  };
}
