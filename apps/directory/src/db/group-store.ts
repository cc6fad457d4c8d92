import { fold } from "@berth/directory-domain";
import { and, eq, like, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { GroupField, GroupList } from "../accounts/filter.ts";
import type { GroupFields, GroupQuery, GroupSort, GroupStore } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { type FilterTable, filterSql } from "./filter-sql.ts";
import { startsWith } from "./keyset.ts";
import { GROUP_COLUMNS, groupOf } from "./rows.ts";
import { groups } from "./schema.ts";
import { VersionedStore } from "./versioned-store.ts";

const FILTERS: FilterTable<GroupField, GroupList> = {
  columns: {
    id: { column: groups.id, as: "id" },
    name: { column: groups.nameKey, as: "folded" },
    externalId: { column: groups.externalId, as: "text" },
    createdAt: { column: groups.createdAt, as: "instant" },
    updatedAt: { column: groups.updatedAt, as: "instant" },
  },
  lists: {
    members: {
      from: sql`(
        select m.user_id as id, coalesce(u.name, u.login) as name, 'User'::text as type
          from directory.memberships m join directory.users u on u.id = m.user_id where m.group_id = ${groups.id}
        union all
        select s.subgroup_id, n.name, 'Group'
          from directory.subgroups s join directory.groups n on n.id = s.subgroup_id where s.group_id = ${groups.id}) item`,
      columns: {
        value: { column: sql`item.id`, as: "id" },
        display: { column: sql`item.name`, as: "insensitive" },
        type: { column: sql`item.type`, as: "insensitive" },
      },
    },
  },
};

const SORT_COLUMNS: Readonly<Record<GroupSort, PgColumn>> = {
  id: groups.id,
  name: groups.nameKey,
  externalId: groups.externalId,
  createdAt: groups.createdAt,
  updatedAt: groups.updatedAt,
};

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
    create: (fields) => records.create({ fields: {}, ...fields }),
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
    query.filter === undefined ? undefined : filterSql(query.filter, FILTERS),
  );
}
