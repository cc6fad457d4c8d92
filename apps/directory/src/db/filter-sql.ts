import { fold } from "@berth/directory-domain";
import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Comparison, Filter, ItemField } from "../accounts/filter.ts";

/** How a column is compared: `folded` holds the folded form already, `text` counts letter case, `insensitive` does not. */
export interface FilterColumn {
  readonly column: PgColumn | SQL;
  readonly as: "folded" | "text" | "insensitive" | "boolean" | "id" | "instant";
}

/** A list of a record, as rows of a subquery. */
export interface FilterList {
  /** What stands after `from`, correlated with the record's row. */
  readonly from: SQL;
  readonly columns: Readonly<Partial<Record<ItemField, FilterColumn>>>;
  /** A condition on the record that an index serves and that an item of this value implies. */
  readonly indexed?: (value: string) => SQL;
}

export interface FilterTable<Field extends string, List extends string> {
  readonly columns: Readonly<Partial<Record<Field, FilterColumn>>>;
  readonly lists: Readonly<Record<List, FilterList>>;
}

/** Translates a filter to SQL. A comparison with a null value is false, so its `not` is true. */
export function filterSql<Field extends string, List extends string>(
  filter: Filter<Field, List>,
  table: FilterTable<Field, List>,
): SQL {
  switch (filter.op) {
    case "and":
    case "or": {
      if (filter.filters.length === 0) return filter.op === "and" ? sql`true` : sql`false`;
      const parts = filter.filters.map((one) => filterSql(one, table));
      return sql`(${sql.join(parts, filter.op === "and" ? sql` and ` : sql` or `)})`;
    }
    case "not":
      return sql`not ${filterSql(filter.filter, table)}`;
    case "some":
      return someSql(filter.filter, table.lists[filter.list]);
    case "present": {
      const of = table.columns[filter.field];
      return of === undefined ? sql`false` : sql`(${of.column} is not null)`;
    }
    default: {
      const of = table.columns[filter.field];
      return of === undefined ? sql`false` : sql`coalesce(${compare(of, filter.op, filter.value)}, false)`;
    }
  }
}

function someSql(filter: Filter<ItemField>, { from, columns, indexed }: FilterList): SQL {
  const condition = sql`exists (select from ${from} where ${filterSql(filter, { columns, lists: {} })})`;
  const value = indexed && impliedValue(filter);
  return value === undefined ? condition : sql`(${indexed?.(value)} and ${condition})`;
}

/** The value that every item which meets the filter has. */
function impliedValue(filter: Filter<ItemField>): string | undefined {
  if (filter.op === "eq" && filter.field === "value") return String(filter.value);
  if (filter.op !== "and") return undefined;
  return filter.filters.map(impliedValue).find((value) => value !== undefined);
}

function compare({ column, as }: FilterColumn, op: Comparison, value: string | number | boolean): SQL {
  const text = String(value);
  switch (as) {
    case "boolean":
      return ordered(sql`${column}`, op, sql`${text === "true"}::boolean`);
    case "id":
      if (op === "co" || op === "sw" || op === "ew") return sql`${column}::text like ${pattern(op, text)}`;
      // A text that is not an id matches nothing: ids start at 1.
      return ordered(sql`${column}`, op, sql`${/^\d{1,15}$/.test(text) ? Number(text) : 0}::bigint`);
    case "instant":
      return ordered(sql`${column}`, op, sql`${new Date(text).toISOString()}::timestamptz`);
    case "folded":
      return comparedText(sql`${column}`, op, fold(text), (one) => sql`${one}::text`);
    case "insensitive":
      // Both sides by the database's own rules, so that a text always equals itself.
      return comparedText(sql`lower(${column})`, op, text, (one) => sql`lower(${one}::text)`);
    case "text":
      return comparedText(sql`${column}`, op, text, (one) => sql`${one}::text`);
  }
}

function comparedText(left: SQL, op: Comparison, text: string, right: (text: string) => SQL): SQL {
  if (op === "co" || op === "sw" || op === "ew") return sql`${left} like ${right(pattern(op, text))}`;
  return ordered(left, op, right(text));
}

function pattern(op: "co" | "sw" | "ew", text: string): string {
  const escaped = text.replaceAll(/[\\%_]/g, "\\$&");
  return `${op === "sw" ? "" : "%"}${escaped}${op === "ew" ? "" : "%"}`;
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
