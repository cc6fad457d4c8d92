import type { Result } from "@berth/port-spec";
import { err, ok } from "@berth/port-spec";
import type { Catalogue, NamedImage, StoredImage } from "./catalogue.ts";
import { hasChildren, imageIdsOf, reachingReferences, referencesOf } from "./catalogue.ts";
import { findImage } from "./find-image.ts";
import type { Reference } from "./reference/reference.ts";
import { formatFamiliar, formatReference, parseReference, withDefaultTag } from "./reference/reference.ts";

/** The containers that use images, by image id. */
export type ImagesInUse = ReadonlyMap<string, { readonly containerId: string; readonly running: boolean }>;

/** One step of a removal. */
export type RemovalStep =
  | { readonly kind: "untag"; readonly imageId: string; readonly reference: Reference }
  /** `layers` are the chain ids removed with it, top first. */
  | { readonly kind: "delete"; readonly imageId: string; readonly layers: readonly string[] };

export interface RemovalOptions {
  readonly force: boolean;
  /** Also removes its untagged parent images. */
  readonly prune: boolean;
  readonly inUse: ImagesInUse;
  /** Whether somebody keeps the image beyond this catalogue: then losing its last name here does not remove it. */
  readonly isKept?: (imageId: string) => boolean;
}

interface Conflict {
  readonly message: string;
  readonly used: boolean;
}

function short(id: string): string {
  return id.replace("sha256:", "").slice(0, 12);
}

/** The catalogue after the planned steps, so that later steps see their effects. */
interface Plan {
  readonly catalogue: { readonly images: Map<string, StoredImage>; readonly names: Map<string, NamedImage> };
  readonly steps: RemovalStep[];
  readonly inUse: ImagesInUse;
}

/**
 * Plans `DELETE /images/NAME` by dockerd's rules (`image_delete.go`): the steps, or Docker's message of the conflict.
 * Throws like `findImage` for a missing image.
 */
export function planRemoval(
  catalogue: Catalogue,
  name: string,
  { force, prune, inUse: users, isKept = () => false }: RemovalOptions,
): Result<readonly RemovalStep[], string> {
  const { id } = findImage(catalogue, name);
  const inUse = usedByIndex(catalogue, users);
  const siblings = siblingsOf(catalogue, id);
  const plan: Plan = {
    catalogue: { images: new Map(catalogue.images), names: new Map(catalogue.names) },
    steps: [],
    inUse,
  };
  const references = referencesOf(catalogue, id);
  const single = isSingle(references);

  if (isIdPrefix(id, name)) {
    if (single) {
      const conflict = conflictOf(plan, id, { force, references: "ignored" });
      if (conflict !== undefined) return err(conflict.message);
      for (const reference of references) untag(plan, id, reference);
    }
    const removed = removeImage(plan, id, { force, prune, quiet: false });
    return removed.ok ? ok(withSiblings(plan, siblings, { force, isKept })) : removed;
  }

  const user = inUse.get(id);
  if (!force && single && user !== undefined) {
    return err(
      `conflict: unable to remove repository reference "${name}" (must force) - container ${short(user.containerId)} is using its referenced image ${short(id)}`,
    );
  }
  const parsed = parseReference(name);
  if (!parsed.ok) throw new Error(`a name that was found does not parse: ${name}`);
  const reference = withDefaultTag(parsed.value);
  untag(plan, id, reference);
  if (reference.digest === undefined) untagDigestsLeftAlone(plan, id, reference);
  const kept = referencesOf(plan.catalogue, id).length > 0 || isKept(id);
  const removed = kept ? ok(plan.steps) : removeImage(plan, id, { force, prune, quiet: true });
  return removed.ok ? ok(withSiblings(plan, siblings, { force, isKept })) : removed;
}

/** Who uses an image for another platform of an index uses the image that stands for the index. */
function usedByIndex(catalogue: Catalogue, users: ImagesInUse): ImagesInUse {
  const inUse = new Map(users);
  for (const named of catalogue.names.values()) {
    for (const id of imageIdsOf(named)) {
      const user = users.get(id);
      if (user !== undefined && !inUse.get(named.imageId)?.running) inUse.set(named.imageId, user);
    }
  }
  return inUse;
}

/** The other images of the indexes that an image stands for. */
function siblingsOf({ names }: Catalogue, imageId: string): readonly string[] {
  const named = [...names.values()].filter((each) => each.imageId === imageId);
  return [...new Set(named.flatMap(imageIdsOf))].filter((id) => id !== imageId);
}

/** Removes those that no name reaches any longer. One in use, or with children, stays as an image of its own. */
function withSiblings(
  plan: Plan,
  siblings: readonly string[],
  { force, isKept }: { readonly force: boolean; readonly isKept: (imageId: string) => boolean },
): readonly RemovalStep[] {
  for (const id of siblings) {
    if (isKept(id) || reachingReferences(plan.catalogue, id).length > 0) continue;
    removeImage(plan, id, { force, prune: false, quiet: true });
  }
  return plan.steps;
}

function isIdPrefix(id: string, name: string): boolean {
  return id.startsWith(name) || id.slice("sha256:".length).startsWith(name);
}

/** Whether all names are of one repository and at most one of them is a tag. */
function isSingle(references: readonly Reference[]): boolean {
  const tags = references.filter(({ digest }) => digest === undefined);
  const repositories = new Set(references.map(({ domain, path }) => `${domain}/${path}`));
  return references.length > 0 && tags.length <= 1 && repositories.size === 1;
}

function untag(plan: Plan, imageId: string, reference: Reference): void {
  const { tag, digest, ...repository } = reference;
  const named = digest !== undefined ? { ...repository, digest } : reference;
  plan.catalogue.names.delete(formatReference(named));
  plan.steps.push({ kind: "untag", imageId, reference: named });
}

/** Removes the digests of a repository with its last tag, since they are not visible as names. */
function untagDigestsLeftAlone(plan: Plan, id: string, { domain, path }: Reference): void {
  const siblings = referencesOf(plan.catalogue, id).filter((other) => other.domain === domain && other.path === path);
  if (siblings.some(({ digest }) => digest === undefined)) return;
  for (const sibling of siblings) untag(plan, id, sibling);
}

function conflictOf(
  { catalogue, inUse }: Plan,
  id: string,
  { force, references }: { readonly force: boolean; readonly references: "ignored" | "counted" },
): Conflict | undefined {
  const user = inUse.get(id);
  const conflict = (how: string, why: string, used: boolean): Conflict => ({
    message: `conflict: unable to delete ${short(id)} (${how}) - ${why}`,
    used,
  });
  if (hasChildren(catalogue, id)) return conflict("cannot be forced", "image has dependent child images", false);
  if (user?.running) {
    return conflict("cannot be forced", `image is being used by running container ${short(user.containerId)}`, true);
  }
  if (force) return undefined;
  if (references === "counted" && referencesOf(catalogue, id).length > 0) {
    return conflict("must be forced", "image is referenced in multiple repositories", false);
  }
  if (user !== undefined) {
    return conflict("must be forced", `image is being used by stopped container ${short(user.containerId)}`, true);
  }
  return undefined;
}

function removeImage(
  plan: Plan,
  id: string,
  { force, prune, quiet }: { readonly force: boolean; readonly prune: boolean; readonly quiet: boolean },
): Result<readonly RemovalStep[], string> {
  const { catalogue, steps } = plan;
  const conflict = conflictOf(plan, id, { force, references: "counted" });
  if (conflict !== undefined) {
    const dangling = referencesOf(catalogue, id).length === 0 && !hasChildren(catalogue, id);
    return quiet && (!dangling || conflict.used) ? ok(steps) : err(conflict.message);
  }
  const image = catalogue.images.get(id);
  if (image === undefined) return ok(steps);
  for (const reference of referencesOf(catalogue, id)) untag(plan, id, reference);
  catalogue.images.delete(id);
  const kept = new Set([...catalogue.images.values()].flatMap(({ chainIds }) => chainIds));
  // A container that uses the image keeps its layers.
  const gone = plan.inUse.has(id) ? [] : image.chainIds.filter((chainId) => !kept.has(chainId));
  steps.push({ kind: "delete", imageId: id, layers: gone.toReversed() });
  if (!prune || image.parent === "") return ok(steps);
  return removeImage(plan, image.parent, { force: false, prune: true, quiet: true });
}

/** Formats a step as a line of the response. */
export function linesOf(step: RemovalStep): readonly ({ readonly Untagged: string } | { readonly Deleted: string })[] {
  return step.kind === "untag"
    ? [{ Untagged: formatFamiliar(step.reference) }]
    : [{ Deleted: step.imageId }, ...step.layers.map((layer) => ({ Deleted: layer }))];
}
