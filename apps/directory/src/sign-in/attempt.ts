import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { fold } from "@berth/directory-domain";
import type { Deps } from "../accounts/deps.ts";
import type { UserRecord } from "../accounts/records.ts";
import type { Admission, Backoff } from "../accounts/sign-in-stores.ts";
import { DirectoryError } from "../errors/directory-error.ts";

const LONGEST_WAIT = 900;
/** One account from one address. */
const PAIR_BACKOFF: Backoff = { free: 5, longest: LONGEST_WAIT };
/** One account from all addresses (NIST SP 800-63B-4: at most 100 consecutive failures). */
const ACCOUNT_BACKOFF: Backoff = { free: 100, longest: LONGEST_WAIT };
/** All accounts from one address, which many people may share. */
const ADDRESS_BACKOFF: Backoff = { free: 50, longest: LONGEST_WAIT };
/** Everyone on this host and behind a proxy on it shares the loopback address, so it is counted but never waits. */
const UNLIMITED: Backoff = { free: 2 ** 31 - 1, longest: 0 };

/** Who tries to prove who they are. */
export interface Claimant {
  /** Login or e-mail. */
  readonly login: string;
  /** The connection's remote address. */
  readonly address: string;
}

/** The keys that failures of one attempt are counted under. */
interface Keys {
  readonly pair: string;
  readonly account: string;
  readonly address: string;
}

type Counting = Pick<Deps, "records" | "now">;

/**
 * An attempt to prove a password or a code. It counts as failed before it is made, so that parallel attempts cannot pass together.
 * Repeated failures wait, but never lock an account: an account that has signed in from an address before only waits for failures of its
 * own from there.
 */
export class Attempt {
  readonly #deps: Counting;
  readonly #keys: Keys;
  readonly #address: string;
  readonly #pair: Admission;
  readonly #addressFailures: number;

  private constructor(deps: Counting, keys: Keys, address: string, pair: Admission, addressFailures: number) {
    this.#deps = deps;
    this.#keys = keys;
    this.#address = address;
    this.#pair = pair;
    this.#addressFailures = addressFailures;
  }

  /** @throws `throttled` with the seconds to wait. */
  static async begin(deps: Counting, { login, address }: Claimant): Promise<Attempt> {
    const { failures } = deps.records;
    const keys = keysOf({ login, address });
    const at = deps.now();
    const pair = await failures.admit(keys.pair, at, PAIR_BACKOFF);
    if (pair.wait > 0) throw throttled(pair.wait);
    const account = await failures.admit(keys.account, at, ACCOUNT_BACKOFF);
    const shared = await failures.admit(keys.address, at, isLoopback(address) ? UNLIMITED : ADDRESS_BACKOFF);
    const wait = Math.max(account.wait, shared.wait);
    if (wait > 0 && !pair.hasSucceeded) throw throttled(wait);
    return new Attempt(deps, keys, address, pair, shared.failures);
  }

  /** Counts as if it had not been made: nothing was checked. */
  async takeBack(): Promise<void> {
    const { pair, account, address } = this.#keys;
    for (const key of [pair, account, address]) await this.#deps.records.failures.takeBack(key);
  }

  /** Forgets the account's failures. Call it outside of a transaction: all attempts from one address contend for its row. */
  async succeed(): Promise<void> {
    const { records, now } = this.#deps;
    await Promise.all([
      records.failures.succeed(this.#keys.pair, now()),
      records.failures.forget(this.#keys.account),
      records.failures.takeBack(this.#keys.address),
    ]);
  }

  /**
   * Audits the failure, and with `signin.lock` that the next attempt must wait. Attempts on unknown accounts are audited ever more rarely,
   * since anyone can make any number of them; the statement writes a row in either case.
   */
  async fail(user: UserRecord | undefined, proof: "password" | "code"): Promise<void> {
    const addressFailures = this.#addressFailures;
    const { failures, nextWait } = this.#pair;
    const isAudited = user !== undefined || addressFailures <= 50 || Number.isInteger(Math.log2(addressFailures));
    await this.#deps.records.failures.report(this.#keys.address, {
      isAudited,
      action: nextWait > 0 ? "signin.lock" : "signin.fail",
      target: user === undefined ? "signin" : `user/${user.id}`,
      after: { address: this.#address, failures, wait: nextWait, addressFailures, proof },
    });
  }
}

/** Hashed, since people sometimes type their password into the login field. */
function keysOf({ login, address }: Claimant): Keys {
  const digest = (...texts: readonly string[]) => createHash("sha256").update(texts.join("\n")).digest("base64url");
  return {
    pair: `pair:${digest(fold(login), address)}`,
    account: `account:${digest(fold(login))}`,
    address: `address:${digest(address)}`,
  };
}

function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && /^(?:(?:::ffff:)?127\.|::1$)/i.test(address);
}

function throttled(wait: number): DirectoryError {
  return new DirectoryError("throttled", `Too many failed sign-ins; retry in ${wait} s.`, { retryAfter: wait });
}
