import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { MembershipStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { GROUP_COLUMNS, groupOf, USER_COLUMNS, userOf } from "./rows.ts";
import { groups, memberships, users } from "./schema.ts";

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
    async idsOf(groupId) {
      const rows = await db
        .select({ id: memberships.userId })
        .from(memberships)
        .where(eq(memberships.groupId, groupId))
        .orderBy(asc(memberships.userId));
      return rows.map((row) => row.id);
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
