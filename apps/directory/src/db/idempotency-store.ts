import { and, eq, lt } from "drizzle-orm";
import type { IdempotencyStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { idempotencyKeys } from "./schema.ts";
import { inserted } from "./versioned-store.ts";

export function idempotencyStore(db: Database): IdempotencyStore {
  const isKey = (actor: number, key: string) => and(eq(idempotencyKeys.actor, actor), eq(idempotencyKeys.key, key));
  return {
    async claim(actor, key, requestHash) {
      const claimed = await db
        .insert(idempotencyKeys)
        .values({ actor, key, requestHash })
        .onConflictDoNothing()
        .returning({ key: idempotencyKeys.key });
      if (claimed.length > 0) return "claimed";
      const [row] = await db.select().from(idempotencyKeys).where(isKey(actor, key));
      return inserted(row);
    },
    async keep(actor, key, answer) {
      await db.update(idempotencyKeys).set({ answer }).where(isKey(actor, key));
    },
    async prune(before) {
      await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, new Date(before)));
    },
  };
}
