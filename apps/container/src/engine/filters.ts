import { EngineError } from "./errors.ts";

/** Docker's parsed `filters` query: key → requested values, from either the list or the map-of-bool form. */
export type Filters = ReadonlyMap<string, readonly string[]>;

/** No filters. */
export const noFilters: Filters = new Map();

/** Some lists compare each value with each thing that they look at, during which nobody else is served. */
const MOST_VALUES = 4_096;

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
}

function cannot(value: unknown, type: string, key?: string): EngineError {
  return new EngineError(
    "invalid",
    `invalid filters: json: cannot unmarshal ${kindOf(value)} into Go value of type ${type}${key === undefined ? "" : ` (filter ${JSON.stringify(key)})`}`,
  );
}

/**
 * Parses the `filters` query parameter: `{"key":["value"]}`, or the form of clients before API 1.22,
 * `{"key":{"value":true}}`. Absent, empty and `null` mean no filters. Throws `invalid`.
 */
export function parseFilters(text: string | undefined): Filters {
  if (text === undefined || text === "") return noFilters;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new EngineError("invalid", `invalid filters: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  if (parsed === null) return noFilters;
  if (typeof parsed !== "object" || Array.isArray(parsed)) throw cannot(parsed, "map[string]map[string]bool");
  const filters = Object.entries(parsed).map(([key, value]) => [key, valuesOf(key, value)] as const);
  const count = filters.reduce((total, [, values]) => total + values.length, 0);
  if (count > MOST_VALUES)
    throw new EngineError(
      "invalid",
      `invalid filters: ${count} values are more than the ${MOST_VALUES} that are accepted`,
    );
  return new Map(filters);
}

function valuesOf(key: string, value: unknown): readonly string[] {
  if (value === null) return [];
  if (Array.isArray(value)) {
    return value.map((item) => {
      if (typeof item !== "string") throw cannot(item, "string", key);
      return item;
    });
  }
  if (typeof value !== "object") throw cannot(value, "map[string]bool", key);
  // Docker decides by the names alone, whatever the booleans say (moby `filters.Args.Get`).
  return Object.entries(value).map(([text, wanted]) => {
    if (typeof wanted !== "boolean") throw cannot(wanted, "bool", key);
    return text;
  });
}

/** Throws Docker's `invalid filter 'x'` for a filter that is not in `accepted`. */
export function requireKnownFilters(filters: Filters, accepted: readonly string[]): void {
  for (const key of filters.keys()) {
    if (!accepted.includes(key)) throw new EngineError("invalid", `invalid filter '${key}'`);
  }
}

/** Whether the filter is absent or one of its values matches. */
export function anyValue(filters: Filters, key: string, passes: (value: string) => boolean): boolean {
  const values = filters.get(key);
  return values === undefined || values.length === 0 || values.some(passes);
}

/** `label` filters: every `key` or `key=value` must match (Docker's MatchKVList). */
export function labelsMatch(
  filters: Filters,
  key: string,
  labels: Readonly<Record<string, string | undefined>>,
): boolean {
  return (filters.get(key) ?? []).every((wanted) => holdsLabel(labels, wanted));
}

/** The `label` and `label!` filters of a prune: all `label` values match and not all `label!` values (moby `matchLabels`). */
export function labelsPass(filters: Filters, labels: Readonly<Record<string, string | undefined>>): boolean {
  return (
    labelsMatch(filters, "label", labels) &&
    ((filters.get("label!") ?? []).length === 0 || !labelsMatch(filters, "label!", labels))
  );
}

/** Whether the labels match `KEY` (with any value) or `KEY=VALUE`. */
export function holdsLabel(labels: Readonly<Record<string, string | undefined>>, wanted: string): boolean {
  const [key = "", ...value] = wanted.split("=");
  // A label may have the name of an inherited property.
  if (!Object.hasOwn(labels, key) || labels[key] === undefined) return false;
  return value.length === 0 || labels[key] === value.join("=");
}
