import { MAY_BE_LOST } from "@berth/service-kit";
import { and, asc, eq, getTableColumns, gt, ne, sql } from "drizzle-orm";
import type { TokenStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { tokenOf, USER_COLUMNS, userOf } from "./rows.ts";
import { tokens, users } from "./schema.ts";
import { inserted } from "./versioned-store.ts";

const { sha256: _sha256, ...shown } = getTableColumns(tokens);

/** Every request runs this, so it is prepared: built once, and planned once per connection. */
function callerStatement(db: Database) {
  return db
    .select({ token: shown, user: USER_COLUMNS })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .where(eq(tokens.sha256, sql.placeholder("sha256")))
    .prepare("actor");
}

export function tokenStore(db: Database): TokenStore {
  let actor: ReturnType<typeof callerStatement> | undefined;
  return {
    async create(fields) {
      const [row] = await db
        .insert(tokens)
        .values({
          ...fields,
          scopes: [...fields.scopes],
          expiresAt: fields.expiresAt === null ? null : new Date(fields.expiresAt),
        })
        .returning(shown);
      return tokenOf(inserted(row));
    },
    async findBySha256(sha256) {
      actor ??= callerStatement(db);
      const [row] = await actor.execute({ sha256 });
      return row && { token: tokenOf(row.token), user: userOf(row.user) };
    },
    async find(id) {
      const [row] = await db.select(shown).from(tokens).where(eq(tokens.id, id));
      return row && tokenOf(row);
    },
    async ofUser(userId, page) {
      const rows = await db
        .select(shown)
        .from(tokens)
        .where(and(eq(tokens.userId, userId), page.after && gt(tokens.id, page.after.id)))
        .orderBy(asc(tokens.id))
        .limit(page.limit);
      return rows.map(tokenOf);
    },
    async rescope(id, scopes) {
      await db
        .update(tokens)
        .set({ scopes: [...scopes] })
        .where(eq(tokens.id, id));
    },
    async remove(id) {
      await db.delete(tokens).where(eq(tokens.id, id));
    },
    async removeAll(userId, { except }) {
      await db
        .delete(tokens)
        .where(and(eq(tokens.userId, userId), except === null ? undefined : ne(tokens.id, except)));
    },
    async used(id, at) {
      await db
        .update(tokens)
        .set({ lastUsedAt: new Date(at) })
        .where(and(eq(tokens.id, id), MAY_BE_LOST));
    },
  };
}
