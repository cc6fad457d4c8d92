import type {
  Group,
  MembershipRole,
  OwnedConstraint,
  Owner,
  OwnFields,
  Role,
  UnreadableConstraint,
  User,
  UserId,
} from "@berth/directory-domain";

/** Version and times of a record; instants are UTC, ISO 8601, with milliseconds. */
export interface Stamps {
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** An address of a user beside the primary one. */
export interface OtherEmail {
  readonly value: string;
  readonly type: string | null;
}

/** What identity providers tell of a person beyond what the directory itself works with. */
export interface Profile {
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly formattedName: string | null;
  readonly emailType: string;
  readonly otherEmails: readonly OtherEmail[];
}

export type UserRecord = User & Stamps & Profile & { readonly externalId: string | null; readonly fields: OwnFields };
export type GroupRecord = Group & Stamps & { readonly externalId: string | null; readonly fields: OwnFields };
export type ConstraintRecord = OwnedConstraint & Stamps & { readonly owner: Owner; readonly note: string | null };

/** A row whose value this version cannot parse; it can still be listed and deleted. */
export type UnreadableRecord = UnreadableConstraint &
  Stamps & { readonly note: string | null; readonly expiresAt: string | null };

export interface MemberRecord {
  readonly user: UserRecord;
  readonly role: MembershipRole;
}

export interface GroupOfUser {
  readonly group: GroupRecord;
  readonly role: MembershipRole;
}

export interface Invitation {
  readonly group: GroupRecord;
  readonly invitedAt: string;
}

/** A user who was invited and has not accepted. */
export interface Invited {
  readonly id: number;
  readonly login: string;
  readonly invitedAt: string;
}

/** `read` reads, `write` changes, `engine` grants the container service and the endpoints it depends on. */
export const SCOPES = ["read", "write", "engine"] as const;
/** What a container service reports to the audit with. Neither sessions nor administrators' own tokens have it. */
export const REPORT_SCOPE = "report";
/** The scope of a link to set a password, which opens nothing else; nobody gives it to a token of its own. */
export const PASS_SCOPE = "pass";
/**
 * The scope of a session whose user still has to set up a second factor. It opens what that needs, and nothing else; nobody gives it to a
 * token of its own.
 */
export const FACTOR_SCOPE = "second-factor";
/** Every scope that a token may be given. */
export const TOKEN_SCOPES = [...SCOPES, REPORT_SCOPE] as const;
export type Scope = (typeof TOKEN_SCOPES)[number] | typeof PASS_SCOPE | typeof FACTOR_SCOPE;
/** Every scope that there is. */
export const ALL_SCOPES = [...TOKEN_SCOPES, PASS_SCOPE, FACTOR_SCOPE] as const;

export interface TokenRecord {
  readonly id: number;
  readonly userId: UserId;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
}

/** The user that makes a request, as its row is now and not as it was when the token was issued. */
export interface Actor {
  readonly userId: UserId;
  readonly login: string;
  readonly role: Role;
  /** The token that authenticated the request; null for a client certificate. */
  readonly tokenId: number | null;
  readonly scopes: readonly Scope[];
}

/** How an audited request ended: `refused` by a rule, `failed` for any other reason. */
export const OUTCOMES = ["done", "refused", "failed"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface AuditEntry {
  readonly id: number;
  readonly at: string;
  readonly actor: number | null;
  readonly action: string;
  readonly target: string;
  readonly outcome: Outcome;
  /** Whether the actor was an engine's administrator, whom no constraint binds. */
  readonly bypass: boolean;
  readonly before: unknown;
  readonly after: unknown;
}
