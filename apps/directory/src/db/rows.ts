import { type ConstraintId, type GroupId, type Owner, parseConstraint, type UserId } from "@berth/directory-domain";
import { getTableColumns } from "drizzle-orm";
import type {
  ConstraintRecord,
  GroupRecord,
  Scope,
  TokenRecord,
  UnreadableRecord,
  UserRecord,
} from "../accounts/records.ts";
import { ALL_SCOPES } from "../accounts/records.ts";
import { type constraints, groups, type tokens, users } from "./schema.ts";

const {
  passHash: _pass,
  loginKey: _login,
  emailKey: _email,
  policyVersion: _policy,
  ...shownOfUser
} = getTableColumns(users);
/** A user's columns without its hash, which only sign-in and password changes read. */
export const USER_COLUMNS = shownOfUser;

const { nameKey: _name, ...shownOfGroup } = getTableColumns(groups);
/** A group's columns without its folded name. */
export const GROUP_COLUMNS = shownOfGroup;

export type ConstraintRow = typeof constraints.$inferSelect;

function stamps(row: { readonly version: number; readonly createdAt: Date; readonly updatedAt: Date }) {
  return {
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function instant(date: Date | null) {
  return date?.toISOString() ?? null;
}

export function userOf(
  row: Omit<typeof users.$inferSelect, "passHash" | "loginKey" | "emailKey" | "policyVersion">,
): UserRecord {
  return {
    id: row.id as UserId,
    login: row.login,
    email: row.email,
    name: row.name,
    givenName: row.givenName,
    familyName: row.familyName,
    formattedName: row.formattedName,
    emailType: row.emailType,
    otherEmails: row.otherEmails.map(({ value, type }) => ({ value, type })),
    kind: row.kind,
    role: row.role,
    active: row.active,
    externalId: row.externalId,
    fields: row.fields,
    ...stamps(row),
  };
}

export function groupOf(row: Omit<typeof groups.$inferSelect, "nameKey">): GroupRecord {
  return { id: row.id as GroupId, name: row.name, externalId: row.externalId, fields: row.fields, ...stamps(row) };
}

/** Parses a row; one that this version cannot parse becomes unreadable, which refuses everything of its kind. */
export function constraintOf(row: ConstraintRow): ConstraintRecord | UnreadableRecord {
  const common = {
    id: row.id as ConstraintId,
    owner: ownerOf(row),
    note: row.note,
    expiresAt: instant(row.expiresAt),
    ...stamps(row),
  };
  const parsed = parseConstraint({ ...(row.value as object), effect: row.effect, kind: row.kind });
  return parsed.ok ? { ...parsed.value, ...common } : { ...common, kind: row.kind };
}

export function isReadable(record: ConstraintRecord | UnreadableRecord): record is ConstraintRecord {
  return "effect" in record;
}

function ownerOf(row: { readonly userId: number | null; readonly groupId: number | null }): Owner {
  return row.userId !== null
    ? { type: "user", id: row.userId as UserId }
    : { type: "group", id: (row.groupId ?? 0) as GroupId };
}

export function tokenOf(row: Omit<typeof tokens.$inferSelect, "sha256">): TokenRecord {
  return {
    id: row.id,
    userId: row.userId as UserId,
    label: row.label,
    scopes: row.scopes.filter((scope): scope is Scope => ALL_SCOPES.some((one) => one === scope)),
    expiresAt: instant(row.expiresAt),
    lastUsedAt: instant(row.lastUsedAt),
    createdAt: row.createdAt.toISOString(),
  };
}
