export type Comparison = "eq" | "ne" | "co" | "sw" | "ew" | "gt" | "ge" | "lt" | "le";

/** A condition on records, as data over the directory's own fields. */
export type Filter<Field extends string> =
  | { readonly op: "and" | "or"; readonly filters: readonly Filter<Field>[] }
  | { readonly op: "not"; readonly filter: Filter<Field> }
  | { readonly op: "present"; readonly field: Field }
  | { readonly op: Comparison; readonly field: Field; readonly value: string | number | boolean };

export type UserField = "id" | "login" | "email" | "name" | "externalId" | "active" | "createdAt" | "updatedAt";
export type GroupField = "id" | "name" | "externalId" | "member" | "createdAt" | "updatedAt";
