import { createHmac } from "node:crypto";

/** Seconds of one code (RFC 6238, 5.2). */
const PERIOD_SECONDS = 30;
export const CODE_DIGITS = 6;
/** How many steps a clock may be early or late. */
const WINDOW = 1;
/** Bytes of a secret: as long as the hash (RFC 4226, 4, R6). */
export const SECRET_BYTES = 20;

/** The code for a counter (RFC 4226, 5.3), over HMAC-SHA-1 as authenticator apps have it. */
export function hotp(secret: Uint8Array, counter: number, digits: number = CODE_DIGITS): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac("sha1", secret).update(message).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** The number of the time step at an instant (RFC 6238, 4.2). */
export function stepAt(at: Date): number {
  return Math.floor(at.getTime() / 1_000 / PERIOD_SECONDS);
}

/** The step around `at` that the code is for, the newest if it is for several; undefined for a wrong code. */
export function stepOf(secret: Uint8Array, code: string, at: Date): number | undefined {
  const now = stepAt(at);
  const steps = Array.from({ length: 2 * WINDOW + 1 }, (_, n) => now + WINDOW - n).filter((step) => step >= 0);
  return steps.find((step) => hotp(secret, step) === code);
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648, 6, without padding: how apps take secrets that are typed. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((group) => BASE32[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}

/** What apps read from a QR code: https://github.com/google/google-authenticator/wiki/Key-Uri-Format. */
export function otpauthUri(
  secret: string,
  { issuer, login }: { readonly issuer: string; readonly login: string },
): string {
  // A colon separates issuer and account.
  const [by, account] = [issuer, login].map((text) => encodeURIComponent(text.replaceAll(":", "-")));
  return `otpauth://totp/${by}:${account}?secret=${secret}&issuer=${by}&algorithm=SHA1&digits=${CODE_DIGITS}&period=${PERIOD_SECONDS}`;
}
