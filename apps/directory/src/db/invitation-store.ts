import { and, asc, eq, gt } from "drizzle-orm";
import type { InvitationStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { GROUP_COLUMNS, groupOf } from "./rows.ts";
import { groups, invitations, users } from "./schema.ts";

export function invitationStore(db: Database): InvitationStore {
  const isOf = (userId: number, groupId: number) =>
    and(eq(invitations.userId, userId), eq(invitations.groupId, groupId));
  return {
    async put(userId, groupId) {
      await db.insert(invitations).values({ userId, groupId }).onConflictDoNothing();
    },
    async remove(userId, groupId) {
      const removed = await db.delete(invitations).where(isOf(userId, groupId)).returning({ id: invitations.groupId });
      return removed.length > 0;
    },
    async ofUser(userId, page) {
      const rows = await db
        .select({ group: GROUP_COLUMNS, createdAt: invitations.createdAt })
        .from(invitations)
        .innerJoin(groups, eq(groups.id, invitations.groupId))
        .where(and(eq(invitations.userId, userId), page.after && gt(invitations.groupId, page.after.id)))
        .orderBy(asc(invitations.groupId))
        .limit(page.limit);
      return rows.map((row) => ({ group: groupOf(row.group), invitedAt: row.createdAt.toISOString() }));
    },
    async ofGroup(groupId, page) {
      const rows = await db
        .select({ id: users.id, login: users.login, createdAt: invitations.createdAt })
        .from(invitations)
        .innerJoin(users, eq(users.id, invitations.userId))
        .where(and(eq(invitations.groupId, groupId), page.after && gt(invitations.userId, page.after.id)))
        .orderBy(asc(invitations.userId))
        .limit(page.limit);
      return rows.map(({ id, login, createdAt }) => ({ id, login, invitedAt: createdAt.toISOString() }));
    },
  };
}
