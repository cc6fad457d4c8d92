import { attributeKey } from "./attributes.ts";

/** Which attributes an answer shows (RFC 7644, 3.9): those of `attributes` alone, or all but `excludedAttributes`. */
export interface Selection {
  /** Undefined shows all. */
  readonly only: readonly string[] | undefined;
  readonly without: readonly string[];
}

type Names = string | readonly string[] | null | undefined;
const ALWAYS = new Set(["schemas", "id"]);

/** Reads the two parameters; `attributes` wins where both are sent. */
export function selectionOf(query: { readonly attributes?: Names; readonly excludedAttributes?: Names }): Selection {
  const only = keysOf(query.attributes);
  return {
    only: only.length === 0 ? undefined : only,
    without: only.length === 0 ? keysOf(query.excludedAttributes) : [],
  };
}

/** Whether an attribute is shown in whole or in part: what costs a query of its own is read only then. */
export function isSelected({ only, without }: Selection, name: string): boolean {
  const key = name.toLowerCase();
  if (ALWAYS.has(key)) return true;
  return only === undefined ? !without.includes(key) : only.some((one) => one === key || one.startsWith(`${key}.`));
}

/** A resource with the selected attributes. */
export function select(resource: object, selection: Selection): object {
  const shown = Object.entries(resource).filter(([name]) => isSelected(selection, name));
  return Object.fromEntries(shown.map(([name, value]) => [name, selectInside(name, value, selection)]));
}

/** The value of an attribute with its selected sub-attributes. */
export function selectInside(name: string, value: unknown, selection: Selection): unknown {
  const key = name.toLowerCase();
  const isSubSelected = (sub: string) => {
    const path = `${key}.${sub.toLowerCase()}`;
    if (selection.only === undefined) return !selection.without.includes(path);
    return selection.only.includes(key) || selection.only.includes(path);
  };
  const reduce = (one: unknown): unknown =>
    typeof one === "object" && one !== null
      ? Object.fromEntries(Object.entries(one).filter(([sub]) => isSubSelected(sub)))
      : one;
  if (ALWAYS.has(key)) return value;
  return Array.isArray(value) ? value.map(reduce) : reduce(value);
}

function keysOf(names: Names): readonly string[] {
  const list = typeof names === "string" ? names.split(",") : (names ?? []);
  return list.map(attributeKey).filter((key) => key !== "");
}
