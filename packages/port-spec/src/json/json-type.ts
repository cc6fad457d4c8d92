/** The type of a JSON value, as Go names it. */
export type JsonType = "object" | "array" | "string" | "number" | "bool";

/** The type of a JSON value; `undefined` for null and for an absent value. */
export function jsonType(value: unknown): JsonType | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : (typeof value as JsonType);
}

/** The fields of a JSON object; none where the value is not an object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return jsonType(value) === "object" ? (value as Readonly<Record<string, unknown>>) : {};
}
