import { parseId } from "@berth/directory-domain";
import { parse } from "scim2-parse-filter";
import type { MemberChange } from "../accounts/change-members.ts";
import type { UserChanges } from "../accounts/change-user.ts";
import type { GroupFields } from "../accounts/stores.ts";
import { parseBody } from "../http/validate.ts";
import { ScimError } from "./error.ts";
import {
  nameOf,
  primaryEmail,
  SCIM_FLAG,
  type ScimOperation,
  scimEmails,
  scimGroupFields,
  scimMembers,
  scimName,
  scimUserFields,
} from "./schemas.ts";

const USER_FIELDS = scimUserFields.shape;
const GROUP_FIELDS = scimGroupFields.shape;

/** What the operations of a PATCH (RFC 7644, 3.5.2) change of a user. */
export function userPatch(operations: readonly ScimOperation[]): UserChanges {
  return Object.assign({}, ...operations.map(userChange));
}

function userChange({ op, path, value }: ScimOperation): UserChanges {
  if (path === undefined) {
    if (op === "remove") throw new ScimError("noTarget", "A remove names what it removes in its path.");
    if (typeof value !== "object" || value === null)
      throw new ScimError("invalidValue", "Without a path the value is an object.");
    return Object.assign({}, ...Object.entries(value).map(([key, one]) => userChange({ op, path: key, value: one })));
  }
  const attribute = attributeOf(path);
  const isRemove = op === "remove";
  switch (attribute) {
    case "displayname":
    case "name.formatted":
      return { name: isRemove ? null : (parseBody(USER_FIELDS.displayName, value) ?? null) };
    case "name":
      return { name: isRemove ? null : nameOf({ name: parseBody(scimName, value), displayName: undefined }) };
    case "externalid":
      return { externalId: isRemove ? null : (parseBody(USER_FIELDS.externalId, value) ?? null) };
  }
  if (isRemove) throw new ScimError("invalidValue", `A user is never without ${path}.`);
  switch (attribute) {
    case "username":
      return { login: parseBody(USER_FIELDS.userName, value) };
    case "active":
      return { active: parseBody(SCIM_FLAG, value) };
    case "password":
      return { pass: String(value) };
    case "emails": {
      const email = primaryEmail(parseBody(scimEmails, value));
      return email === undefined ? {} : { email };
    }
    case "emails.value":
      return { email: primaryEmail(parseBody(scimEmails, [{ value }])) ?? "" };
    default:
      // Providers set attributes that the directory does not keep; refusing them would refuse the rest with them.
      return {};
  }
}

/** What the operations of a PATCH change of a group and of who is in it. */
export function groupPatch(operations: readonly ScimOperation[]): {
  readonly fields: Partial<GroupFields>;
  readonly members: readonly MemberChange[];
} {
  let fields: Partial<GroupFields> = {};
  const members: MemberChange[] = [];
  for (const one of operations) {
    const change = groupChange(one);
    fields = { ...fields, ...change.fields };
    members.push(...change.members);
  }
  return { fields, members };
}

function groupChange({ op, path, value }: ScimOperation): { fields: Partial<GroupFields>; members: MemberChange[] } {
  if (path === undefined) {
    if (op === "remove") throw new ScimError("noTarget", "A remove names what it removes in its path.");
    if (typeof value !== "object" || value === null)
      throw new ScimError("invalidValue", "Without a path the value is an object.");
    const changes = Object.entries(value).map(([key, one]) => groupChange({ op, path: key, value: one }));
    return {
      fields: Object.assign({}, ...changes.map((one) => one.fields)),
      members: changes.flatMap((one) => one.members),
    };
  }
  const attribute = attributeOf(path);
  if (attribute === "displayname" && op !== "remove")
    return { fields: { name: parseBody(GROUP_FIELDS.displayName, value) }, members: [] };
  if (attribute === "externalid")
    return {
      fields: { externalId: op === "remove" ? null : (parseBody(GROUP_FIELDS.externalId, value) ?? null) },
      members: [],
    };
  if (attribute !== "members" && attribute !== "members.value") return { fields: {}, members: [] };
  if (path.includes("[")) {
    if (op !== "remove") throw new ScimError("invalidPath", "A filter on members is for removing them.");
    return { fields: {}, members: [{ remove: [filteredMember(path)] }] };
  }
  const ids =
    value === undefined
      ? undefined
      : parseBody(scimMembers, Array.isArray(value) ? value : [value]).map((one) => one.value);
  if (op === "remove") return { fields: {}, members: [ids === undefined ? { set: [] } : { remove: ids }] };
  return { fields: {}, members: [op === "add" ? { add: ids ?? [] } : { set: ids ?? [] }] };
}

/** `members[value eq "12"]`: any other filter is refused, rather than answered with success and nothing done. */
function filteredMember(path: string): number {
  const refused = new ScimError("invalidPath", 'Members are removed by members[value eq "…"].');
  try {
    const filter = parse(path.trim());
    if (filter.op !== "[]" || filter.valFilter.op !== "eq" || filter.valFilter.attrPath.toLowerCase() !== "value")
      throw refused;
    const id = parseId(String(filter.valFilter.compValue));
    if (id === undefined) throw refused;
    return id;
  } catch {
    throw refused;
  }
}

/** `emails[type eq "work"].value` is `emails.value`: there is one e-mail here. */
function attributeOf(path: string): string {
  return path
    .replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, "")
    .replace(/\[.*\]/, "")
    .toLowerCase();
}
