import type {
  Filter,
  GroupField,
  GroupFilter,
  GroupList,
  ItemField,
  UserField,
  UserFilter,
  UserList,
} from "../accounts/filter.ts";
import { attributeKey } from "./attributes.ts";
import { ScimError } from "./error.ts";
import { type FilterText, type Literal, parseFilter } from "./filter-text.ts";

type Kind = "text" | "boolean" | "instant";
type Known<Field extends string> = Readonly<Record<string, { readonly field: Field; readonly kind: Kind }>>;

interface Table<Field extends string, List extends string> {
  readonly fields: Known<Field>;
  readonly lists: Readonly<Record<string, { readonly list: List; readonly items: Known<ItemField> }>>;
}

function text<F extends string>(field: F) {
  return { field, kind: "text" } as const;
}

function instant<F extends string>(field: F) {
  return { field, kind: "instant" } as const;
}

function flag<F extends string>(field: F) {
  return { field, kind: "boolean" } as const;
}

const REFERENCES: Known<ItemField> = { value: text("value"), type: text("type"), display: text("display") };

/** What a filter may name, by the attribute's key. */
const USERS: Table<UserField, UserList> = {
  fields: {
    id: text("id"),
    username: text("login"),
    displayname: text("name"),
    "name.formatted": text("formattedName"),
    "name.givenname": text("givenName"),
    "name.familyname": text("familyName"),
    externalid: text("externalId"),
    active: flag("active"),
    "meta.created": instant("createdAt"),
    "meta.lastmodified": instant("updatedAt"),
  },
  lists: {
    emails: { list: "emails", items: { value: text("value"), type: text("type"), primary: flag("primary") } },
    groups: { list: "groups", items: REFERENCES },
  },
};

const GROUPS: Table<GroupField, GroupList> = {
  fields: {
    id: text("id"),
    displayname: text("name"),
    externalid: text("externalId"),
    "meta.created": instant("createdAt"),
    "meta.lastmodified": instant("updatedAt"),
  },
  lists: { members: { list: "members", items: REFERENCES } },
};

/** Reads a filter on users. @throws ScimError `invalidFilter` */
export function userFilter(filter: string): UserFilter {
  return new Translation(USERS, undefined).of(parseFilter(filter));
}

/** Reads a filter on groups. @throws ScimError `invalidFilter` */
export function groupFilter(filter: string): GroupFilter {
  return new Translation(GROUPS, undefined).of(parseFilter(filter));
}

/** Reads a filter on users and groups together: an attribute of one of them has no value in the other. */
export function filterOnBoth(filter: string): { readonly users: UserFilter; readonly groups: GroupFilter } {
  const parsed = parseFilter(filter);
  return { users: new Translation(USERS, GROUPS).of(parsed), groups: new Translation(GROUPS, USERS).of(parsed) };
}

/** The field that a sort names; undefined where the directory keeps no such attribute. */
export function userSort(path: string): UserField | "primaryEmail" | undefined {
  if (/^emails(?:\.value)?$/.test(attributeKey(path))) return "primaryEmail";
  return own(USERS.fields, path)?.field;
}

export function groupSort(path: string): GroupField | undefined {
  return own(GROUPS.fields, path)?.field;
}

/** From attribute paths to the directory's fields, by the table of one resource type. */
class Translation<Field extends string, List extends string> {
  readonly #table: Table<Field, List>;
  readonly #elsewhere: Table<string, string> | undefined;

  constructor(table: Table<Field, List>, elsewhere: Table<string, string> | undefined) {
    this.#table = table;
    this.#elsewhere = elsewhere;
  }

  of(filter: FilterText): Filter<Field, List> {
    if ("filters" in filter) return { op: filter.op, filters: filter.filters.map((one) => this.of(one)) };
    if (filter.op === "not") return { op: "not", filter: this.of(filter.filter) };
    const list = own(this.#table.lists, filter.path);
    if (list !== undefined) return { op: "some", list: list.list, filter: this.#itemFilter(filter, list.items) };
    if (filter.op === "some") return this.#unknown(filter.path);
    const [parent = "", sub] = attributeKey(filter.path).split(/\.(?=[^.]*$)/);
    const parentList = sub === undefined ? undefined : own(this.#table.lists, parent);
    if (parentList !== undefined && sub !== undefined)
      return { op: "some", list: parentList.list, filter: compare({ ...filter, path: sub }, parentList.items) };
    const known = own(this.#table.fields, filter.path);
    return known === undefined ? this.#unknown(filter.path) : condition(filter, known);
  }

  #itemFilter(filter: Exclude<FilterText, { op: "and" | "or" | "not" }>, items: Known<ItemField>): Filter<ItemField> {
    if (filter.op === "some") return compare(filter.filter, items);
    if (filter.op === "pr") return { op: "and", filters: [] };
    return compare({ ...filter, path: "value" }, items);
  }

  #unknown(path: string): Filter<Field, List> {
    const key = attributeKey(path);
    const there = this.#elsewhere;
    if (there !== undefined && (own(there.fields, key) ?? own(there.lists, key.split(".")[0] ?? key)) !== undefined)
      return { op: "or", filters: [] };
    throw new ScimError("invalidFilter", `The directory does not filter by ${path}.`);
  }
}

/** A filter inside of brackets, on one item of a list. */
function compare(filter: FilterText, items: Known<ItemField>): Filter<ItemField> {
  if ("filters" in filter) return { op: filter.op, filters: filter.filters.map((one) => compare(one, items)) };
  if (filter.op === "not") return { op: "not", filter: compare(filter.filter, items) };
  if (filter.op === "some") throw new ScimError("invalidFilter", "A filter in brackets holds no further brackets.");
  const known = own(items, filter.path);
  if (known === undefined) throw new ScimError("invalidFilter", `The directory does not filter by ${filter.path}.`);
  return condition(filter, known);
}

function condition<Field extends string>(
  filter: Exclude<FilterText, { op: "and" | "or" | "not" | "some" }>,
  { field, kind }: { readonly field: Field; readonly kind: Kind },
): Filter<Field> {
  if (filter.op === "pr") return { op: "present", field };
  const { op, path } = filter;
  // An attribute without a value and one that is null are the same (RFC 7643, 2.5).
  if (filter.value === null) {
    if (op === "eq") return { op: "not", filter: { op: "present", field } };
    if (op === "ne") return { op: "present", field };
    throw new ScimError("invalidFilter", `${path} is compared with null by eq and ne only.`);
  }
  if (kind === "boolean" && op !== "eq" && op !== "ne")
    throw new ScimError("invalidFilter", `${path} is a boolean, which eq and ne compare.`);
  if (kind === "instant" && ["co", "sw", "ew"].includes(op))
    throw new ScimError("invalidFilter", `${path} is a time, which eq, ne, gt, ge, lt and le compare.`);
  return { op, field, value: literalOf(path, kind, filter.value) };
}

function literalOf(path: string, kind: Kind, value: Exclude<Literal, null>): string | boolean {
  if (kind === "boolean") {
    if (!/^(?:true|false)$/i.test(String(value)))
      throw new ScimError("invalidFilter", `${path} is compared with true or false.`);
    return String(value).toLowerCase() === "true";
  }
  if (kind === "instant" && Number.isNaN(Date.parse(String(value))))
    throw new ScimError("invalidFilter", `${path} is compared with a time such as "2030-01-31T00:00:00Z".`);
  return String(value);
}

function own<T>(table: Readonly<Record<string, T>>, path: string): T | undefined {
  const key = attributeKey(path);
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
