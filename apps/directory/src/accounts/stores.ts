import type {
  Constraint,
  EffectiveConstraints,
  MembershipRole,
  Owner,
  Role,
  Subject,
  UserId,
} from "@berth/directory-domain";
import type { Filter, GroupField, UserField } from "./filter.ts";
import type {
  AuditEntry,
  ConstraintRecord,
  GroupOfUser,
  GroupRecord,
  MemberRecord,
  Scope,
  TokenRecord,
  UnreadableRecord,
  UserRecord,
} from "./records.ts";

/** One page of a list: at most `limit` rows after the row that `after` names, in the list's order. */
export interface Page {
  readonly after?: { readonly value: string | number; readonly id: number };
  readonly limit: number;
  /** Rows to leave out before the first, for protocols that count pages; costs more the further it goes. */
  readonly offset?: number;
}

export const USER_SORTS = ["id", "login", "email", "createdAt"] as const;
export interface UserQuery {
  readonly login?: string;
  readonly email?: string;
  /** Start of a login or an e-mail. */
  readonly q?: string;
  readonly group?: number;
  readonly active?: boolean;
  readonly role?: Role;
  readonly externalId?: string;
  readonly filter?: Filter<UserField>;
  readonly sort: { readonly by: (typeof USER_SORTS)[number]; readonly order: "ascending" | "descending" };
}

export const GROUP_SORTS = ["id", "name"] as const;
export interface GroupQuery {
  readonly name?: string;
  readonly q?: string;
  readonly externalId?: string;
  readonly filter?: Filter<GroupField>;
  readonly sort: { readonly by: (typeof GROUP_SORTS)[number]; readonly order: "ascending" | "descending" };
}

export interface UserFields {
  readonly login: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly active: boolean;
  readonly externalId: string | null;
}

/** A user of an import, with the line it stands on. `passHash` is a PHC string of argon2id from another directory. */
export type ImportedUser = UserFields & { readonly passHash: string | null; readonly line: number };

export interface UserStore {
  find(id: number): Promise<UserRecord | undefined>;
  /** Reads the row and keeps others from changing it until the transaction ends. */
  lock(id: number): Promise<UserRecord | undefined>;
  create(fields: UserFields & { readonly passHash: string | null }): Promise<UserRecord>;
  /** Makes many at once and returns those whose login or e-mail is taken; then nothing of them may be kept. */
  createMany(batch: readonly ImportedUser[]): Promise<readonly ImportedUser[]>;
  change(id: number, fields: Partial<UserFields & { readonly passHash: string | null }>): Promise<UserRecord>;
  remove(id: number): Promise<void>;
  page(query: UserQuery, page: Page): Promise<readonly UserRecord[]>;
  count(query: UserQuery): Promise<number>;
  passHash(id: number): Promise<string | null>;
  /** The user that a sign-in with this login or e-mail means, with its hash. */
  forSignIn(loginOrEmail: string): Promise<{ readonly user: UserRecord; readonly passHash: string | null } | undefined>;
  /** Replaces a hash unless it changed meanwhile; a stronger hash of the same password is no change to the audit. */
  rehash(id: number, from: string, to: string): Promise<void>;
}

export interface GroupFields {
  readonly name: string;
  readonly externalId: string | null;
}

export interface GroupStore {
  find(id: number): Promise<GroupRecord | undefined>;
  lock(id: number): Promise<GroupRecord | undefined>;
  create(fields: GroupFields): Promise<GroupRecord>;
  change(id: number, fields: Partial<GroupFields>): Promise<GroupRecord>;
  remove(id: number): Promise<void>;
  page(query: GroupQuery, page: Page): Promise<readonly GroupRecord[]>;
  count(query: GroupQuery): Promise<number>;
}

export interface MembershipStore {
  roleOf(userId: number, groupId: number): Promise<MembershipRole | undefined>;
  /** Adds the membership, or sets the role of one that is there. */
  put(userId: number, groupId: number, role: MembershipRole): Promise<void>;
  remove(userId: number, groupId: number): Promise<void>;
  /** The ids of all members, in order. */
  idsOf(groupId: number): Promise<readonly number[]>;
  membersOf(groupId: number, page: Page): Promise<readonly MemberRecord[]>;
  groupsOf(userId: number, page: Page): Promise<readonly GroupOfUser[]>;
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

/** What holds for one user as of `version`; the version grows with every change that may alter it. */
export interface PolicyReader {
  effective(userId: number): Promise<
    | (Pick<EffectiveConstraints, "constraints" | "unreadable"> & {
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
  /** The token and its owner; expired tokens and inactive owners are found too, since only the actor has the clock. */
  findBySha256(sha256: Uint8Array): Promise<{ readonly token: TokenRecord; readonly user: UserRecord } | undefined>;
  find(id: number): Promise<TokenRecord | undefined>;
  ofUser(userId: number, page: Page): Promise<readonly TokenRecord[]>;
  remove(id: number): Promise<void>;
  removeAll(userId: number, options: { readonly except: number | null }): Promise<void>;
  used(id: number, at: string): Promise<void>;
}

/** Failed sign-ins in a row, of one account or from one address. */
export interface FailureStore {
  /**
   * Counts a try as failed before it is made, so that parallel tries can't slip past the block together.
   * @param backoff how many failures are free, and the longest wait; each failure beyond doubles the wait from one second.
   * @returns 0 when the try may be made, else the seconds to wait.
   */
  admit(key: string, at: Date, backoff: { readonly free: number; readonly longest: number }): Promise<number>;
  /** The account's try was right: all its failures are forgiven. */
  forget(key: string): Promise<void>;
  /** The address's try was right: this one did not fail; those before stand. */
  takeBack(key: string): Promise<void>;
  /** Drops what has not failed since `before`. */
  prune(before: string): Promise<void>;
}

export interface AuditQuery {
  readonly actor?: number;
  readonly target?: string;
  readonly action?: string;
  readonly since?: string;
  readonly until?: string;
}

export interface AuditStore {
  page(query: AuditQuery, page: Page): Promise<readonly AuditEntry[]>;
  /** An entry for work that has no row of its own to tell of. */
  note(action: string, target: string, after: object): Promise<void>;
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
  readonly constraints: ConstraintStore;
  readonly policy: PolicyReader;
  readonly tokens: TokenStore;
  readonly failures: FailureStore;
  readonly audit: AuditStore;
  readonly idempotency: IdempotencyStore;
}

/** The directory's records. Reads need no transaction; every change is one, under the name of who makes it. */
export interface Records extends Stores {
  change<T>(actor: UserId | null, work: (stores: Stores) => Promise<T>): Promise<T>;
  /** A value made once by the database and kept, by name. */
  setting(name: string): Promise<string>;
  ping(): Promise<void>;
}
