import { fold } from "@berth/directory-domain";
import { and, eq, like, sql } from "drizzle-orm";
import type { GroupField } from "../accounts/filter.ts";
import type { GroupFields, GroupQuery, GroupStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { type FilterColumn, filterSql } from "./filter-sql.ts";
import { startsWith } from "./keyset.ts";
import { GROUP_COLUMNS, groupOf } from "./rows.ts";
import { groups, memberships } from "./schema.ts";
import { VersionedStore } from "./versioned-store.ts";

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
  const records = new VersionedStore(db, {
    table: groups,
    columns: GROUP_COLUMNS,
    toRecord: groupOf,
    valuesOf: (fields: Partial<GroupFields>) => ({
      ...fields,
      ...(fields.name === undefined ? {} : { nameKey: fold(fields.name) }),
    }),
  });
  return {
    async find(id) {
      const [row] = await db.select(GROUP_COLUMNS).from(groups).where(eq(groups.id, id));
      return row && groupOf(row);
    },
    lock: (id) => records.lock(id),
    create: (fields) => records.create(fields),
    change: (id, fields) => records.change(id, fields),
    remove: (id) => records.remove(id),
    page: ({ sort, ...query }, page) =>
      records.page(filterOf(query), { column: SORT_COLUMNS[sort.by], order: sort.order }, page),
    count: (query) => records.count(filterOf(query)),
  };
}

function filterOf(query: Omit<GroupQuery, "sort">) {
  return and(
    query.name === undefined ? undefined : eq(groups.nameKey, fold(query.name)),
    query.q === undefined ? undefined : like(groups.nameKey, startsWith(fold(query.q))),
    query.externalId === undefined ? undefined : eq(groups.externalId, query.externalId),
    query.filter === undefined ? undefined : filterSql(query.filter, FILTER_COLUMNS),
  );
}
