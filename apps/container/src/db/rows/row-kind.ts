import { z } from "zod";

/** A schema for each field of `T`, so that a field that is added to the type cannot be forgotten here. */
export type Fields<T> = { readonly [Field in keyof T]-?: z.ZodType<T[Field]> };

/** A field that JSON omits if it is undefined. */
export function orUndefined<T extends z.ZodType>(schema: T) {
  // The type has the field, with a value that may be undefined: only after a transformation is it no optional one.
  return schema.optional().transform((value) => value);
}

export const STRINGS = z.array(z.string());
export const STRING_MAP = z.record(z.string(), z.string());

/** One kind of rows whose JSON columns have a version, so that a newer Berth reads what an older one wrote. */
export interface RowKind<T> {
  readonly name: string;
  readonly columns: z.ZodType<T>;
  /** The first makes the JSON columns of version 2 from those of version 1, and so on. */
  readonly upgrades: readonly ((columns: Columns) => Columns)[];
}

export type Columns = Readonly<Record<string, unknown>>;

/** The version that this Berth writes. */
export function versionOf(kind: RowKind<unknown>): number {
  return kind.upgrades.length + 1;
}

/**
 * Upgrades and checks the JSON columns of one row. Throws if a newer Berth wrote them or if they are damaged; the service does not start
 * then, and the message says what to do.
 * @param key identifies the row in messages: a container's id
 */
export function readColumns<T>(kind: RowKind<T>, key: string, row: Columns & { readonly version: number }): T {
  const current = versionOf(kind);
  if (row.version > current)
    throw new Error(
      `${kind.name} ${key}: its row has version ${row.version} and this Berth reads up to ${current}; ` +
        "start the newer Berth that wrote it, or restore a backup from before that one",
    );
  const columns = kind.upgrades.slice(row.version - 1).reduce<Columns>((older, upgrade) => upgrade(older), row);
  const read = kind.columns.safeParse(columns);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Error(
    `${kind.name} ${key}: its row is damaged: ${issue?.path.join(".")}: ${issue?.message}; restore a backup of the database`,
  );
}
