import { and, asc, desc, eq, gt, gte, is, lt, lte, or, type SQL, type SQLWrapper } from "drizzle-orm";
import { PgColumn } from "drizzle-orm/pg-core";
import type { Page } from "../accounts/stores.ts";

/**
 * Order and start of a keyset page: by `column`, ties by `id`, starting after `page.after`. Every page costs the same, and
 * concurrent inserts and deletes shift no rows.
 */
export function keyset(
  column: SQLWrapper,
  id: PgColumn,
  order: "ascending" | "descending",
  page: Page,
): { readonly where: SQL | undefined; readonly orderBy: SQL[] } {
  const direction = order === "ascending" ? asc : desc;
  const beyond = order === "ascending" ? gt : lt;
  const orderBy = column === id ? [direction(id)] : [direction(column), direction(id)];
  if (page.after === undefined) return { where: undefined, orderBy };
  const { value, id: lastId } = page.after;
  if (column === id) return { where: beyond(id, lastId), orderBy };
  const edge = is(column, PgColumn) && column.dataType === "date" ? new Date(value) : value;
  // The first, looser comparison lets Postgres use the index; it cannot for the second.
  const from = order === "ascending" ? gte(column, edge) : lte(column, edge);
  return { where: and(from, or(beyond(column, edge), and(eq(column, edge), beyond(id, lastId)))), orderBy };
}

/** A `like` pattern for texts that start with `text`; its own `%`, `_` and `\` are escaped. */
export function startsWith(text: string): string {
  return `${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}
