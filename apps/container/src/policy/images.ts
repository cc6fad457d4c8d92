import { decide, type ImageWish } from "@berth/directory-domain";
import type { Actor } from "../engine/actor.ts";
import { assertAllowed, denied } from "./assert-allowed.ts";

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

/**
 * Which images the actor may list, inspect and save: those of which it may run at least one name, or the id. Undefined for all of them.
 * The result takes an image's id and full names.
 */
export function visibleImages(actor: Actor): ((references: readonly string[]) => boolean) | undefined {
  if (actor.kind !== "user") return undefined;
  return (references) => decide({ images: [{ references }] }, actor.effective).allowed;
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

/** Decides on an image that is here already, by its id and all of its full names. Throws `forbidden`. */
export function assertImageAllowed(actor: Actor, image: ImageWish): void {
  if (actor.kind === "user") assertAllowed(actor, { images: [image] });
}
