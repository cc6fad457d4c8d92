import { MAY_BE_LOST } from "@berth/service-kit";
import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Admission, FailureStore } from "../accounts/sign-in-stores.ts";
import type { Database } from "./database.ts";
import { signInFailures } from "./schema.ts";

const { key, failures, blockedUntil, succeededAt, updatedAt } = signInFailures;

/** How long a successful sign-in from an address is remembered beyond what `prune` keeps. */
const SUCCESS_KEPT = sql`interval '30 days'`;

/** Every sign-in runs these, so they are prepared: built once, and planned once per connection. */
function statementsOn(db: Database) {
  const now = sql`${sql.placeholder("now")}::timestamptz`;
  const free = sql`${sql.placeholder("free")}::int`;
  const longest = sql`${sql.placeholder("longest")}::int`;
  const isKey = eq(key, sql.placeholder("key"));
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
      .returning({ failures, blockedUntil, succeededAt })
      .prepare("admit"),
    find: db.select({ blockedUntil }).from(signInFailures).where(isKey).prepare("find_failures"),
    succeed: db
      .update(signInFailures)
      .set({ failures: 0, blockedUntil: now as never, succeededAt: now as never })
      .where(isKey)
      .prepare("succeed"),
    forget: db.delete(signInFailures).where(and(isKey, MAY_BE_LOST)).prepare("forget"),
    takeBack: db
      .update(signInFailures)
      .set({ failures: sql`greatest(${failures} - 1, 0)`, blockedUntil: updatedAt })
      .where(and(isKey, MAY_BE_LOST))
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
    async admit(of, at, { free, longest }): Promise<Admission> {
      const [row] = await statements().admit.execute({ key: of, now: at.toISOString(), free, longest });
      if (row !== undefined)
        return {
          wait: 0,
          failures: row.failures,
          nextWait: secondsFrom(at, row.blockedUntil),
          hasSucceeded: row.succeededAt !== null,
        };
      const [blocked] = await statements().find.execute({ key: of });
      const wait = blocked === undefined ? 1 : secondsFrom(at, blocked.blockedUntil);
      return { wait: Math.min(Math.max(wait, 1), longest), failures: 0, nextWait: 0, hasSucceeded: false };
    },
    async succeed(of, at) {
      await statements().succeed.execute({ key: of, now: at.toISOString() });
    },
    async forget(of) {
      await statements().forget.execute({ key: of });
    },
    async takeBack(of) {
      await statements().takeBack.execute({ key: of });
    },
    // Always writes one row, so that the time it takes reveals nothing.
    async report(of, { isAudited, action, target, after }) {
      await db.execute(sql`
        with noted as (
          insert into directory.audit (action, target, after, outcome)
          select ${action}, ${target}, ${JSON.stringify(after)}::jsonb, 'refused' where ${isAudited}
        )
        update directory.sign_in_failures set updated_at = updated_at where key = ${of}`);
    },
    async prune(before) {
      const limit = new Date(before);
      const isForgotten = or(
        isNull(succeededAt),
        lt(succeededAt, sql`${limit.toISOString()}::timestamptz - ${SUCCESS_KEPT}`),
      );
      await db.delete(signInFailures).where(and(lt(updatedAt, limit), isForgotten));
    },
  };
}

function secondsFrom(now: Date, until: Date): number {
  return Math.max(Math.ceil((until.getTime() - now.getTime()) / 1_000), 0);
}
