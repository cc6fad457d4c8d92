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
