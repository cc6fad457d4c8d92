import { lt, sql } from "drizzle-orm";
import type { HostStore } from "../accounts/host-records.ts";
import type { Database } from "./database.ts";
import { hosts } from "./schema.ts";

/** What reports from before did not hold. */
const UNREPORTED = { processPorts: [], refusedSince: null, refusedUsers: [] };

/** The last report of each host. */
export function hostStore(db: Database): HostStore {
  return {
    async all() {
      const rows = await db.select().from(hosts).orderBy(hosts.name);
      return rows.map(({ name, reportedAt, report }) => ({
        name,
        reportedAt: reportedAt.toISOString(),
        report: { ...UNREPORTED, ...report },
      }));
    },
    async put(name, report) {
      const values = { report, reportedAt: sql`now()` };
      await db
        .insert(hosts)
        .values({ name, ...values })
        .onConflictDoUpdate({ target: hosts.name, set: values });
    },
    async prune(before) {
      await db.delete(hosts).where(lt(hosts.reportedAt, new Date(before)));
    },
  };
}
