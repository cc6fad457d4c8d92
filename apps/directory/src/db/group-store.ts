import { fold } from "@berth/directory-domain";
import { and, count, eq, getTableColumns, like, sql } from "drizzle-orm";
import type { GroupQuery, GroupStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { keyset, startsWith } from "./keyset.ts";
import { groupOf } from "./rows.ts";
import { groups } from "./schema.ts";
import { inserted } from "./user-store.ts";

const { nameKey: _name, ...shown } = getTableColumns(groups);
const SORT_COLUMNS = { id: groups.id, name: groups.nameKey };

export function groupStore(db: Database): GroupStore {
  const one = (id: number) => db.select(shown).from(groups).where(eq(groups.id, id));
  return {
    async find(id) {
      const [row] = await one(id);
      return row && groupOf(row);
    },
    async lock(id) {
      const [row] = await one(id).for("no key update");
      return row && groupOf(row);
    },
    async create(fields) {
      const [row] = await db
        .insert(groups)
        .values({ ...fields, nameKey: fold(fields.name) })
        .returning(shown);
      return groupOf(inserted(row));
    },
    async change(id, fields) {
      const [row] = await db
        .update(groups)
        .set({
          ...fields,
          ...(fields.name === undefined ? {} : { nameKey: fold(fields.name) }),
          version: sql`${groups.version} + 1`,
          updatedAt: sql`now()`,
        })
        .where(eq(groups.id, id))
        .returning(shown);
      return groupOf(inserted(row));
    },
    async remove(id) {
      await db.delete(groups).where(eq(groups.id, id));
    },
    async page(query, page) {
      const { where, orderBy } = keyset(SORT_COLUMNS[query.sort.by], groups.id, query.sort.order, page);
      const rows = await db
        .select(shown)
        .from(groups)
        .where(and(filterOf(query), where))
        .orderBy(...orderBy)
        .limit(page.limit);
      return rows.map(groupOf);
    },
    async count(query) {
      const [row] = await db.select({ total: count() }).from(groups).where(filterOf(query));
      return row?.total ?? 0;
    },
  };
}

function filterOf(query: GroupQuery) {
  return and(
    query.name === undefined ? undefined : eq(groups.nameKey, fold(query.name)),
    query.q === undefined ? undefined : like(groups.nameKey, startsWith(fold(query.q))),
    query.externalId === undefined ? undefined : eq(groups.externalId, query.externalId),
  );
}
