import { createHash, randomBytes } from "node:crypto";

// `bth_`, 32 random bytes, a checksum of 6 characters: secret scanners recognise it, and a typo needs no database query.
const FORM = /^bth_([A-Za-z0-9_-]{43})([A-Za-z0-9_-]{6})$/;

export function makeToken(): string {
  const secret = randomBytes(32).toString("base64url");
  return `bth_${secret}${checksum(secret)}`;
}

/** The hash under which a token is stored; undefined for a text that is not a token. */
export function tokenHash(token: string): Uint8Array | undefined {
  const [, secret, check] = FORM.exec(token) ?? [];
  if (secret === undefined || check !== checksum(secret)) return undefined;
  return createHash("sha256").update(token).digest();
}

function checksum(secret: string): string {
  return createHash("sha256").update(`bth_${secret}`).digest("base64url").slice(0, 6);
}
