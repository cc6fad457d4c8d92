import { and, desc, eq, gte, lt, not, or, sql } from "drizzle-orm";
import type { AuditStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { audit, CONCERNED } from "./schema.ts";

/** The audit log, newest entry first. */
export function auditStore(db: Database): AuditStore {
  return {
    async page(query, page) {
      const rows = await db
        .select()
        .from(audit)
        .where(
          and(
            query.user === undefined
              ? undefined
              : or(
                  eq(audit.actor, query.user),
                  eq(audit.target, `user/${query.user}`),
                  sql`${CONCERNED} = ${String(query.user)}`,
                ),
            query.actor === undefined ? undefined : eq(audit.actor, query.actor),
            query.target === undefined ? undefined : eq(audit.target, query.target),
            query.action === undefined ? undefined : eq(audit.action, query.action),
            query.outcome === undefined ? undefined : eq(audit.outcome, query.outcome),
            // A literal that the index on such entries is known to cover.
            query.outcome === undefined || query.outcome === "done" ? undefined : sql`outcome <> 'done'`,
            query.bypass === undefined ? undefined : query.bypass ? audit.bypass : not(audit.bypass),
            query.since === undefined ? undefined : gte(audit.at, new Date(query.since)),
            query.until === undefined ? undefined : lt(audit.at, new Date(query.until)),
            // Not by id alone: reports arrive later than what they tell of.
            page.after && sql`(${audit.at}, ${audit.id}) < (${page.after.value}::timestamptz, ${page.after.id})`,
          ),
        )
        .orderBy(desc(audit.at), desc(audit.id))
        .limit(page.limit);
      return rows.map(({ reportId: _, ...row }) => ({ ...row, at: row.at.toISOString() }));
    },
    async note(action, target, after, outcome = "done") {
      const actor = sql`nullif(current_setting('berth.actor', true), '')::bigint`;
      await db.insert(audit).values({ actor, action, target, after, outcome });
    },
    async report(entries) {
      if (entries.length === 0) return;
      await db
        .insert(audit)
        .values(entries.map((entry) => ({ ...entry, at: new Date(entry.at) })))
        .onConflictDoNothing({ target: audit.reportId, where: sql`report_id is not null` });
    },
    async prune(before) {
      await db.execute(sql`select set_config('berth.prune', 'on', true)`);
      const gone = await db
        .delete(audit)
        .where(lt(audit.at, new Date(before)))
        .returning({ id: audit.id });
      await db.execute(sql`select set_config('berth.prune', '', true)`);
      return gone.length;
    },
  };
}
