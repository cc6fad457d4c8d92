import { type EffectiveConstraints, effectiveConstraints } from "@berth/directory-domain";
import { type Caller, list, number, parseCaller, parseEffective, readable } from "./parse.ts";
import { ask, type Connection, DirectoryUnavailable, getJson } from "./request.ts";

/** The owner of a token and its effective constraints. */
export interface Bearer {
  readonly caller: Caller;
  /** Undefined when the token's scopes (neither `engine` nor `read`) do not include reading them. */
  readonly effective: EffectiveConstraints | undefined;
}

/**
 * Asks a directory about the owner of a token with that very token, so that the caller needs none of its own. Nothing is cached.
 * Returns undefined when the token opens nothing; throws `DirectoryUnavailable` when there is no usable answer.
 */
export async function bearerOf(
  { url, timeout = 2_000, fetch: ask = fetch }: Pick<Connection, "url"> & Partial<Connection>,
  token: string,
): Promise<Bearer | undefined> {
  const connection = { url, timeout, fetch: ask };
  const me = await getJson(connection, "/api/me", token);
  if (!me.ok) return undefined;
  const caller = readable(() => parseCaller(me.body));
  if (!caller.scopes.some((scope) => scope === "engine" || scope === "read")) return { caller, effective: undefined };
  const held = await getJson(connection, `/api/users/${caller.id}/effective-constraints`, token);
  if (!held.ok) return undefined;
  const { effective } = readable(() => parseEffective(held.body));
  return { caller, effective: effectiveConstraints({ ...effective, at: new Date().toISOString() }) };
}

/**
 * Asks a directory which of some users a shared quota binds. The token's owner is one of them, or may read every constraint.
 * Throws `DirectoryUnavailable` when there is no usable answer, a refusal included: the quota then cannot be counted.
 */
export async function sharersOf(
  { url, timeout = 2_000, fetch: fetching = fetch }: Pick<Connection, "url"> & Partial<Connection>,
  token: string,
  constraintId: number,
  userIds: readonly number[],
): Promise<readonly number[]> {
  if (userIds.length === 0) return [];
  const path = `/api/constraints/${constraintId}/sharers`;
  const answer = await ask({ url, timeout, fetch: fetching }, { method: "POST", path, token, body: { userIds } });
  if (!answer.ok)
    throw new DirectoryUnavailable(`it does not tell who shares constraint ${constraintId}: ${answer.detail}`);
  return readable(() => list(answer.body).map(number));
}
