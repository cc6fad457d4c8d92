export type Comparison = "eq" | "ne" | "co" | "sw" | "ew" | "gt" | "ge" | "lt" | "le";

/** A condition on records, as data over the directory's own fields. An empty `and` is true, an empty `or` is false. */
export type Filter<Field extends string, List extends string = never> =
  | { readonly op: "and" | "or"; readonly filters: readonly Filter<Field, List>[] }
  | { readonly op: "not"; readonly filter: Filter<Field, List> }
  | { readonly op: "present"; readonly field: Field }
  | { readonly op: Comparison; readonly field: Field; readonly value: string | number | boolean }
  /** Holds where one item of the list meets the whole filter. */
  | { readonly op: "some"; readonly list: List; readonly filter: Filter<ItemField> };

/** Fields of an item of a list. */
export type ItemField = "value" | "type" | "primary" | "display";

export type UserField =
  | "id"
  | "login"
  | "name"
  | "givenName"
  | "familyName"
  | "formattedName"
  | "externalId"
  | "active"
  | "createdAt"
  | "updatedAt";
export type UserList = "emails" | "groups";
export type UserFilter = Filter<UserField, UserList>;

export type GroupField = "id" | "name" | "externalId" | "createdAt" | "updatedAt";
export type GroupList = "members";
export type GroupFilter = Filter<GroupField, GroupList>;
