import { parseLogin } from "@berth/directory-domain";
import type { Deps } from "./deps.ts";
import { type Actor, SCOPES } from "./records.ts";

/** The active user with a login that something else than a password has proved, with the scopes of a sign-in. */
export async function actorByLogin(deps: Pick<Deps, "records">, login: string): Promise<Actor | undefined> {
  const parsed = parseLogin(login);
  if (!parsed.ok) return undefined;
  const query = { login: parsed.value, active: true, sort: { by: "id", order: "ascending" } } as const;
  const [user] = await deps.records.users.page(query, { limit: 1 });
  return user && { userId: user.id, login: user.login, role: user.role, tokenId: null, scopes: [...SCOPES] };
}
