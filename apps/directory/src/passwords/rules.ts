import { fold } from "@berth/directory-domain";
import { dictionary } from "@zxcvbn-ts/language-common";

/** NIST SP 800-63B-4: at least 15 where the password is the only factor. */
export const DEFAULT_MIN_LENGTH = 15;
export const MAX_LENGTH = 256;
export const MAX_BYTES = 1_024;

const COMMON = new Set(dictionary["passwords-common"].map(fold));

/**
 * Checks a new password by NIST SP 800-63B-4: length in code points, no rules of composition, and not a common password
 * or a word of its own context (login, e-mail, the product's name).
 * @returns what is wrong with it, or undefined.
 */
export function validatePassword(
  pass: string,
  context: { readonly minLength: number; readonly login: string; readonly email: string },
): string | undefined {
  const tooLong = validatePasswordLength(pass);
  if (tooLong !== undefined) return tooLong;
  const length = [...pass.normalize("NFC")].length;
  if (length < context.minLength) return `must have at least ${context.minLength} characters`;
  const key = fold(pass);
  if (COMMON.has(key)) return "is one of the most common passwords";
  const words = [context.login, context.email, context.email.split("@")[0] ?? "", "berth"].map(fold);
  // A word of the context stays guessable when it is repeated or given a short tail of digits and signs.
  if (
    words.some(
      (word) =>
        word !== "" && key.replaceAll(word, "").replaceAll(/[\d\p{P}\p{S}\s]/gu, "") === "" && key.includes(word),
    )
  )
    return "must not be the login, the e-mail or the product's name";
  return undefined;
}

/** Checked before any hashing, also at sign-in, since the cost of hashing grows with the length. */
export function validatePasswordLength(pass: string): string | undefined {
  if (pass.length > MAX_BYTES || [...pass].length > MAX_LENGTH || Buffer.byteLength(pass) > MAX_BYTES)
    return `must have at most ${MAX_LENGTH} characters and ${MAX_BYTES} bytes`;
  return undefined;
}
