import { parse, type Filter as ScimFilter } from "scim2-parse-filter";
import type { Comparison, Filter, GroupField, UserField } from "../accounts/filter.ts";
import { ScimError } from "./error.ts";

/** Attributes by their SCIM name in lower case: names are compared without regard to case (RFC 7643, 2.1). */
const USER_ATTRIBUTES: Readonly<Record<string, UserField>> = {
  id: "id",
  username: "login",
  emails: "email",
  "emails.value": "email",
  displayname: "name",
  "name.formatted": "name",
  externalid: "externalId",
  active: "active",
  "meta.created": "createdAt",
  "meta.lastmodified": "updatedAt",
};

const GROUP_ATTRIBUTES: Readonly<Record<string, GroupField>> = {
  id: "id",
  displayname: "name",
  externalid: "externalId",
  members: "member",
  "members.value": "member",
  "meta.created": "createdAt",
  "meta.lastmodified": "updatedAt",
};

const MAX_FILTER_LENGTH = 1_000;

export const userFilter = (text: string): Filter<UserField> => translate(parsed(text), USER_ATTRIBUTES);
export const groupFilter = (text: string): Filter<GroupField> => translate(parsed(text), GROUP_ATTRIBUTES);

/** The SCIM attributes of a sort. */
export const userAttribute = (name: string): UserField | undefined => own(USER_ATTRIBUTES, name);

function parsed(text: string): ScimFilter {
  if (text.length > MAX_FILTER_LENGTH)
    throw new ScimError("invalidFilter", `A filter has at most ${MAX_FILTER_LENGTH} characters.`);
  try {
    return parse(text);
  } catch {
    throw new ScimError("invalidFilter", "The filter does not follow the grammar of RFC 7644, 3.4.2.2.");
  }
}

function translate<Field extends string>(
  filter: ScimFilter,
  attributes: Readonly<Record<string, Field>>,
): Filter<Field> {
  switch (filter.op) {
    case "and":
    case "or":
      return { op: filter.op, filters: filter.filters.map((one) => translate(one, attributes)) };
    case "not":
      return { op: "not", filter: translate(filter.filter, attributes) };
    case "[]":
      return translate(inside(filter.attrPath, filter.valFilter), attributes);
    case "pr":
      return { op: "present", field: fieldOf(filter.attrPath, attributes) };
    default: {
      const value: unknown = filter.compValue;
      const field = fieldOf(filter.attrPath, attributes);
      if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
        throw new ScimError("invalidFilter", `${filter.attrPath} is compared with a text, a number or a boolean.`);
      return { op: filter.op as Comparison, field, value };
    }
  }
}

/** `emails[value eq "a@b"]` is `emails.value eq "a@b"`: a user has one e-mail here, so that no pair can be split. */
function inside(path: string, filter: ScimFilter): ScimFilter {
  if ("filters" in filter) return { ...filter, filters: filter.filters.map((one) => inside(path, one)) };
  if (filter.op === "not") return { ...filter, filter: inside(path, filter.filter) };
  if (filter.op === "[]") throw new ScimError("invalidFilter", "A filter in brackets holds no further brackets.");
  return { ...filter, attrPath: `${path}.${filter.attrPath}` };
}

function fieldOf<Field extends string>(path: string, attributes: Readonly<Record<string, Field>>): Field {
  const field = own(attributes, path);
  if (field === undefined) throw new ScimError("invalidFilter", `${path} can't be filtered by.`);
  return field;
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  const key = name.toLowerCase().replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/, "");
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
