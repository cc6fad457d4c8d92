import { fold } from "@berth/directory-domain";
import { and, count, eq, like, sql } from "drizzle-orm";
import type { GroupField } from "../accounts/filter.ts";
import type { GroupQuery, GroupStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { type FilterColumn, filterSql } from "./filter-sql.ts";
import { keyset, startsWith } from "./keyset.ts";
import { groupColumns, groupOf } from "./rows.ts";
import { groups, memberships } from "./schema.ts";
import { inserted } from "./user-store.ts";

const FILTER_COLUMNS: Readonly<Record<GroupField, FilterColumn>> = {
  id: { column: groups.id, as: "id" },
  name: { column: groups.nameKey, as: "folded" },
  externalId: { column: groups.externalId, as: "text" },
  createdAt: { column: groups.createdAt, as: "instant" },
  updatedAt: { column: groups.updatedAt, as: "instant" },
  member: {
    custom: (op, value) =>
      op === "eq" && /^\d{1,15}$/.test(value)
        ? sql`exists (select from ${memberships} where ${memberships.groupId} = ${groups.id} and ${memberships.userId} = ${Number(value)})`
        : sql`false`,
  },
};
const SORT_COLUMNS = { id: groups.id, name: groups.nameKey };

export function groupStore(db: Database): GroupStore {
  const one = (id: number) => db.select(groupColumns).from(groups).where(eq(groups.id, id));
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
        .returning(groupColumns);
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
        .returning(groupColumns);
      return groupOf(inserted(row));
    },
    async remove(id) {
      await db.delete(groups).where(eq(groups.id, id));
    },
    async page(query, page) {
      const { where, orderBy } = keyset(SORT_COLUMNS[query.sort.by], groups.id, query.sort.order, page);
      const rows = await db
        .select(groupColumns)
        .from(groups)
        .where(and(filterOf(query), where))
        .orderBy(...orderBy)
        .limit(page.limit)
        .offset(page.offset ?? 0);
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
    query.filter === undefined ? undefined : filterSql(query.filter, FILTER_COLUMNS),
  );
}
