import { randomBytes } from "node:crypto";
import type { Deps } from "../accounts/deps.ts";
import { type Actor, FACTOR_SCOPE, SCOPES, type UserRecord } from "../accounts/records.ts";
import type { SecondFactor } from "../accounts/sign-in-stores.ts";
import type { Stores } from "../accounts/stores.ts";
import { DirectoryError, notFound, removedUser } from "../errors/directory-error.ts";
import { validatePasswordLength } from "../passwords/rules.ts";
import { Attempt } from "./attempt.ts";
import { makeRecoveryCodes, recoveryCodeHash } from "./recovery-codes.ts";
import { isRequiredOf, takeCode, takeProof } from "./second-factor-proof.ts";
import { base32, otpauthUri, SECRET_BYTES } from "./totp.ts";

/** How long a secret waits for its first code. */
const SETUP_MS = 15 * 60_000;

/** How a user's second factor stands; it never holds the secret or a code. */
export interface FactorState {
  readonly state: "none" | "active";
  /** Whether the user's password needs one. */
  readonly required: boolean;
  readonly since: string | null;
  readonly recoveryCodesLeft: number;
}

/** What an authenticator app is given, once. */
export interface NewSecret {
  readonly secret: string;
  readonly uri: string;
}

/** @throws `not-found` */
export async function factorState({ records, secondFactorRule }: Deps, userId: number): Promise<FactorState> {
  const user = await records.users.find(userId);
  if (user === undefined) throw notFound("user", userId);
  const since = (await records.secondFactors.find(userId))?.confirmedAt ?? null;
  return {
    state: since === null ? "none" : "active",
    required: user.kind === "person" && isRequiredOf(secondFactorRule, user.role),
    since,
    recoveryCodesLeft: since === null ? 0 : await records.secondFactors.codesLeft(userId),
  };
}

/**
 * Makes a secret for the actor's authenticator, which counts once {@link confirmFactor} has seen a code of it.
 * @param input `pass` is the actor's password: a session alone must not lock its user out; `issuer` is what apps list the secret under.
 * @throws `conflict` without a password or with a second factor, `forbidden` for a wrong password, `throttled`
 */
export async function beginFactor(
  deps: Deps,
  actor: Actor,
  input: { readonly pass: string; readonly address: string; readonly issuer: string },
): Promise<NewSecret> {
  const { records, secrets, now } = deps;
  const passHash = await records.users.passHash(actor.userId);
  if (passHash === null) throw new DirectoryError("conflict", "A second factor is for passwords, and you have none.");
  // Before the password is proved: that would forget wrong codes, which could then be tried without end.
  const known = await records.secondFactors.find(actor.userId);
  if (known !== undefined && known.confirmedAt !== null) throw hasOne();
  const secret = randomBytes(SECRET_BYTES);
  await proven(deps, actor, input.address, "pass", async () => {
    const isRight =
      validatePasswordLength(input.pass) === undefined && (await deps.hasher.verify(passHash, input.pass));
    return isRight || undefined;
  });
  const fields = { secret: secrets.seal(actor.userId, secret), createdAt: now().toISOString() };
  await records.change(actor.userId, async (stores) => {
    if ((await stores.users.lock(actor.userId)) === undefined) throw removedUser();
    if (!(await stores.secondFactors.begin(actor.userId, fields))) throw hasOne();
  });
  const text = base32(secret);
  return { secret: text, uri: otpauthUri(text, { issuer: input.issuer, login: actor.login }) };
}

/**
 * Turns the second factor on with the first code of it, and returns the recovery codes. A session that could do nothing else opens
 * everything from now on.
 * @throws `conflict` where none was begun in the last 15 minutes, `forbidden` for a wrong code, `throttled`
 */
export function confirmFactor(deps: Deps, actor: Actor, proof: Proof): Promise<readonly string[]> {
  return provenByCode(deps, actor, proof, async (stores, factor) => {
    const isPending = factor !== undefined && factor.confirmedAt === null;
    if (!isPending || deps.now().getTime() - Date.parse(factor.createdAt) > SETUP_MS)
      throw new DirectoryError("conflict", "No second factor is being set up: begin with POST /api/me/second-factor.");
    if (!(await takeCode(deps, stores, actor.userId, factor, proof.code))) return undefined;
    await stores.secondFactors.confirm(actor.userId, deps.now().toISOString());
    await stores.audit.note("second-factor.enable", `user/${actor.userId}`, {});
    if (actor.tokenId !== null && actor.scopes.includes(FACTOR_SCOPE))
      await stores.tokens.rescope(actor.tokenId, SCOPES);
    return newCodes(stores, actor);
  });
}

/** Replaces the recovery codes. @throws `conflict` without a second factor, `forbidden` for a wrong code, `throttled` */
export function renewRecoveryCodes(deps: Deps, actor: Actor, proof: Proof): Promise<readonly string[]> {
  return provenByCode(deps, actor, proof, async (stores, factor) => {
    if (!(await takeProof(deps, stores, actor.userId, active(factor), proof.code))) return undefined;
    await stores.audit.note("second-factor.renew-codes", `user/${actor.userId}`, {});
    return newCodes(stores, actor);
  });
}

/** Turns the actor's second factor off. @throws `conflict` without one, `forbidden` for a wrong code, `throttled` */
export async function disableFactor(deps: Deps, actor: Actor, proof: Proof): Promise<void> {
  await provenByCode(deps, actor, proof, async (stores, factor) => {
    if (!(await takeProof(deps, stores, actor.userId, active(factor), proof.code))) return undefined;
    await stores.secondFactors.remove(actor.userId);
    await stores.audit.note("second-factor.disable", `user/${actor.userId}`, {});
    return true;
  });
}

/** Takes a user's second factor away, for an administrator. @throws `not-found` for a user that is not there */
export async function resetFactor({ records }: Deps, actor: Actor, userId: number): Promise<void> {
  await records.change(actor.userId, async (stores) => {
    if ((await stores.users.lock(userId)) === undefined) throw notFound("user", userId);
    if (await stores.secondFactors.remove(userId)) await stores.audit.note("second-factor.reset", `user/${userId}`, {});
  });
}

/** A code, and the address that it comes from. */
export interface Proof {
  readonly code: string;
  readonly address: string;
}

function provenByCode<T>(
  deps: Deps,
  actor: Actor,
  { address }: Proof,
  work: (stores: Stores, factor: SecondFactor | undefined) => Promise<T | undefined>,
): Promise<T> {
  return proven(deps, actor, address, "code", () =>
    deps.records.change(actor.userId, async (stores) => {
      if ((await stores.users.lock(actor.userId)) === undefined) throw removedUser();
      return work(stores, await stores.secondFactors.find(actor.userId));
    }),
  );
}

/** Counts, audits and slows down wrong proofs as at a sign-in. @param work returns undefined for a wrong one. */
async function proven<T>(
  deps: Deps,
  { userId, login }: Actor,
  address: string,
  field: "pass" | "code",
  work: () => Promise<T | undefined>,
): Promise<T> {
  const user: UserRecord | undefined = await deps.records.users.find(userId);
  if (user === undefined) throw removedUser();
  const attempt = await Attempt.begin(deps, { login, address });
  let result: T | undefined;
  try {
    result = await work();
  } catch (fault) {
    await attempt.takeBack();
    throw fault;
  }
  if (result === undefined) {
    await attempt.fail(user, field === "pass" ? "password" : "code");
    const [what, detail] =
      field === "pass" ? ["password", "is not your password"] : ["code", "is wrong, or was used already"];
    throw new DirectoryError("forbidden", `The ${what} ${detail}.`, { errors: [{ pointer: `/${field}`, detail }] });
  }
  await attempt.succeed();
  return result;
}

async function newCodes({ secondFactors }: Stores, { userId }: Actor): Promise<readonly string[]> {
  const codes = makeRecoveryCodes();
  const sha256s = codes.map(recoveryCodeHash).filter((one) => one !== undefined);
  await secondFactors.replaceCodes(userId, sha256s);
  return codes;
}

function active(factor: SecondFactor | undefined): SecondFactor {
  if (factor !== undefined && factor.confirmedAt !== null) return factor;
  throw new DirectoryError("conflict", "You have no second factor.");
}

function hasOne(): DirectoryError {
  return new DirectoryError("conflict", "You have a second factor already; remove it first.");
}
