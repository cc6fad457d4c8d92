import { createHash, randomBytes } from "node:crypto";

/** How many a user gets at once. */
const COUNT = 10;
/** 16 letters of 5 bits: too many to try, so that a plain hash hides them. */
const LETTERS = 16;
/** Crockford's, without letters that look like others. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** New codes as people read them: four groups of four letters. */
export function makeRecoveryCodes(): readonly string[] {
  return Array.from({ length: COUNT }, () => {
    const letters = [...randomBytes(LETTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
    return (letters.match(/.{4}/g) ?? []).join("-");
  });
}

/** The hash under which a code is stored; undefined for a text that is no such code. Letter case, blanks and dashes do not count. */
export function recoveryCodeHash(text: string): Uint8Array | undefined {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  if (code.length !== LETTERS || [...code].some((letter) => !ALPHABET.includes(letter))) return undefined;
  return createHash("sha256").update(`recovery\n${code}`).digest();
}
