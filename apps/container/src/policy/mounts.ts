import type { DecisionRequest } from "@berth/directory-domain";
import type { Actor } from "../engine/actor.ts";
import type { EngineError } from "../engine/errors.ts";
import { assertAllowed, denied, type User } from "./assert-allowed.ts";

/** A container's files include its mounted host directories, so `cp` needs the same permission as a start. Throws `forbidden`. */
export function assertMountsAllowed(user: User, mounts: NonNullable<DecisionRequest["mounts"]>): void {
  assertAllowed(user, { mounts });
}

/** A named volume belongs to its creator. Throws `forbidden` for any other user. */
export function assertVolumeOwned(
  user: User,
  name: string,
  volume: { readonly owner: string | undefined } | undefined,
): void {
  if (volume !== undefined && volume.owner !== user.id) throw denied(`volume ${name} belongs to another user`);
}

/** Driver options can mount any part of the host. Throws `forbidden` for a user's volume with options. */
export function assertVolumeOptionsAllowed(actor: Actor, options: Readonly<Record<string, string>>): void {
  if (actor.kind === "user" && Object.keys(options).length > 0)
    throw denied("only an administrator mounts a volume with driver options");
}

/** The error of a bind whose source became a link after it was allowed. A restart by policy would follow it without a check. */
export function bindSourceMoved(source: string): EngineError {
  return denied(`bind source ${source} now resolves elsewhere; restart the container to re-check it`);
}
