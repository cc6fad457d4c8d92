import { err, ok, type Result } from "@berth/port-spec";

declare const userId: unique symbol;
/** A user's id in the directory, 1 to 2^53-1. */
export type UserId = number & { readonly [userId]: true };

/** `admin` may do everything, `operator` may read everything, `user` sees only itself. */
export const ROLES = ["user", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** A `person` signs in; a `service` is a program: it has no password and uses tokens alone. */
export const USER_KINDS = ["person", "service"] as const;
export type UserKind = (typeof USER_KINDS)[number];

export interface User {
  readonly id: UserId;
  readonly login: string;
  /** The address that it may sign in with; null for a user without one. */
  readonly email: string | null;
  readonly name: string | null;
  readonly kind: UserKind;
  readonly role: Role;
  readonly active: boolean;
}

export const MAX_LOGIN_LENGTH = 256;
export const MAX_EMAIL_BYTES = 254;
export const MAX_NAME_LENGTH = 256;
/** The database indexes keys of up to 2,704 bytes, and folding makes some characters eighteen times as long. */
const MAX_KEY_BYTES = 2_000;

/**
 * Parses an id in a path or query: only digits, no leading zero, at most 2^53-1, so that no two texts name one record and none is
 * rounded to another.
 */
export function parseId(text: string): number | undefined {
  if (!/^[1-9]\d{0,15}$/.test(text)) return undefined;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : undefined;
}

/**
 * The form under which two logins, e-mails or group names are the same: compatibility-normalised (NFKC) and case-folded
 * without any locale. Upper then lower case folds what lower alone leaves apart (`ß`, `ſ`, dotless `ı`).
 */
export function fold(text: string): string {
  return text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
}

// UTS 39, "highly restrictive": one script, or Latin with the scripts that Japanese, Chinese and Korean are written in.
const SCRIPTS = [
  /^[\p{Script_Extensions=Latin}\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Common}\p{Script_Extensions=Inherited}]*$/u,
  /^[\p{Script_Extensions=Latin}\p{Script_Extensions=Han}\p{Script_Extensions=Hangul}\p{Script_Extensions=Common}\p{Script_Extensions=Inherited}]*$/u,
  ...["Cyrillic", "Greek", "Arabic", "Hebrew", "Devanagari", "Thai", "Armenian", "Georgian", "Bengali", "Tamil"].map(
    (script) => new RegExp(`^[\\p{Script_Extensions=${script}}\\p{Script=Common}\\p{Script=Inherited}]*$`, "u"),
  ),
];

/**
 * Checks a login: 1 to 256 printable characters with at least one letter or digit, no space at either end, each word of one
 * script. Identity providers send what their own users sign in with: `ann_gmail.com#EXT#@contoso.test`, `o'brien`, `CORP\\ann`.
 * @returns the login in NFC form, or what is wrong with it.
 */
export function parseLogin(text: string): Result<string, string> {
  if (!isWellFormed(text)) return err("must be valid Unicode");
  // Checked first, because normalising a very long text is expensive.
  if (text.length === 0 || text.length > MAX_LOGIN_LENGTH * 2) return err(LOGIN_LENGTH);
  const login = text.normalize("NFC");
  if ([...login].length > MAX_LOGIN_LENGTH || !fitsKey(login)) return err(LOGIN_LENGTH);
  if (/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(login)) return err("must hold printable characters only");
  if (login !== login.trim()) return err("must not start or end with a space");
  if (!/[\p{L}\p{N}]/u.test(login)) return err("must hold a letter or a digit");
  const words = login.normalize("NFKC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (!words.every((word) => SCRIPTS.some((script) => script.test(word))))
    return err("must not mix letters of different scripts in one word");
  return ok(login);
}

const LOGIN_LENGTH = `must have 1 to ${MAX_LOGIN_LENGTH} characters`;

/** Whether the folded text fits into an index of the database. */
export function fitsKey(text: string): boolean {
  return utf8Length(fold(text)) <= MAX_KEY_BYTES;
}

/**
 * Checks only the length and form of an e-mail address: one `@` with text on both sides, no spaces or control characters.
 */
export function parseEmail(text: string): Result<string, string> {
  if (!isWellFormed(text)) return err("must be valid Unicode");
  if (text.length > MAX_EMAIL_BYTES) return err("must have at most 254 bytes");
  const email = text.normalize("NFC");
  if (utf8Length(email) > MAX_EMAIL_BYTES) return err("must have at most 254 bytes");
  if (/[\p{C}\p{Z}]/u.test(email)) return err("must not hold spaces or control characters");
  const at = email.indexOf("@");
  if (at < 1 || at === email.length - 1 || email.indexOf("@", at + 1) !== -1)
    return err("must have one @ with text before and after it");
  return ok(email);
}

/** Checks a name shown to people: up to 256 characters, no control or format characters. */
export function parseDisplayName(text: string): Result<string, string> {
  if (!isWellFormed(text)) return err("must be valid Unicode");
  if (text.length > MAX_NAME_LENGTH) return err(`must have at most ${MAX_NAME_LENGTH} characters`);
  const name = text.normalize("NFC").trim();
  if (name === "") return err("must not be empty");
  // Joiners belong to the spelling of several languages; direction overrides and the rest of the format characters do not.
  if (/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u202a-\u202e\u2066-\u2069\u200e\u200f\u2028\u2029]/u.test(name))
    return err("must not hold control or direction characters");
  return ok(name);
}

/** Whether every surrogate is paired: a lone surrogate is not a character, and databases reject it. */
export function isWellFormed(text: string): boolean {
  return !/\p{Cs}/u.test(text);
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
