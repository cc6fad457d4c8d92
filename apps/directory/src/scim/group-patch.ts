import { parseId } from "@berth/directory-domain";
import type { MemberChange } from "../accounts/change-members.ts";
import type { GroupFields } from "../accounts/stores.ts";
import { parseBody } from "../http/validate.ts";
import { isGroupMember, SCIM_GROUP_FIELDS, type ScimOperation, scimMembers } from "./body.ts";
import { ScimError } from "./error.ts";
import { itemOf } from "./item-filter.ts";
import { entriesOf, type PatchPath, parsePatchPath, singleValue } from "./patch-path.ts";

interface GroupChanges {
  readonly fields: Partial<GroupFields>;
  readonly members: readonly MemberChange[];
}

interface MutableIds {
  readonly users: number[];
  readonly groups: number[];
}
type MutableChange = { readonly add: MutableIds } | { readonly remove: MutableIds } | { readonly set: MutableIds };

/**
 * What the operations of a PATCH change of a group and of who is in it. Members are never read to be changed: a group may
 * have any number of them.
 * @throws ScimError as `patchUser`; DirectoryError for a value that is not valid.
 */
export function groupPatch(operations: readonly ScimOperation[]): GroupChanges {
  let fields: Partial<GroupFields> = {};
  const members: MutableChange[] = [];
  for (const { op, path, value } of operations) {
    const entries = path == null ? entriesOf(op, value) : [[path, value] as const];
    for (const [key, one] of entries) {
      const parsed = parsePatchPath(key);
      if (parsed.attribute === "members") join(members, memberChange(op, parsed, one));
      else fields = { ...fields, ...fieldChange(op, parsed, one) };
    }
  }
  return { fields, members };
}

function fieldChange(op: ScimOperation["op"], { attribute, sub }: PatchPath, value: unknown): Partial<GroupFields> {
  if (sub !== undefined) return {};
  if (attribute === "externalid")
    return {
      externalId: op === "remove" ? null : (parseBody(SCIM_GROUP_FIELDS.externalId, singleValue(value)) ?? null),
    };
  if (attribute !== "displayname") return {};
  if (op === "remove")
    throw new ScimError("mutability", "A group always has displayName; replace it instead of removing it.");
  return { name: parseBody(SCIM_GROUP_FIELDS.displayName, singleValue(value)) };
}

function memberChange(op: ScimOperation["op"], { filter, sub }: PatchPath, value: unknown): MutableChange {
  if (filter !== undefined) {
    if (op !== "remove" || sub !== undefined)
      throw new ScimError("invalidPath", "A filter on members is for removing whole members.");
    // Another filter would be answered with success while it removes nobody.
    const item = itemOf(filter);
    const id = parseId(String(item?.value));
    if (id === undefined)
      throw new ScimError("invalidPath", 'Members are removed by members[value eq "…"] with the id of a user.');
    return { remove: isGroupMember(item?.type) ? { users: [], groups: [id] } : { users: [id], groups: [] } };
  }
  if (op === "remove" && (value === undefined || value === null)) return { set: { users: [], groups: [] } };
  const ids = parseBody(scimMembers, value);
  return op === "remove" ? { remove: ids } : op === "add" ? { add: ids } : { set: ids };
}

/** Appends a change; two of the same kind in a row are one, since each costs a statement. */
function join(changes: MutableChange[], change: MutableChange): void {
  const last = changes.at(-1);
  if (last !== undefined && "add" in last && "add" in change) append(last.add, change.add);
  else if (last !== undefined && "remove" in last && "remove" in change) append(last.remove, change.remove);
  else changes.push(change);
}

function append(to: MutableIds, { users, groups }: MutableIds): void {
  for (const id of users) to.users.push(id);
  for (const id of groups) to.groups.push(id);
}
