import type { Deps } from "../accounts/deps.ts";
import { SCOPES, type UserRecord } from "../accounts/records.ts";
import type { Stores } from "../accounts/stores.ts";
import { type IssuedToken, issueToken } from "../accounts/tokens.ts";
import { DirectoryError } from "../errors/directory-error.ts";
import { SESSION_SECONDS } from "./sign-in.ts";

/** Whom a provider of OpenID Connect has signed in. */
export interface Identity {
  readonly issuer: string;
  /** The provider's own id of the person, which never changes. */
  readonly subject: string;
  /** What a new user's login is made of. */
  readonly login: string | undefined;
  /** Only one that the provider has verified. */
  readonly email: string | undefined;
  readonly name: string | undefined;
  /** The names of the person's groups; undefined where groups are not asked for. */
  readonly groups: readonly string[] | undefined;
}

/** Why a sign-in at a provider came to nothing; the console has a text for each. */
export const SSO_FAULTS = [
  /** Nothing is known of the sign-in that the answer is for: it took too long, or began in another browser. */
  "expired",
  /** The answer is not for this sign-in, or not the provider's. */
  "mismatch",
  /** The provider says no, or the person does. */
  "denied",
  /** The provider answers with an error. */
  "provider",
  /** The provider does not answer. */
  "away",
  /** Nobody in the directory has the verified address, and new people are refused. */
  "unknown",
  /** There is a user with that login or address, which is somebody else's as far as anybody knows. */
  "taken",
  "disabled",
] as const;
export type SsoFault = (typeof SSO_FAULTS)[number];

/** The sign-in came to nothing. */
export class SsoError extends Error {
  override readonly name = "SsoError";
  readonly fault: SsoFault;

  constructor(fault: SsoFault, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.fault = fault;
  }
}

/** What has to come back with the provider's answer. It is kept where only the browser that began the sign-in has it. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** Where people sign in. Every method throws SsoError. */
export interface SignInProvider {
  /** Where the browser goes to sign in. */
  begin(redirectUri: string): Promise<{ readonly url: URL; readonly pending: PendingSignIn }>;
  /** Whom the provider's answer names. */
  finish(answer: URLSearchParams, pending: PendingSignIn): Promise<Identity>;
  /** Where one ends the session at the provider too; undefined if it has no such page, or is slow to answer. */
  signOutUrl(returnTo: string): Promise<string | undefined>;
}

/** Sign-in at a provider, as the settings have it. */
export interface SingleSignOn {
  readonly provider: SignInProvider;
  /** What the button says. */
  readonly name: string;
  readonly newPeople: NewPeople;
}

/** What becomes of people whom the directory does not have. */
export type NewPeople = "refuse" | "create";

/**
 * Opens a session of twelve hours for whom a provider has signed in. The person is the user that it was at its first sign-in; at the first
 * one, the user with its verified address, or a new one if `newPeople` says so. Its memberships follow the provider's groups.
 * @throws SsoError
 */
export async function signInByIdentity(
  deps: Deps,
  identity: Identity,
  newPeople: NewPeople,
): Promise<IssuedToken & { readonly user: UserRecord }> {
  const expiresAt = new Date(deps.now().getTime() + SESSION_SECONDS * 1_000).toISOString();
  try {
    return await deps.records.change(null, async (stores) => {
      const user = await userOf(stores, identity, newPeople);
      if (!user.active) throw new SsoError("disabled", `the user ${user.login} is disabled`);
      if (identity.groups !== undefined) await follow(stores, user.id, identity.groups);
      const session = { userId: user.id, label: "session (single sign-on)", scopes: [...SCOPES], expiresAt };
      return { ...(await issueToken(stores, session)), user };
    });
  } catch (fault) {
    // A login or an address that somebody else has, in another letter case or as the other of the two.
    if (!(fault instanceof DirectoryError) || fault.kind !== "conflict") throw fault;
    throw new SsoError("taken", fault.message, { cause: fault });
  }
}

async function userOf(stores: Stores, identity: Identity, newPeople: NewPeople): Promise<UserRecord> {
  const known = await stores.identities.userOf(identity);
  const user = known === undefined ? undefined : await stores.users.lock(known);
  if (user !== undefined) return user;
  const same = identity.email === undefined ? undefined : await userWithEmail(stores, identity.email);
  const made = same ?? (await newUser(stores, identity, newPeople));
  // An address may be given to somebody else at the provider: whoever has it now is not who was linked.
  if (!(await stores.identities.link(made.id, identity)))
    throw new SsoError("taken", `the user ${made.login} belongs to another person of the provider`);
  await stores.audit.note("identity.link", `user/${made.id}`, { issuer: identity.issuer, subject: identity.subject });
  return made;
}

async function userWithEmail(stores: Stores, email: string): Promise<UserRecord | undefined> {
  const query = { email, kind: "person", sort: { by: "id", order: "ascending" } } as const;
  const [found] = await stores.users.page(query, { limit: 1 });
  return found && (await stores.users.lock(found.id));
}

async function newUser(stores: Stores, identity: Identity, newPeople: NewPeople): Promise<UserRecord> {
  const { email, name = null } = identity;
  const login = identity.login ?? email;
  if (newPeople === "refuse" || login === undefined)
    throw new SsoError("unknown", `nobody in the directory is ${email ?? identity.login ?? identity.subject}`);
  const query = { login, sort: { by: "id", order: "ascending" } } as const;
  if ((await stores.users.page(query, { limit: 1 })).length > 0)
    throw new SsoError("taken", `the login ${login} is another user's`);
  const fields = { login, email: email ?? null, name, role: "user", active: true, externalId: null } as const;
  return await stores.users.create({ ...fields, passHash: null });
}

/** More groups than anybody is in. */
export const MOST_GROUPS = 1_000;

/** Brings the user into the groups that the provider names and the directory has, and out of those that it no longer names. */
async function follow(stores: Stores, userId: UserRecord["id"], names: readonly string[]): Promise<void> {
  const before = await stores.identities.groupsOf(userId);
  const now = new Set<number>();
  for (const name of new Set(names.slice(0, MOST_GROUPS))) {
    const [group] = await stores.groups.page({ name, sort: { by: "id", order: "ascending" } }, { limit: 1 });
    if (group !== undefined) now.add(group.id);
  }
  const given: number[] = [];
  for (const groupId of now) {
    const role = await stores.memberships.roleOf(userId, groupId);
    if (role === undefined) await stores.memberships.put(userId, groupId, "member");
    // Who was put into a group by hand stays in it.
    if (role === undefined || before.includes(groupId)) given.push(groupId);
  }
  for (const groupId of before) if (!now.has(groupId)) await stores.memberships.remove(userId, groupId);
  await stores.identities.setGroups(userId, given);
}
