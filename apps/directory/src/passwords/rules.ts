import { fold } from "@berth/directory-domain";

/** NIST SP 800-63B-4: at least 15 where the password is the only factor. */
export const DEFAULT_MIN_LENGTH = 15;
export const MAX_LENGTH = 256;
export const MAX_BYTES = 1_024;

/** Estimated guesses, as a power of ten, below which a password is refused; 8 is zxcvbn's "safely unguessable". */
const MIN_GUESSES_LOG10 = 8;

/**
 * Validates a new password by NIST SP 800-63B-4: a minimum length in code points, no rules of composition, and none that
 * is easy to guess, whatever its length: common, repeated or sequential passwords, and the user's own names.
 * @returns what is wrong with it, or undefined.
 */
export async function validatePassword(
  pass: string,
  context: { readonly minLength: number; readonly login: string; readonly email: string | null },
): Promise<string | undefined> {
  const lengthFault = validatePasswordLength(pass);
  if (lengthFault !== undefined) return lengthFault;
  if ([...pass.normalize("NFC")].length < context.minLength)
    return `must have at least ${context.minLength} characters`;
  const email = context.email ?? "";
  const names = ["berth", context.login, email, email.split("@")[0] ?? ""].map(fold).filter((name) => name !== "");
  // Its dictionary takes megabytes, and passwords are set rarely.
  const { guessesLog10 } = await import("./guesses.ts");
  if (guessesLog10(fold(pass), names) < MIN_GUESSES_LOG10)
    return "is easy to guess; avoid common passwords, repetition, sequences and your own names";
  return undefined;
}

/** Checked before any hashing, also at sign-in, since the cost of hashing grows with the length. */
export function validatePasswordLength(pass: string): string | undefined {
  if (pass.length > MAX_BYTES || [...pass].length > MAX_LENGTH || Buffer.byteLength(pass) > MAX_BYTES)
    return `must have at most ${MAX_LENGTH} characters and ${MAX_BYTES} bytes`;
  return undefined;
}
