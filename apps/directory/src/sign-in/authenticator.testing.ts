import { hotp, stepAt } from "./totp.ts";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** What an authenticator app shows: the code of a secret in base 32 at an instant, or `later` steps of 30 s after it. */
export function codeOf(secret: string, at: Date, later = 0): string {
  const letters = [...secret.replaceAll(" ", "")];
  const bits = letters.map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return hotp(Buffer.from(bytes), stepAt(at) + later);
}
