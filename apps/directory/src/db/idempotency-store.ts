import { and, eq, lt } from "drizzle-orm";
import type { IdempotencyStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { idempotencyKeys } from "./schema.ts";
import { inserted } from "./user-store.ts";

export function idempotencyStore(db: Database): IdempotencyStore {
  const isKey = (caller: number, key: string) => and(eq(idempotencyKeys.caller, caller), eq(idempotencyKeys.key, key));
  return {
    async claim(caller, key, requestHash) {
      const claimed = await db
        .insert(idempotencyKeys)
        .values({ caller, key, requestHash })
        .onConflictDoNothing()
        .returning({ key: idempotencyKeys.key });
      if (claimed.length > 0) return "claimed";
      const [row] = await db.select().from(idempotencyKeys).where(isKey(caller, key));
      return inserted(row);
    },
    async keep(caller, key, answer) {
      await db.update(idempotencyKeys).set({ answer }).where(isKey(caller, key));
    },
    async prune(before) {
      await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, new Date(before)));
    },
  };
}
