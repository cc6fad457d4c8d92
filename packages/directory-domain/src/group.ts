import { err, type Result } from "@berth/port-spec";
import type { UserId } from "./user.ts";
import { fitsKey, parseDisplayName } from "./user.ts";

declare const groupId: unique symbol;
export type GroupId = number & { readonly [groupId]: true };

export interface Group {
  readonly id: GroupId;
  readonly name: string;
}

/** A `manager` adds and removes members of its group; both inherit the group's constraints. */
export const MEMBERSHIP_ROLES = ["member", "manager"] as const;
export type MembershipRole = (typeof MEMBERSHIP_ROLES)[number];

export interface Membership {
  readonly userId: UserId;
  readonly groupId: GroupId;
  readonly role: MembershipRole;
}

export const MAX_GROUP_NAME_LENGTH = 256;

/** Checks a group's name: 1 to 256 printable characters, spaces inside allowed. */
export function parseGroupName(text: string): Result<string, string> {
  const name = parseDisplayName(text);
  if (name.ok && !fitsKey(name.value)) return err(`must have 1 to ${MAX_GROUP_NAME_LENGTH} characters`);
  return name;
}
