import type { Role, UserId } from "@berth/directory-domain";
import type { Deps, SecondFactorRule } from "../accounts/deps.ts";
import type { SecondFactor } from "../accounts/sign-in-stores.ts";
import type { Stores } from "../accounts/stores.ts";
import { recoveryCodeHash } from "./recovery-codes.ts";
import { CODE_DIGITS, stepOf } from "./totp.ts";

const TOTP_CODE = new RegExp(`^\\d{${CODE_DIGITS}}$`);

/** Whether a user's password needs a second factor. Operators read what administrators read. */
export function isRequiredOf(rule: SecondFactorRule, role: Role): boolean {
  return rule === "everyone" || (rule === "administrators" && role !== "user");
}

/** Takes a code of the authenticator: true once, for the codes around now that are newer than the last one taken. */
export async function takeCode(
  { secrets, now }: Pick<Deps, "secrets" | "now">,
  { secondFactors }: Pick<Stores, "secondFactors">,
  userId: UserId,
  { secret }: Pick<SecondFactor, "secret">,
  text: string,
): Promise<boolean> {
  const code = withoutBlanks(text);
  if (!TOTP_CODE.test(code)) return false;
  const step = stepOf(secrets.open(userId, secret), code, now());
  return step !== undefined && (await secondFactors.takeStep(userId, step));
}

/** Takes a code of the authenticator or a recovery code: true once for each. The use of a recovery code is audited. */
export async function takeProof(
  deps: Pick<Deps, "secrets" | "now">,
  stores: Pick<Stores, "secondFactors" | "audit">,
  userId: UserId,
  factor: Pick<SecondFactor, "secret">,
  text: string,
): Promise<boolean> {
  if (await takeCode(deps, stores, userId, factor, text)) return true;
  const sha256 = recoveryCodeHash(text);
  if (sha256 === undefined || !(await stores.secondFactors.takeCode(userId, sha256))) return false;
  const left = await stores.secondFactors.codesLeft(userId);
  await stores.audit.note("second-factor.recover", `user/${userId}`, { recoveryCodesLeft: left });
  return true;
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, "");
}
