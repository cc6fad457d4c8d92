/** The rows of a raw statement: postgres.js returns an array, PGlite an object with `rows`. */
export function rowsOf<T extends Record<string, unknown>>(result: unknown): readonly T[] {
  return (Array.isArray(result) ? result : (result as { readonly rows: readonly unknown[] }).rows) as readonly T[];
}
