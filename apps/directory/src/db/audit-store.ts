import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { AuditStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { audit } from "./schema.ts";

/** The audit log, newest entry first. */
export function auditStore(db: Database): AuditStore {
  return {
    async page(query, page) {
      const rows = await db
        .select()
        .from(audit)
        .where(
          and(
            query.actor === undefined ? undefined : eq(audit.actor, query.actor),
            query.target === undefined ? undefined : eq(audit.target, query.target),
            query.action === undefined ? undefined : eq(audit.action, query.action),
            query.since === undefined ? undefined : gte(audit.at, new Date(query.since)),
            query.until === undefined ? undefined : lt(audit.at, new Date(query.until)),
            page.after && lt(audit.id, page.after.id),
          ),
        )
        .orderBy(desc(audit.id))
        .limit(page.limit);
      return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
    },
    async note(action, target, after) {
      const actor = sql`nullif(current_setting('berth.actor', true), '')::bigint`;
      await db.insert(audit).values({ actor, action, target, after });
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
