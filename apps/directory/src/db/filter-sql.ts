import { fold } from "@berth/directory-domain";
import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Comparison, Filter } from "../accounts/filter.ts";

/** How a field is compared; `custom` builds the condition. */
export type FilterColumn =
  | { readonly column: PgColumn; readonly as: "folded" | "text" | "boolean" | "id" | "instant" }
  | { readonly custom: (op: Comparison, value: string) => SQL };

/** Translates a filter to SQL. A comparison with a null value is false, so its `not` is true. */
export function filterSql<Field extends string>(
  filter: Filter<Field>,
  columns: Readonly<Record<Field, FilterColumn>>,
): SQL {
  switch (filter.op) {
    case "and":
    case "or": {
      const parts = filter.filters.map((one) => filterSql(one, columns));
      return sql`(${sql.join(parts, filter.op === "and" ? sql` and ` : sql` or `)})`;
    }
    case "not":
      return sql`not ${filterSql(filter.filter, columns)}`;
    case "present": {
      const of = columns[filter.field];
      return "custom" in of ? sql`true` : sql`(${of.column} is not null)`;
    }
    default: {
      const of = columns[filter.field];
      const condition =
        "custom" in of ? of.custom(filter.op, String(filter.value)) : compare(of, filter.op, filter.value);
      return sql`coalesce(${condition}, false)`;
    }
  }
}

function compare(
  of: Exclude<FilterColumn, { custom: unknown }>,
  op: Comparison,
  value: string | number | boolean,
): SQL {
  const { column } = of;
  switch (of.as) {
    case "boolean":
      return ordered(sql`${column}`, op, sql`${value === true || value === "true"}::boolean`);
    case "id":
      // A text that is not an id matches nothing: ids start at 1.
      return ordered(sql`${column}`, op, sql`${/^\d{1,15}$/.test(String(value)) ? Number(value) : 0}::bigint`);
    case "instant": {
      const at = new Date(String(value));
      return Number.isNaN(at.getTime())
        ? sql`false`
        : ordered(sql`${column}`, op, sql`${at.toISOString()}::timestamptz`);
    }
    case "folded":
    case "text": {
      const text = of.as === "folded" ? fold(String(value)) : String(value);
      const escaped = text.replaceAll(/[\\%_]/g, "\\$&");
      if (op === "co") return sql`${column} like ${`%${escaped}%`}`;
      if (op === "sw") return sql`${column} like ${`${escaped}%`}`;
      if (op === "ew") return sql`${column} like ${`%${escaped}`}`;
      return ordered(sql`${column}`, op, sql`${text}`);
    }
  }
}

function ordered(left: SQL, op: Comparison, right: SQL): SQL {
  switch (op) {
    case "eq":
      return sql`${left} = ${right}`;
    case "ne":
      return sql`${left} <> ${right}`;
    case "gt":
      return sql`${left} > ${right}`;
    case "ge":
      return sql`${left} >= ${right}`;
    case "lt":
      return sql`${left} < ${right}`;
    case "le":
      return sql`${left} <= ${right}`;
    default:
      return sql`false`;
  }
}
