import type { Deps } from "../accounts/deps.ts";
import { FACTOR_SCOPE, SCOPES, type Scope, type UserRecord } from "../accounts/records.ts";
import { type IssuedToken, issueToken } from "../accounts/tokens.ts";
import { DirectoryError } from "../errors/directory-error.ts";
import { validatePasswordLength } from "../passwords/rules.ts";
import { Attempt, type Claimant } from "./attempt.ts";
import { isRequiredOf, takeProof } from "./second-factor-proof.ts";

export const SESSION_SECONDS = 12 * 3_600;

export interface SignIn extends Claimant {
  readonly pass: string;
  /** A code of the user's second factor, or a recovery code. */
  readonly code?: string | undefined;
}

/**
 * Signs a user in and issues a session token for twelve hours. Unknown users, wrong passwords, disabled users and users
 * without a password get the same answer after the same work. Nothing is issued before a second factor, if there is one, is proved too;
 * where one is required and missing, the session opens nothing but setting it up.
 * @throws `unauthenticated`, `second-factor-required`, or `throttled` with the seconds to wait.
 */
export async function signIn(deps: Deps, input: SignIn): Promise<IssuedToken & { readonly user: UserRecord }> {
  if (validatePasswordLength(input.pass) !== undefined) throw refused();
  const attempt = await Attempt.begin(deps, input);
  const found = await deps.records.users.forSignIn(input.login);
  const isRight = await deps.hasher.verify(found?.passHash ?? null, input.pass).catch(async (fault: unknown) => {
    // The queue was full: the password was not checked, so nothing failed.
    await attempt.takeBack();
    throw fault;
  });
  if (!isRight || found === undefined || found.passHash === null || !found.user.active) {
    await attempt.fail(found?.user, "password");
    throw refused();
  }
  const { user, passHash } = found;
  const stronger = deps.hasher.needsRehash(passHash) ? await deps.hasher.hash(input.pass) : undefined;
  const session = await openSession(deps, user, { verified: passHash, stronger, code: input.code });
  if (session === "code-missing") {
    // No code was tried. The failures stay as they are: who has the password alone must not reset them between two codes.
    await attempt.takeBack();
    throw new DirectoryError(
      "second-factor-required",
      "Send a code of your second factor, or a recovery code, as code.",
      {
        errors: [{ pointer: "/code", detail: "is required" }],
      },
    );
  }
  if (session === "code-wrong") {
    await attempt.fail(user, "code");
    throw new DirectoryError("unauthenticated", "The code is wrong, or was used already.", {
      errors: [{ pointer: "/code", detail: "is wrong, or was used already" }],
    });
  }
  await attempt.succeed();
  return { ...session, user };
}

interface Verified {
  readonly verified: string;
  readonly stronger: string | undefined;
  readonly code: string | undefined;
}

/** Issues the session, unless the user or its password has changed since the password was verified, or the code is not right. */
function openSession(
  deps: Deps,
  user: UserRecord,
  { verified, stronger, code }: Verified,
): Promise<IssuedToken | "code-missing" | "code-wrong"> {
  const expiresAt = new Date(deps.now().getTime() + SESSION_SECONDS * 1_000).toISOString();
  return deps.records.change(user.id, async (stores) => {
    const current = await stores.users.lockPassHash(user.id);
    if (current === undefined || !current.active || current.passHash !== verified) throw refused();
    const factor = await stores.secondFactors.find(user.id);
    const hasFactor = factor !== undefined && factor.confirmedAt !== null;
    if (hasFactor && code === undefined) return "code-missing";
    if (hasFactor && code !== undefined && !(await takeProof(deps, stores, user.id, factor, code))) return "code-wrong";
    if (stronger !== undefined) await stores.users.rehash(user.id, verified, stronger);
    const scopes: readonly Scope[] =
      hasFactor || !isRequiredOf(deps.secondFactorRule, user.role) ? SCOPES : [FACTOR_SCOPE];
    return issueToken(stores, { userId: user.id, label: "session", scopes: [...scopes], expiresAt });
  });
}

function refused(): DirectoryError {
  return new DirectoryError("unauthenticated", "Login or password is wrong.");
}
