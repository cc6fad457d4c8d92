/** How many failures are free, and the longest wait; each failure beyond doubles the wait, from one second. */
export interface Backoff {
  readonly free: number;
  readonly longest: number;
}

export interface Admission {
  /** Seconds until the attempt may be made; 0 when it was admitted. */
  readonly wait: number;
  /** Failures so far, with this attempt. */
  readonly failures: number;
  /** Seconds that the next attempt must wait if this one fails. */
  readonly nextWait: number;
  /** Whether an attempt under this key has succeeded before. */
  readonly hasSucceeded: boolean;
}

/** Consecutive failed sign-ins, by key. */
export interface FailureStore {
  /** Counts an attempt as failed before it is made, so that parallel attempts cannot pass together. */
  admit(key: string, at: Date, backoff: Backoff): Promise<Admission>;
  /** Resets the failures of a key and remembers the success. */
  succeed(key: string, at: Date): Promise<void>;
  /** Deletes the failures of a key. */
  forget(key: string): Promise<void>;
  /** Subtracts the attempt that `admit` counted; earlier failures remain. */
  takeBack(key: string): Promise<void>;
  /** Records a failed attempt in the audit when `isAudited`; takes the same work otherwise. */
  report(
    key: string,
    entry: {
      readonly isAudited: boolean;
      readonly action: string;
      readonly target: string;
      readonly after: object;
    },
  ): Promise<void>;
  /** Deletes keys without failures since `before`; successes are kept for 30 days longer. */
  prune(before: string): Promise<void>;
}

/** A person of a provider of OpenID Connect. */
interface PersonOfProvider {
  readonly issuer: string;
  readonly subject: string;
}

export interface IdentityStore {
  userOf(person: PersonOfProvider): Promise<number | undefined>;
  /** @returns false, with nothing changed, where the user or the person is linked already. */
  link(userId: number, person: PersonOfProvider): Promise<boolean>;
  ofUser(userId: number): Promise<readonly (PersonOfProvider & { readonly since: string })[]>;
  unlink(userId: number): Promise<void>;
  /** The groups that the user is in because a provider said so. */
  groupsOf(userId: number): Promise<readonly number[]>;
  setGroups(userId: number, groupIds: readonly number[]): Promise<void>;
}

/** A command that waits until its user approves that it signs in. */
export interface DeviceLogin {
  readonly userCode: string;
  readonly label: string;
  readonly address: string;
  /** Who approved; null until somebody does. */
  readonly userId: number | null;
  readonly declined: boolean;
  readonly expiresAt: string;
}

/** Those that have expired by `at` are not found. */
export interface DeviceLoginStore {
  create(
    fields: Pick<DeviceLogin, "userCode" | "label" | "address" | "expiresAt"> & { readonly sha256: Uint8Array },
  ): Promise<void>;
  /** How many wait, of all and of an address. */
  waiting(address: string, at: string): Promise<{ readonly all: number; readonly own: number }>;
  find(userCode: string, at: string): Promise<DeviceLogin | undefined>;
  /** Approves for a user, or declines for nobody; false where it has an answer or is not there. */
  answer(userCode: string, answer: { readonly userId: number | null; readonly at: string }): Promise<boolean>;
  /** Locks it, and removes it once it has an answer. */
  take(sha256: Uint8Array, at: string): Promise<DeviceLogin | undefined>;
  prune(before: string): Promise<void>;
}

/** The second factor of a user. */
export interface SecondFactor {
  /** The secret, sealed. */
  readonly secret: string;
  /** When its user began to set it up. */
  readonly createdAt: string;
  /** When its user proved to have it; null before, while it counts for nothing. */
  readonly confirmedAt: string | null;
}

/** Second factors by user, with the recovery codes that stand in for them. */
export interface SecondFactorStore {
  find(userId: number): Promise<SecondFactor | undefined>;
  /** Keeps a new secret that is not confirmed, in place of another such; false where there is a confirmed one. */
  begin(userId: number, fields: Pick<SecondFactor, "secret" | "createdAt">): Promise<boolean>;
  confirm(userId: number, at: string): Promise<void>;
  /** Takes the code of a time step, and with it those of all steps before; false if it was taken already. */
  takeStep(userId: number, step: number): Promise<boolean>;
  /** Removes the factor and the codes. @returns whether a confirmed one was there. */
  remove(userId: number): Promise<boolean>;
  replaceCodes(userId: number, sha256s: readonly Uint8Array[]): Promise<void>;
  /** Takes a code away; false if it is not there. */
  takeCode(userId: number, sha256: Uint8Array): Promise<boolean>;
  codesLeft(userId: number): Promise<number>;
}
