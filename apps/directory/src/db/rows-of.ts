/** The rows of a raw statement: postgres.js answers with the rows themselves, PGlite with an object that holds them. */
export function rowsOf<T extends Record<string, unknown>>(result: unknown): readonly T[] {
  return (Array.isArray(result) ? result : (result as { readonly rows: readonly unknown[] }).rows) as readonly T[];
}
