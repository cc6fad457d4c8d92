import { and, count, eq, getTableColumns, gt, isNull, lt, lte, sql } from "drizzle-orm";
import type { DeviceLoginStore, IdentityStore, SecondFactorStore } from "../accounts/sign-in-stores.ts";
import type { Database } from "./database.ts";
import { deviceLogins, identities, identityGroups, recoveryCodes, secondFactors } from "./sign-in-schema.ts";

/** Which person of a provider is which user, and the groups that the provider put the user in. */
export function identityStore(db: Database): IdentityStore {
  return {
    async userOf({ issuer, subject }) {
      const [row] = await db
        .select({ userId: identities.userId })
        .from(identities)
        .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
      return row?.userId;
    },
    async link(userId, { issuer, subject }) {
      // Another sign-in may have linked the same person meanwhile.
      const rows = await db.insert(identities).values({ issuer, subject, userId }).onConflictDoNothing().returning();
      return rows.length > 0;
    },
    async ofUser(userId) {
      const rows = await db.select().from(identities).where(eq(identities.userId, userId)).orderBy(identities.issuer);
      return rows.map(({ issuer, subject, createdAt }) => ({ issuer, subject, since: createdAt.toISOString() }));
    },
    async unlink(userId) {
      await db.delete(identities).where(eq(identities.userId, userId));
      await db.delete(identityGroups).where(eq(identityGroups.userId, userId));
    },
    async groupsOf(userId) {
      const rows = await db.select().from(identityGroups).where(eq(identityGroups.userId, userId));
      return rows.map(({ groupId }) => groupId);
    },
    async setGroups(userId, groupIds) {
      await db.delete(identityGroups).where(eq(identityGroups.userId, userId));
      if (groupIds.length > 0) await db.insert(identityGroups).values(groupIds.map((groupId) => ({ userId, groupId })));
    },
  };
}

const { sha256: _, createdAt: __, ...SHOWN } = getTableColumns(deviceLogins);

/** Commands that wait until their users approve that they sign in. */
export function deviceLoginStore(db: Database): DeviceLoginStore {
  return {
    async create({ expiresAt, ...fields }) {
      await db.insert(deviceLogins).values({ ...fields, expiresAt: new Date(expiresAt) });
    },
    async waiting(address, at) {
      const isWaiting = gt(deviceLogins.expiresAt, new Date(at));
      const [all] = await db.select({ n: count() }).from(deviceLogins).where(isWaiting);
      const [own] = await db
        .select({ n: count() })
        .from(deviceLogins)
        .where(and(isWaiting, eq(deviceLogins.address, address)));
      return { all: all?.n ?? 0, own: own?.n ?? 0 };
    },
    async find(userCode, at) {
      const [row] = await db
        .select(SHOWN)
        .from(deviceLogins)
        .where(and(eq(deviceLogins.userCode, userCode), gt(deviceLogins.expiresAt, new Date(at))));
      return row && { ...row, expiresAt: row.expiresAt.toISOString() };
    },
    async answer(userCode, { userId, at }) {
      // The first answer counts.
      const rows = await db
        .update(deviceLogins)
        .set(userId === null ? { declined: true } : { userId })
        .where(
          and(
            eq(deviceLogins.userCode, userCode),
            gt(deviceLogins.expiresAt, new Date(at)),
            sql`${deviceLogins.userId} is null and not ${deviceLogins.declined}`,
          ),
        )
        .returning({ userCode: deviceLogins.userCode });
      return rows.length > 0;
    },
    async take(sha256, at) {
      const isIt = and(eq(deviceLogins.sha256, sha256), gt(deviceLogins.expiresAt, new Date(at)));
      const [row] = await db.select(SHOWN).from(deviceLogins).where(isIt).for("update");
      if (row === undefined) return undefined;
      if (row.userId !== null || row.declined) await db.delete(deviceLogins).where(isIt);
      return { ...row, expiresAt: row.expiresAt.toISOString() };
    },
    async prune(before) {
      await db.delete(deviceLogins).where(lte(deviceLogins.expiresAt, new Date(before)));
    },
  };
}

/** Second factors by user, with the recovery codes that stand in for them. Each code is taken by one statement, so that one request has it. */
export function secondFactorStore(db: Database): SecondFactorStore {
  const isOf = (userId: number) => eq(secondFactors.userId, userId);
  return {
    async find(userId) {
      const [row] = await db.select().from(secondFactors).where(isOf(userId));
      if (row === undefined) return undefined;
      const { secret, createdAt, confirmedAt } = row;
      return { secret, createdAt: createdAt.toISOString(), confirmedAt: confirmedAt?.toISOString() ?? null };
    },
    async begin(userId, fields) {
      const values = { secret: fields.secret, createdAt: new Date(fields.createdAt) };
      const rows = await db
        .insert(secondFactors)
        .values({ userId, ...values })
        .onConflictDoUpdate({
          target: secondFactors.userId,
          set: { ...values, lastStep: 0 },
          setWhere: isNull(secondFactors.confirmedAt),
        })
        .returning({ userId: secondFactors.userId });
      return rows.length > 0;
    },
    async confirm(userId, at) {
      await db
        .update(secondFactors)
        .set({ confirmedAt: new Date(at) })
        .where(isOf(userId));
    },
    async takeStep(userId, step) {
      const rows = await db
        .update(secondFactors)
        .set({ lastStep: step })
        .where(and(isOf(userId), lt(secondFactors.lastStep, step)))
        .returning({ userId: secondFactors.userId });
      return rows.length > 0;
    },
    async remove(userId) {
      await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
      const rows = await db.delete(secondFactors).where(isOf(userId)).returning({ at: secondFactors.confirmedAt });
      return rows.some(({ at }) => at !== null);
    },
    async replaceCodes(userId, sha256s) {
      await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
      await db.insert(recoveryCodes).values(sha256s.map((sha256) => ({ userId, sha256 })));
    },
    async takeCode(userId, sha256) {
      const rows = await db
        .delete(recoveryCodes)
        .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.sha256, sha256)))
        .returning({ userId: recoveryCodes.userId });
      return rows.length > 0;
    },
    async codesLeft(userId) {
      const [row] = await db.select({ n: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId));
      return row?.n ?? 0;
    },
  };
}
