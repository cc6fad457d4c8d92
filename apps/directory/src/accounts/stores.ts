import type {
  Constraint,
  EffectiveConstraints,
  MembershipRole,
  Owner,
  OwnFields,
  Role,
  Subject,
  UserId,
  UserKind,
} from "@berth/directory-domain";
import type { GroupField, GroupFilter, UserField, UserFilter } from "./filter.ts";
import type { HostStore } from "./host-records.ts";
import type {
  AuditEntry,
  ConstraintRecord,
  GroupOfUser,
  GroupRecord,
  Invitation,
  Invited,
  MemberRecord,
  Outcome,
  Profile,
  Scope,
  TokenRecord,
  UnreadableRecord,
  UserRecord,
} from "./records.ts";
import type { DeviceLoginStore, FailureStore, IdentityStore, SecondFactorStore } from "./sign-in-stores.ts";
import type { TransferStore } from "./transfer-store.ts";

/** One page of a list: at most `limit` rows after the row that `after` names. */
export interface Page {
  readonly after?: { readonly value: string | number; readonly id: number };
  readonly limit: number;
  /** Rows to skip, for protocols with numbered pages; the cost grows with the offset. */
  readonly offset?: number;
}

/** Sorts that keyset pages go by. */
export const USER_SORTS = ["id", "login", "email", "createdAt"] as const;
/** Any other is for protocols that count pages; it puts records without a value last in ascending order. */
export type UserSort = (typeof USER_SORTS)[number] | UserField | "primaryEmail";
export interface UserQuery {
  readonly login?: string;
  readonly email?: string;
  /** Prefix of a login or an e-mail. */
  readonly q?: string;
  readonly group?: number;
  readonly active?: boolean;
  readonly role?: Role;
  readonly kind?: UserKind;
  readonly externalId?: string;
  readonly filter?: UserFilter;
  readonly sort: { readonly by: UserSort; readonly order: "ascending" | "descending" };
}

export const GROUP_SORTS = ["id", "name"] as const;
export type GroupSort = (typeof GROUP_SORTS)[number] | GroupField;
export interface GroupQuery {
  readonly name?: string;
  readonly q?: string;
  readonly externalId?: string;
  readonly filter?: GroupFilter;
  readonly sort: { readonly by: GroupSort; readonly order: "ascending" | "descending" };
}

export interface UserFields {
  readonly login: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly role: Role;
  readonly active: boolean;
  readonly externalId: string | null;
  readonly kind: UserKind;
  readonly fields: OwnFields;
}

/** What a new user gets where nothing else is said. */
export type NewUserFields = Omit<UserFields, "kind" | "fields"> & Partial<UserFields>;

/** A user of an import, with its line number. `passHash` is an argon2id hash in PHC form. */
export type ImportedUser = UserFields & Partial<Profile> & { readonly passHash: string | null; readonly line: number };

export interface UserStore {
  find(id: number): Promise<UserRecord | undefined>;
  /** Reads the row and locks it until the transaction ends. */
  lock(id: number): Promise<UserRecord | undefined>;
  create(fields: NewUserFields & Partial<Profile> & { readonly passHash: string | null }): Promise<UserRecord>;
  /** Creates many at once and returns those whose login or e-mail is taken; the transaction must then be rolled back. */
  createMany(batch: readonly ImportedUser[]): Promise<readonly ImportedUser[]>;
  change(id: number, fields: Partial<UserFields & Profile & { readonly passHash: string | null }>): Promise<UserRecord>;
  remove(id: number): Promise<void>;
  page(query: UserQuery, page: Page): Promise<readonly UserRecord[]>;
  count(query: UserQuery): Promise<number>;
  /** The logins of those of the users that there are, by their ids. */
  logins(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** The names of all fields of one's own that some user has, in order. */
  fieldNames(): Promise<readonly string[]>;
  passHash(id: number): Promise<string | null>;
  /** Reads the hash and locks the row until the transaction ends. */
  lockPassHash(id: number): Promise<{ readonly active: boolean; readonly passHash: string | null } | undefined>;
  /** The user with this login or e-mail, and its hash. */
  forSignIn(loginOrEmail: string): Promise<{ readonly user: UserRecord; readonly passHash: string | null } | undefined>;
  /** Replaces the hash unless it has changed. Not audited, since the password stays the same. */
  rehash(id: number, from: string, to: string): Promise<void>;
}

export interface GroupFields {
  readonly name: string;
  readonly externalId: string | null;
  readonly fields: OwnFields;
}

export type NewGroup = Omit<GroupFields, "fields"> & Partial<GroupFields>;

export interface GroupStore {
  find(id: number): Promise<GroupRecord | undefined>;
  lock(id: number): Promise<GroupRecord | undefined>;
  create(fields: NewGroup): Promise<GroupRecord>;
  change(id: number, fields: Partial<GroupFields>): Promise<GroupRecord>;
  remove(id: number): Promise<void>;
  page(query: GroupQuery, page: Page): Promise<readonly GroupRecord[]>;
  count(query: GroupQuery): Promise<number>;
}

export interface GroupName {
  readonly id: number;
  readonly name: string;
}

/** A group of a user: its own, or one that contains a group of the user. */
export interface GroupOfMember extends GroupName {
  readonly type: "direct" | "indirect";
}

export interface MemberName {
  readonly id: number;
  readonly name: string;
}

export interface MembershipStore {
  roleOf(userId: number, groupId: number): Promise<MembershipRole | undefined>;
  /** Adds the membership or sets its role. */
  put(userId: number, groupId: number, role: MembershipRole): Promise<void>;
  remove(userId: number, groupId: number): Promise<void>;
  /**
   * Adds many users in one statement; who is in already keeps its role.
   * @returns the first id that no user has; then nothing may be kept.
   */
  addAll(groupId: number, userIds: readonly number[]): Promise<number | undefined>;
  removeAll(groupId: number, userIds: readonly number[]): Promise<void>;
  /** Removes every member but these. */
  removeOthers(groupId: number, userIds: readonly number[]): Promise<void>;
  /** The groups of many users, by the user's id; those that are both direct and indirect come once. */
  groupsOfAll(userIds: readonly number[]): Promise<ReadonlyMap<number, readonly GroupOfMember[]>>;
  /** A page of members by their ids and the names that people know them by. */
  namesOf(groupId: number, page: Page): Promise<readonly MemberName[]>;
  membersOf(groupId: number, page: Page): Promise<readonly MemberRecord[]>;
  groupsOf(userId: number, page: Page): Promise<readonly GroupOfUser[]>;
}

/** Groups within groups. */
export interface SubgroupStore {
  /** Makes one group part of another; throws `conflict` if that would make a group part of itself, or nest too deep. */
  put(groupId: number, subgroupId: number): Promise<void>;
  removeAll(groupId: number, subgroupIds: readonly number[]): Promise<void>;
  /** Takes every subgroup out but these. */
  removeOthers(groupId: number, subgroupIds: readonly number[]): Promise<void>;
  ofGroup(groupId: number, page: Page): Promise<readonly GroupRecord[]>;
  /** Those of the users that are in the group or in a group within it. */
  within(groupId: number, userIds: readonly number[]): Promise<ReadonlySet<number>>;
}

/** Memberships that were offered and not yet accepted. */
export interface InvitationStore {
  put(userId: number, groupId: number): Promise<void>;
  /** @returns whether there was an invitation. */
  remove(userId: number, groupId: number): Promise<boolean>;
  ofUser(userId: number, page: Page): Promise<readonly Invitation[]>;
  ofGroup(groupId: number, page: Page): Promise<readonly Invited[]>;
}

export interface ConstraintFields {
  readonly constraint: Constraint;
  readonly note: string | null;
  readonly expiresAt: string | null;
}

export interface ConstraintStore {
  find(id: number): Promise<ConstraintRecord | UnreadableRecord | undefined>;
  lock(id: number): Promise<ConstraintRecord | UnreadableRecord | undefined>;
  create(owner: Owner, fields: ConstraintFields): Promise<ConstraintRecord>;
  change(id: number, fields: ConstraintFields): Promise<ConstraintRecord>;
  remove(id: number): Promise<void>;
  ownedBy(owner: Owner, page: Page): Promise<readonly (ConstraintRecord | UnreadableRecord)[]>;
  countOf(owner: Owner): Promise<number>;
}

/** Reads a user's constraints and groups, with a version that every change to them increments. */
export interface PolicyReader {
  effective(userId: number): Promise<
    | (Pick<EffectiveConstraints, "constraints" | "unreadable" | "groups"> & {
        readonly subject: Subject;
        readonly version: string;
      })
    | undefined
  >;
  version(userId: number): Promise<string | undefined>;
}

export interface TokenStore {
  create(fields: {
    readonly userId: UserId;
    readonly sha256: Uint8Array;
    readonly label: string;
    readonly scopes: readonly Scope[];
    readonly expiresAt: string | null;
  }): Promise<TokenRecord>;
  /** The token and its owner, including expired tokens and inactive owners. */
  findBySha256(sha256: Uint8Array): Promise<{ readonly token: TokenRecord; readonly user: UserRecord } | undefined>;
  find(id: number): Promise<TokenRecord | undefined>;
  ofUser(userId: number, page: Page): Promise<readonly TokenRecord[]>;
  /** Lets a token open something else from now on. */
  rescope(id: number, scopes: readonly Scope[]): Promise<void>;
  remove(id: number): Promise<void>;
  removeAll(userId: number, options: { readonly except: number | null }): Promise<void>;
  used(id: number, at: string): Promise<void>;
}

export interface AuditQuery {
  /** The user that acted, or that was acted on: itself, what is its own, or what an engine has of it. */
  readonly user?: number;
  readonly actor?: number;
  readonly target?: string;
  readonly action?: string;
  readonly outcome?: Outcome;
  readonly bypass?: boolean;
  readonly since?: string;
  readonly until?: string;
}

/** An entry that a container service made; `reportId` is its name for it, so that a repeat counts once. */
export interface ReportedEntry extends Pick<AuditEntry, "at" | "actor" | "action" | "target" | "outcome" | "bypass"> {
  readonly reportId: string;
  readonly after: object;
}

export interface AuditStore {
  page(query: AuditQuery, page: Page): Promise<readonly AuditEntry[]>;
  /** Adds an entry for an event that changes no audited row. */
  note(action: string, target: string, after: object, outcome?: Outcome): Promise<void>;
  /** Adds entries, but none that is there already. */
  report(entries: readonly ReportedEntry[]): Promise<void>;
  prune(before: string): Promise<number>;
}

export interface IdempotencyStore {
  /** Claims the key for this transaction; a parallel claim waits for it to end. */
  claim(
    actor: number,
    key: string,
    requestHash: string,
  ): Promise<"claimed" | { readonly requestHash: string; readonly answer: unknown }>;
  keep(actor: number, key: string, answer: unknown): Promise<void>;
  prune(before: string): Promise<void>;
}

export interface Stores {
  readonly users: UserStore;
  readonly groups: GroupStore;
  readonly memberships: MembershipStore;
  readonly subgroups: SubgroupStore;
  readonly invitations: InvitationStore;
  readonly constraints: ConstraintStore;
  readonly policy: PolicyReader;
  readonly tokens: TokenStore;
  readonly failures: FailureStore;
  readonly audit: AuditStore;
  readonly hosts: HostStore;
  readonly transfer: TransferStore;
  readonly idempotency: IdempotencyStore;
  readonly identities: IdentityStore;
  readonly deviceLogins: DeviceLoginStore;
  readonly secondFactors: SecondFactorStore;
}

/** The directory's records. Reads need no transaction; every change is a transaction attributed to an actor. */
export interface Records extends Stores {
  change<T>(actor: UserId | null, work: (stores: Stores) => Promise<T>): Promise<T>;
  /** Reads everything as of one instant, however long that takes. */
  snapshot<T>(work: (stores: Stores) => Promise<T>): Promise<T>;
  /** A value that the database generated once, by name. */
  setting(name: string): Promise<string>;
  ping(): Promise<void>;
}
