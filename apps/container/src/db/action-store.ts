import { inArray, sql } from "drizzle-orm";
import type { ActionStore } from "../actions/store.ts";
import type { RecordedAction } from "../engine/action.ts";
import { type Database, withOutages } from "./database.ts";
import { actions } from "./schema.ts";

/** The rows of actions that wait for the directory. */
export function createActionStore(db: Database): ActionStore {
  return withOutages({
    insert: async (added) => {
      // A connection that was lost may have carried them over all the same.
      const rows = added.map((action) => ({ id: action.reportId, action }));
      await db.insert(actions).values(rows).onConflictDoNothing({ target: actions.id });
    },
    oldest: async (limit) => {
      const rows = await db.select().from(actions).orderBy(actions.position).limit(limit);
      return rows.map(({ action }) => action as RecordedAction);
    },
    remove: async (taken) => {
      await db.delete(actions).where(
        inArray(
          actions.id,
          taken.map(({ reportId }) => reportId),
        ),
      );
    },
    trim: async (most) => {
      const gone = await db
        .delete(actions)
        .where(sql`${actions.position} <= (select position from actions order by position desc offset ${most} limit 1)`)
        .returning({ id: actions.id });
      return gone.length;
    },
  });
}
