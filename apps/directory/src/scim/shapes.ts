import type { GroupRecord, UserRecord } from "../accounts/records.ts";
import { etagOf } from "../http/etag.ts";

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";
const LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

export function showScimUser(user: UserRecord): object {
  return {
    schemas: [USER_SCHEMA],
    id: String(user.id),
    ...(user.externalId === null ? {} : { externalId: user.externalId }),
    userName: user.login,
    ...(user.name === null ? {} : { displayName: user.name, name: { formatted: user.name } }),
    active: user.active,
    emails: [{ value: user.email, type: "work", primary: true }],
    meta: metaOf("User", `/scim/v2/Users/${user.id}`, user),
  };
}

/** Without `memberIds` the members are left out, not empty: a client that writes back what it read takes nobody out. */
export function showScimGroup(group: GroupRecord, memberIds?: readonly number[]): object {
  return {
    schemas: [GROUP_SCHEMA],
    id: String(group.id),
    ...(group.externalId === null ? {} : { externalId: group.externalId }),
    displayName: group.name,
    ...(memberIds === undefined
      ? {}
      : { members: memberIds.map((id) => ({ value: String(id), type: "User", $ref: `/scim/v2/Users/${id}` })) }),
    meta: metaOf("Group", `/scim/v2/Groups/${group.id}`, group),
  };
}

export function showScimList(resources: readonly object[], total: number, startIndex: number): object {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

function metaOf(resourceType: string, location: string, record: UserRecord | GroupRecord): object {
  return {
    resourceType,
    location,
    created: record.createdAt,
    lastModified: record.updatedAt,
    version: etagOf(record),
  };
}
