import { DirectoryError } from "../errors/directory-error.ts";
import { validatePassword } from "../passwords/rules.ts";
import type { Deps } from "./deps.ts";
import { type Idempotency, idempotent } from "./idempotency.ts";
import type { Actor, Profile, UserRecord } from "./records.ts";
import type { NewUserFields } from "./stores.ts";

export type NewUser = NewUserFields & Partial<Profile> & { readonly pass: string | null };

/** Creates a user. Without `pass` the user authenticates with tokens only, until an administrator sets a password. */
export async function createUser(
  deps: Deps,
  actor: Actor,
  input: NewUser,
  idempotency: Idempotency | undefined,
): Promise<UserRecord> {
  const { pass, ...fields } = input;
  const passHash = pass === null ? null : await hashNewPass(deps, pass, fields);
  return deps.records.change(actor.userId, (stores) =>
    idempotent(stores, idempotency, () => stores.users.create({ ...fields, passHash })),
  );
}

/** Validates a new password and hashes it; throws `invalid` with the rule that it breaks. */
export async function hashNewPass(
  deps: Deps,
  pass: string,
  owner: { readonly login: string; readonly email: string | null },
): Promise<string> {
  const context = { minLength: deps.minPassLength, login: owner.login, email: owner.email ?? "" };
  const fault = await validatePassword(pass, context);
  if (fault !== undefined)
    throw new DirectoryError("invalid", `The pass ${fault}.`, { errors: [{ pointer: "/pass", detail: fault }] });
  return deps.hasher.hash(pass);
}
