import { decide, type ImageWish } from "@berth/directory-domain";
import type { Actor } from "../engine/actor.ts";
import { assertAllowed, denied, type User } from "./assert-allowed.ts";

/**
 * Checks a pull by the requested name: the image is stored under that name and no other is requested. Throws `forbidden`.
 *
 * @param reference in full form: `docker.io/library/busybox:latest`.
 */
export function assertPullAllowed(actor: Actor, reference: string): void {
  if (actor.kind === "user") assertAllowed(actor, { images: [{ references: [reference] }] });
}

/** Whether a pull of the actor may move a name from one image to another: others run by that name, so no user's pull does. */
export function heldNamesOf(actor: Actor): "move" | "keep" {
  return actor.kind === "administrator" ? "move" : "keep";
}

/**
 * Allows credentials for a registry from which the actor may pull at least one image: any of its images, or all that one of the
 * actor's constraints names there. Throws `forbidden`.
 */
export function assertLoginAllowed(actor: Actor, domain: string): void {
  if (actor.kind !== "user") return;
  const { baseline, constraints } = actor.effective;
  const patterns = [...baseline.images, ...constraints.flatMap((one) => (one.kind === "images" ? one.patterns : []))];
  const there = patterns.filter((pattern) => pattern.startsWith(`${domain}/`));
  if (!there.some((name) => decide({ images: [{ references: [name] }] }, actor.effective).allowed))
    assertAllowed(actor, { images: [{ references: [`${domain}/*`] }] });
}

/** The part of an image's origin that decisions read. */
interface DecidedImage {
  /** Its id and everyone's full names of it. */
  readonly references: readonly string[];
  /** For the user's own image the id and names of each image that it was built from. */
  readonly builtFrom: readonly (readonly string[])[] | undefined;
}

/**
 * The images that a decision on the use of one is about. An image that the user built is the user's to run while it may use each image
 * that it was built from; a name that a user gave permits nothing. One that everyone has a name of may be permitted by that, too.
 */
export function imageWishes(
  { effective }: User,
  { references, builtFrom }: DecidedImage,
  named: Pick<ImageWish, "name" | "aliases"> = {},
): readonly ImageWish[] {
  const asNamed = { ...named, references };
  if (builtFrom === undefined) return [asNamed];
  const isNamed = references.length > 1;
  if (isNamed && decide({ images: [asNamed] }, effective).allowed) return [asNamed];
  return builtFrom.map((names) => ({ name: names[1] ?? names[0] ?? "", references: names }));
}

/**
 * Whom the actor looks at images as: it lists, inspects and saves its own, and of everyone's those of which it may run at least one
 * name, or the id. Undefined for all of them.
 */
export function imageViewer(actor: Actor) {
  if (actor.kind !== "user") return undefined;
  return {
    owner: actor.id,
    accepts: (image: DecidedImage) => decide({ images: imageWishes(actor, image) }, actor.effective).allowed,
  };
}

/** Whom the actor refers to images as: what it may not use is refused with the reason, not missing. */
export function imageNamer(actor: Actor): { readonly owner: string } | undefined {
  return actor.kind === "user" ? { owner: actor.id } : undefined;
}

/** An imported archive has no name that a constraint could match. Throws `forbidden` for a user. */
export function assertImportAllowed(actor: Actor): void {
  if (actor.kind !== "administrator") throw denied("only an administrator may import images");
}

/** The addresses that registry requests of the actor may reach. */
export function networkScope(actor: Actor): "everywhere" | "beyond-host" {
  return actor.kind === "administrator" ? "everywhere" : "beyond-host";
}

/** The error of a user's registry request to an address of this host only. */
export function hostOnlyRegistry(host: string): string {
  return denied(
    `${host} is an address of this host alone; users reach a registry there if an administrator lists it in BERTH_INSECURE_REGISTRIES`,
  ).message;
}

/** Decides on an image that is here already. Throws `forbidden`. */
export function assertImageAllowed(actor: Actor, image: DecidedImage, name: string): void {
  if (actor.kind === "user") assertAllowed(actor, { images: imageWishes(actor, image, { name }) });
}
