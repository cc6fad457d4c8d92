import { eq, lt, sql } from "drizzle-orm";
import type { FailureStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { rowsOf } from "./rows-of.ts";
import { signInFailures } from "./schema.ts";

export function failureStore(db: Database): FailureStore {
  return {
    // Of two tries at the same time the later may come first: the earlier is not before the end of any wait.
    async admit(key, at, { free, longest }) {
      const now = sql`${at.toISOString()}::timestamptz`;
      const admitted = rowsOf(
        await db.execute(sql`
          insert into directory.sign_in_failures as f (key, failures, blocked_until, updated_at) values (${key}, 1, ${now}, ${now})
          on conflict (key) do update set
            failures = f.failures + 1,
            updated_at = ${now},
            blocked_until = ${now} + case when f.failures + 1 < ${free}::int then interval '0'
              else make_interval(secs => least(2 ^ least(f.failures + 1 - ${free}::int, 20), ${longest}::int)) end
          where f.blocked_until <= ${now} or f.failures < ${free}::int
          returning 1 as admitted`),
      );
      if (admitted.length > 0) return 0;
      const [row] = await db.select().from(signInFailures).where(eq(signInFailures.key, key));
      const wait = row === undefined ? 1 : (row.blockedUntil.getTime() - at.getTime()) / 1_000;
      return Math.min(Math.max(Math.ceil(wait), 1), longest);
    },
    async forget(key) {
      await db.delete(signInFailures).where(eq(signInFailures.key, key));
    },
    async takeBack(key) {
      await db
        .update(signInFailures)
        .set({ failures: sql`greatest(${signInFailures.failures} - 1, 0)`, blockedUntil: signInFailures.updatedAt })
        .where(eq(signInFailures.key, key));
    },
    async prune(before) {
      await db.delete(signInFailures).where(lt(signInFailures.updatedAt, new Date(before)));
    },
  };
}
