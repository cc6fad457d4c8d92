import type { DecisionRequest } from "@berth/directory-domain";
import type { Actor } from "../engine/actor.ts";
import type { EngineError } from "../engine/errors.ts";
import { assertAllowed, denied, type User } from "./assert-allowed.ts";

/** A container's files reach the host folders that it mounts, as its start does. Throws `forbidden`. */
export function assertMountsAllowed(user: User, mounts: NonNullable<DecisionRequest["mounts"]>): void {
  assertAllowed(user, { mounts });
}

/** A named volume belongs to whoever made it. Throws `forbidden` where that is not the user. */
export function assertVolumeOwned(
  user: User,
  name: string,
  volume: { readonly owner: string | undefined } | undefined,
): void {
  if (volume !== undefined && volume.owner !== user.id) throw denied(`volume ${name} belongs to another user`);
}

/** Driver options can mount any part of the host. Throws `forbidden` for a user's volume that has some. */
export function assertVolumeOptionsAllowed(actor: Actor, options: Readonly<Record<string, string>>): void {
  if (actor.kind === "user" && Object.keys(options).length > 0)
    throw denied("only an administrator mounts a volume with driver options");
}

/** The error of a bind whose source has become a link since it was allowed: a restart policy, which asks nobody, would follow it. */
export function bindSourceMoved(source: string): EngineError {
  return denied(`bind source ${source} now resolves elsewhere; restart the container to re-check it`);
}
