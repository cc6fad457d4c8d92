import { eq, lt, sql } from "drizzle-orm";
import type { FailureStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { signInFailures } from "./schema.ts";

const { key, failures, blockedUntil, updatedAt } = signInFailures;

/** Every sign-in runs these, so they are prepared: built once, and planned once per connection. */
function statementsOn(db: Database) {
  const now = sql`${sql.placeholder("now")}::timestamptz`;
  const free = sql`${sql.placeholder("free")}::int`;
  const longest = sql`${sql.placeholder("longest")}::int`;
  return {
    admit: db
      .insert(signInFailures)
      .values({ key: sql.placeholder("key"), failures: 1, blockedUntil: now, updatedAt: now })
      .onConflictDoUpdate({
        target: key,
        set: {
          failures: sql`${failures} + 1`,
          updatedAt: now,
          blockedUntil: sql`${now} + case when ${failures} + 1 < ${free} then interval '0'
            else make_interval(secs => least(2 ^ least(${failures} + 1 - ${free}, 20), ${longest})) end`,
        },
        // An attempt may reach the database after a later one; being early, it does not violate a wait.
        setWhere: sql`${blockedUntil} <= ${now} or ${failures} < ${free}`,
      })
      .returning({ key })
      .prepare("admit"),
    forget: db
      .delete(signInFailures)
      .where(eq(key, sql.placeholder("key")))
      .prepare("forget"),
    takeBack: db
      .update(signInFailures)
      .set({ failures: sql`greatest(${failures} - 1, 0)`, blockedUntil: updatedAt })
      .where(eq(key, sql.placeholder("key")))
      .prepare("take_back"),
  };
}

export function failureStore(db: Database): FailureStore {
  let made: ReturnType<typeof statementsOn> | undefined;
  const statements = () => {
    made ??= statementsOn(db);
    return made;
  };
  return {
    async admit(of, at, { free, longest }) {
      const admitted = await statements().admit.execute({ key: of, now: at.toISOString(), free, longest });
      if (admitted.length > 0) return 0;
      const [row] = await db.select().from(signInFailures).where(eq(key, of));
      const wait = row === undefined ? 1 : (row.blockedUntil.getTime() - at.getTime()) / 1_000;
      return Math.min(Math.max(Math.ceil(wait), 1), longest);
    },
    async forget(of) {
      await statements().forget.execute({ key: of });
    },
    async takeBack(of) {
      await statements().takeBack.execute({ key: of });
    },
    async prune(before) {
      await db.delete(signInFailures).where(lt(updatedAt, new Date(before)));
    },
  };
}
