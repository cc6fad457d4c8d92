import { randomInt } from "node:crypto";
import type { Deps } from "../accounts/deps.ts";
import { type Actor, SCOPES, type UserRecord } from "../accounts/records.ts";
import type { DeviceLogin } from "../accounts/sign-in-stores.ts";
import { makeToken, tokenHash } from "../accounts/token-text.ts";
import { type IssuedToken, issueToken } from "../accounts/tokens.ts";
import { DirectoryError } from "../errors/directory-error.ts";

const WAIT_SECONDS = 10 * 60;
const TOKEN_DAYS = 30;
const DAY_MS = 86_400_000;
/** Bounds what strangers can make wait. */
const MOST_WAITING = 1_000;
const MOST_OF_ADDRESS = 20;
/** Without vowels, so that no code is a word, and without letters that look like others. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

/** What a command gets to wait with; its user types the short code. */
export interface StartedDeviceLogin {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly expiresAt: string;
}

/** Lets a command wait until its user approves that it signs in (RFC 8628). @throws `throttled` */
export async function startDeviceLogin(
  { records, now }: Deps,
  { label, address }: { readonly label: string; readonly address: string },
): Promise<StartedDeviceLogin> {
  const at = now();
  const { all, own } = await records.deviceLogins.waiting(address, at.toISOString());
  if (all >= MOST_WAITING || own >= MOST_OF_ADDRESS)
    throw new DirectoryError("throttled", "Too many commands wait to be signed in; try again in a few minutes.", {
      retryAfter: 60,
    });
  const [deviceCode, userCode] = [makeToken(), makeUserCode()];
  const expiresAt = new Date(at.getTime() + WAIT_SECONDS * 1_000).toISOString();
  await records.change(null, (stores) =>
    stores.deviceLogins.create({ sha256: hashOf(deviceCode), userCode, label, address, expiresAt }),
  );
  return { deviceCode, userCode, expiresAt };
}

/** The command that waits with this code. @throws `not-found` */
export async function findDeviceLogin({ records, now }: Deps, userCode: string): Promise<DeviceLogin> {
  const found = await records.deviceLogins.find(canonical(userCode), now().toISOString());
  if (found === undefined || found.userId !== null || found.declined) throw unknownCode();
  return found;
}

/** Approves that the command acts as the actor from now on, or declines. @throws `not-found`, `forbidden` */
export async function answerDeviceLogin(
  { records, now }: Deps,
  actor: Actor,
  { userCode, answer }: { readonly userCode: string; readonly answer: "approve" | "decline" },
): Promise<void> {
  // The command's token has every scope, which a weaker one must not give.
  if (!SCOPES.every((scope) => actor.scopes.includes(scope)))
    throw new DirectoryError("forbidden", `Only a token with the scopes ${SCOPES.join(", ")} may sign a command in.`);
  const userId = answer === "approve" ? actor.userId : null;
  const code = canonical(userCode);
  await records.change(actor.userId, async (stores) => {
    if (!(await stores.deviceLogins.answer(code, { userId, at: now().toISOString() }))) throw unknownCode();
  });
}

/**
 * The command's token, once; undefined while nobody has answered.
 * @throws `not-found` for a code that is unknown, used or expired, `forbidden` once the user declined.
 */
export async function finishDeviceLogin(
  { records, now }: Deps,
  deviceCode: string,
): Promise<(IssuedToken & { readonly user: UserRecord }) | undefined> {
  const at = now();
  return await records
    .change(null, async (stores) => {
      const found = await stores.deviceLogins.take(hashOf(deviceCode), at.toISOString());
      if (found === undefined)
        throw new DirectoryError("not-found", "This sign-in is unknown, was used, or took too long: begin again.");
      if (found.declined) return "declined" as const;
      if (found.userId === null) return undefined;
      const user = await stores.users.lock(found.userId);
      if (user === undefined || !user.active) return "declined" as const;
      const expiresAt = new Date(at.getTime() + TOKEN_DAYS * DAY_MS).toISOString();
      const token = { userId: user.id, label: `berth login on ${found.label}`, scopes: [...SCOPES], expiresAt };
      return { ...(await issueToken(stores, token)), user };
    })
    .then((outcome) => {
      // Outside the transaction, so that what was declined is gone.
      if (outcome === "declined") throw new DirectoryError("forbidden", "The sign-in was declined.");
      return outcome;
    });
}

function hashOf(deviceCode: string): Uint8Array {
  const hash = tokenHash(deviceCode);
  if (hash === undefined) throw new DirectoryError("not-found", "This sign-in is unknown: begin again.");
  return hash;
}

function makeUserCode(): string {
  return Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

/** As people type it, with a dash and in small letters. */
function canonical(userCode: string): string {
  return userCode.toUpperCase().replaceAll(/[^A-Z]/g, "");
}

function unknownCode(): DirectoryError {
  return new DirectoryError("not-found", "No command waits with this code: it may have expired, or been answered.");
}
