import { and, count, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Page } from "../accounts/stores.ts";
import type { Database } from "./database.ts";
import { keyset } from "./keyset.ts";

/** How a table of versioned records is read and written. */
export interface VersionedTable<Row, Stored, Fields> {
  readonly table: PgTable & { readonly id: PgColumn; readonly version: PgColumn; readonly updatedAt: PgColumn };
  /** The columns that a record is read from. */
  readonly columns: Readonly<Record<string, PgColumn>>;
  readonly toRecord: (row: Row) => Stored;
  /** Column values for the given fields, with the keys that are derived from them. */
  readonly valuesOf: (fields: Partial<Fields>) => object;
}

/** The statements that all versioned records share: lock, change, remove, page and count. */
export class VersionedStore<Row, Stored, Fields> {
  readonly #db: Database;
  readonly #of: VersionedTable<Row, Stored, Fields>;

  constructor(db: Database, of: VersionedTable<Row, Stored, Fields>) {
    this.#db = db;
    this.#of = of;
  }

  /** Reads the row and locks it until the transaction ends. */
  async lock(id: number): Promise<Stored | undefined> {
    const { table, columns } = this.#of;
    return this.#first(await this.#db.select(columns).from(table).where(eq(table.id, id)).for("no key update"));
  }

  async create(fields: Fields): Promise<Stored> {
    const { table, columns, valuesOf } = this.#of;
    return inserted(this.#first(await this.#db.insert(table).values(valuesOf(fields)).returning(columns)));
  }

  /** Changes the given fields and increments the version. */
  async change(id: number, fields: Partial<Fields>): Promise<Stored> {
    const { table, columns, valuesOf } = this.#of;
    const values = { ...valuesOf(fields), version: sql`${table.version} + 1`, updatedAt: sql`now()` };
    return inserted(this.#first(await this.#db.update(table).set(values).where(eq(table.id, id)).returning(columns)));
  }

  async remove(id: number): Promise<void> {
    await this.#db.delete(this.#of.table).where(eq(this.#of.table.id, id));
  }

  async page(
    where: SQL | undefined,
    sort: { readonly column: SQLWrapper; readonly order: "ascending" | "descending" },
    page: Page,
  ): Promise<readonly Stored[]> {
    const { table, columns, toRecord } = this.#of;
    const start = keyset(sort.column, table.id, sort.order, page);
    const rows = await this.#db
      .select(columns)
      .from(table)
      .where(and(where, start.where))
      .orderBy(...start.orderBy)
      .limit(page.limit)
      .offset(page.offset ?? 0);
    return (rows as Row[]).map(toRecord);
  }

  async count(where: SQL | undefined): Promise<number> {
    const [row] = await this.#db.select({ total: count() }).from(this.#of.table).where(where);
    return row?.total ?? 0;
  }

  /** Drizzle cannot infer a row from a generic table; `columns` and `toRecord` are declared together. */
  #first(rows: readonly unknown[]): Stored | undefined {
    return rows[0] === undefined ? undefined : this.#of.toRecord(rows[0] as Row);
  }
}

/** The row returned by a statement on a row that this transaction inserted or locked. */
export function inserted<T>(row: T | undefined): T {
  if (row === undefined) throw new Error("the statement returned no row");
  return row;
}
