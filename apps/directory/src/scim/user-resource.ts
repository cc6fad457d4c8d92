import { fold, parseEmail } from "@berth/directory-domain";
import type { OtherEmail, Profile, UserRecord } from "../accounts/records.ts";
import type { GroupOfMember } from "../accounts/stores.ts";
import { etagOf } from "../http/etag.ts";
import { USER_SCHEMA } from "./attributes.ts";
import type { ScimUser } from "./body.ts";

/** An address of a user as SCIM shows it. */
export interface ScimEmail {
  readonly value: string;
  readonly type?: string;
  readonly primary: boolean;
}

type Shown = { displayName?: string; name?: Readonly<Record<string, string>>; emails?: readonly ScimEmail[] };

/**
 * A user as SCIM shows it.
 * @param base the absolute address of the SCIM service.
 * @param groups the user's groups; undefined where they are not shown.
 */
export function showScimUser(user: UserRecord, base: string, groups?: readonly GroupOfMember[]): object {
  const shown: Shown = {};
  if (user.name !== null) shown.displayName = user.name;
  const name = nameParts(user);
  if (Object.keys(name).length > 0) shown.name = name;
  const emails = emailsOf(user);
  if (emails.length > 0) shown.emails = emails;
  return {
    schemas: [USER_SCHEMA],
    id: String(user.id),
    ...(user.externalId === null ? {} : { externalId: user.externalId }),
    userName: user.login,
    ...shown,
    active: user.active,
    ...(groups === undefined
      ? {}
      : {
          groups: groups.map((group) => ({
            value: String(group.id),
            $ref: `${base}/Groups/${group.id}`,
            display: group.name,
            type: group.type,
          })),
        }),
    meta: {
      resourceType: "User",
      created: user.createdAt,
      lastModified: user.updatedAt,
      location: `${base}/Users/${user.id}`,
      version: etagOf(user),
    },
  };
}

function nameParts(user: UserRecord): Readonly<Record<string, string>> {
  const formatted = user.formattedName ?? joinedName(user) ?? user.name;
  return {
    ...(formatted === null ? {} : { formatted }),
    ...(user.familyName === null ? {} : { familyName: user.familyName }),
    ...(user.givenName === null ? {} : { givenName: user.givenName }),
  };
}

/** All addresses of a user, the primary one first. */
export function emailsOf(user: Pick<UserRecord, "email" | "emailType" | "otherEmails">): readonly ScimEmail[] {
  const others = user.otherEmails.map(({ value, type }) => ({
    value,
    ...(type === null ? {} : { type }),
    primary: false,
  }));
  return user.email === null ? others : [{ value: user.email, type: user.emailType, primary: true }, ...others];
}

/** A user in the form that a provider sends, for PATCH to change. */
export function asScimUser(user: UserRecord): ScimUser {
  const { formattedName: formatted, givenName, familyName } = user;
  return {
    userName: user.login,
    // One that was made of the parts of the name follows them.
    displayName: user.name === madeName(user) ? null : user.name,
    name: { formatted, givenName, familyName },
    emails: emailsOf(user).map((one) => ({ ...one })),
    active: user.active,
    externalId: user.externalId,
  };
}

/** The directory's fields of a user that a provider sent; `active` and `externalId` only where it sent them. */
export function fieldsOf(user: ScimUser) {
  const { formatted = null, givenName = null, familyName = null } = user.name ?? {};
  const names = { formattedName: formatted, givenName, familyName };
  return {
    login: user.userName,
    name: user.displayName ?? madeName(names),
    ...names,
    ...emailFields(user.emails ?? []),
    ...(user.active == null ? {} : { active: user.active }),
    ...(user.externalId === undefined ? {} : { externalId: user.externalId }),
  };
}

/** The address of a user that was sent without one: its userName, where that is one. */
export function withEmail(user: ScimUser): ScimUser {
  if (user.emails?.some((one) => one.value != null) || !parseEmail(user.userName).ok) return user;
  return { ...user, emails: [{ value: user.userName, type: "work", primary: true }] };
}

/**
 * The primary address is the one marked so, else one for work, else the first; the rest are further addresses. The same
 * address for the same purpose counts once.
 */
function emailFields(emails: NonNullable<ScimUser["emails"]>) {
  const seen = new Set<string>();
  const kept: (OtherEmail & { readonly primary: boolean })[] = [];
  for (const { value, type, primary } of emails) {
    const key = `${fold(value ?? "")} ${fold(type ?? "")}`;
    if (value == null || seen.has(key)) continue;
    seen.add(key);
    kept.push({ value, type: type ?? null, primary: primary === true });
  }
  const first = kept.find((one) => one.primary) ?? kept.find((one) => one.type?.toLowerCase() === "work") ?? kept[0];
  return {
    email: first?.value ?? null,
    emailType: first?.type ?? "work",
    otherEmails: kept.filter((one) => one !== first).map(({ value, type }) => ({ value, type })),
  };
}

function madeName(user: Pick<Profile, "formattedName" | "givenName" | "familyName">): string | null {
  return user.formattedName ?? joinedName(user);
}

function joinedName({ givenName, familyName }: Pick<Profile, "givenName" | "familyName">): string | null {
  const joined = [givenName, familyName].filter((part) => part !== null).join(" ");
  return joined === "" ? null : joined;
}
