import { MAX_GROUP_NAME_LENGTH, MEMBERSHIP_ROLES, parseGroupName } from "@berth/directory-domain";
import { z } from "@hono/zod-openapi";
import type { GroupOfUser, GroupRecord, Invitation, MemberRecord } from "../../accounts/records.ts";
import { GROUP_SORTS } from "../../accounts/stores.ts";
import {
  COUNT_PARAMETER,
  externalIdSchema,
  idSchema,
  ownFieldsPatchSchema,
  ownFieldsSchema,
  PAGE_PARAMETERS,
  parsedText,
  STAMP_SCHEMAS,
  shownFieldsSchema,
  sortParameter,
} from "./common.ts";
import { showUser, userSchema } from "./user.ts";

const name = parsedText(parseGroupName, { maxLength: MAX_GROUP_NAME_LENGTH });
const externalId = externalIdSchema.nullable();

export const newGroupSchema = z
  .strictObject({ name, externalId: externalId.default(null), fields: ownFieldsSchema.prefault({}) })
  .openapi("NewGroup");
export const replacedGroupSchema = z
  .strictObject({ name, externalId: externalId.optional(), fields: ownFieldsSchema.optional() })
  .openapi("ReplacedGroup");
export const patchedGroupSchema = z
  .strictObject({ name: name.optional(), externalId: externalId.optional(), fields: ownFieldsPatchSchema.optional() })
  .openapi("PatchedGroup");

export const groupSchema = z
  .object({
    id: idSchema,
    name: z.string(),
    externalId: z.string().nullable(),
    fields: shownFieldsSchema,
    ...STAMP_SCHEMAS,
  })
  .openapi("Group");

const membershipRole = z.enum(MEMBERSHIP_ROLES);
export const memberSchema = userSchema.extend({ membership: membershipRole }).openapi("Member");
export const groupOfUserSchema = groupSchema.extend({ membership: membershipRole }).openapi("GroupOfUser");

export const invitationSchema = groupSchema.extend({ invitedAt: z.iso.datetime() }).openapi("Invitation");

export const invitedSchema = z
  .object({ id: idSchema, login: z.string(), invitedAt: z.iso.datetime() })
  .openapi("Invited");

export const groupQuerySchema = z.strictObject({
  name: z.string().max(200).optional(),
  q: z.string().min(1).max(200).optional(),
  externalId: z.string().max(200).optional(),
  sort: sortParameter(GROUP_SORTS),
  ...PAGE_PARAMETERS,
  ...COUNT_PARAMETER,
});

/** Without a role, a new member becomes `member` and an existing one keeps its role. */
export const putMemberQuerySchema = z.strictObject({ role: membershipRole.optional() });

export function showGroup(group: GroupRecord): z.input<typeof groupSchema> {
  const { id, name, externalId, fields, version, createdAt, updatedAt } = group;
  return { id, name, externalId, fields, version, createdAt, updatedAt };
}

export function showMember(member: MemberRecord): z.input<typeof memberSchema> {
  return { ...showUser(member.user), membership: member.role };
}

export function showGroupOfUser(membership: GroupOfUser): z.input<typeof groupOfUserSchema> {
  return { ...showGroup(membership.group), membership: membership.role };
}

export function showInvitation({ group, invitedAt }: Invitation): z.input<typeof invitationSchema> {
  return { ...showGroup(group), invitedAt };
}
