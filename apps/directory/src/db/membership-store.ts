import { and, asc, eq, getTableColumns, gt } from "drizzle-orm";
import type { MembershipStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { groupOf, userOf } from "./rows.ts";
import { groups, memberships, users } from "./schema.ts";

const {
  passHash: _pass,
  loginKey: _login,
  emailKey: _email,
  policyVersion: _policy,
  ...shownUser
} = getTableColumns(users);
const { nameKey: _name, ...shownGroup } = getTableColumns(groups);

export function membershipStore(db: Database): MembershipStore {
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
    // Both lists are in the order of the index they are read from.
    async membersOf(groupId, page) {
      const rows = await db
        .select({ user: shownUser, role: memberships.role })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(and(eq(memberships.groupId, groupId), page.after && gt(memberships.userId, page.after.id)))
        .orderBy(asc(memberships.userId))
        .limit(page.limit);
      return rows.map((row) => ({ user: userOf(row.user), role: row.role }));
    },
    async groupsOf(userId, page) {
      const rows = await db
        .select({ group: shownGroup, role: memberships.role })
        .from(memberships)
        .innerJoin(groups, eq(groups.id, memberships.groupId))
        .where(and(eq(memberships.userId, userId), page.after && gt(memberships.groupId, page.after.id)))
        .orderBy(asc(memberships.groupId))
        .limit(page.limit);
      return rows.map((row) => ({ group: groupOf(row.group), role: row.role }));
    },
  };
}
