import type { EffectiveConstraints } from "@berth/directory-domain";
import type { Actor } from "./actor.ts";
import { EngineError } from "./errors.ts";

/** Who refers to a thing by its name. An administrator sees everything; a user sees what it owns. */
export type Viewer = Pick<Actor, "kind" | "id"> & {
  /** What of others is shared with it; absent where a record speaks for its owner. */
  readonly effective?: EffectiveConstraints;
};

/**
 * A thing with an owner: the directory's id of the user who made it, or of the user's place that it is in; undefined where an
 * administrator made it on the host's own socket.
 */
export interface Owned {
  readonly name: string;
  readonly owner?: string | undefined;
}

/** The viewer that a record of this owner speaks for: a restart by policy has no request, and refers to things as their owner does. */
export function viewerOf(owner: string | undefined): Viewer {
  return owner === undefined ? { kind: "administrator", id: undefined } : { kind: "user", id: owner };
}

/** Whether the viewer may know of a thing at all. */
export function sees(viewer: Viewer, { owner }: Pick<Owned, "owner">): boolean {
  return viewer.kind === "administrator" || owner === viewer.id;
}

/** The key under which a name is unique: two owners may use the same name. */
export function ownedKey(owner: string | undefined, name: string): string {
  return `${owner ?? ""}/${name}`;
}

/** A user's place on this host, as the owner of what is in it: `7@ci`. */
export function placeOwner(user: string, place: string): string {
  return `${user}@${place}`;
}

/** The directory's id of the user that an owner is, or whose place it is. */
export function userOf(owner: string): string {
  return owner.split("@", 1)[0] ?? owner;
}

/** Whether the owner is a place. */
export function isPlace(owner: string | undefined): owner is string {
  return owner?.includes("@") === true;
}

/** Splits `OWNER/NAME`, by which an administrator names a user's thing; undefined for every other reference. */
export function parseOwnedRef(ref: string): { readonly owner: string; readonly name: string } | undefined {
  const [, owner, name] = /^([0-9]+(?:@[a-z0-9-]+)?)\/(.+)$/.exec(ref) ?? [];
  return owner === undefined || name === undefined ? undefined : { owner, name };
}

/**
 * The one of several things of the same name that a bare name means: the viewer's own, then the one without an owner, then the only
 * other one. Undefined where there is none. Throws `invalid` with the candidates where several are left.
 *
 * @param namesakes things of one name that the viewer sees.
 */
export function pickNamesake<T extends Owned>(namesakes: readonly T[], viewer: Viewer, what: string): T | undefined {
  const own = namesakes.find(({ owner }) => owner === viewer.id) ?? namesakes.find(({ owner }) => owner === undefined);
  const [first, ...others] = namesakes;
  if (own !== undefined || others.length === 0) return own ?? first;
  const candidates = namesakes.map(({ owner, name }) => ownedKey(owner, name)).join(", ");
  throw new EngineError("invalid", `${what} name ${first?.name} is ambiguous: use one of ${candidates}, or an id`);
}
