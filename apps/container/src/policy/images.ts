import { decide } from "@berth/directory-domain";
import type { Actor } from "../engine/actor.ts";
import { assertAllowed, denied } from "./assert-allowed.ts";

/**
 * A pull stores an image under the name that it asks for, and no registry is asked about another: the name decides. Throws `forbidden`.
 *
 * @param reference in full form: `docker.io/library/busybox:latest`.
 */
export function assertPullAllowed(actor: Actor, reference: string): void {
  if (actor.kind === "user") assertAllowed(actor, { images: [{ references: [reference] }] });
}

/**
 * Credentials are for a registry from which the actor may pull something: anything it has, or all that one of its constraints names
 * there. Throws `forbidden`.
 */
export function assertLoginAllowed(actor: Actor, domain: string): void {
  if (actor.kind !== "user") return;
  const { baseline, constraints } = actor.effective;
  const patterns = [...baseline.images, ...constraints.flatMap((one) => (one.kind === "images" ? one.patterns : []))];
  const there = patterns.filter((pattern) => pattern.startsWith(`${domain}/`));
  if (!there.some((name) => decide({ images: [{ references: [name] }] }, actor.effective).allowed))
    assertAllowed(actor, { images: [{ references: [`${domain}/*`] }] });
}

/** An imported archive has no name that a constraint could decide on. Throws `forbidden` for a user. */
export function assertImportAllowed(actor: Actor): void {
  if (actor.kind !== "administrator") throw denied("only an administrator may import images");
}

/** Which addresses the requests to registries may go to that the actor causes. */
export function networkScope(actor: Actor): "everywhere" | "beyond-host" {
  return actor.kind === "administrator" ? "everywhere" : "beyond-host";
}

/** Why a user's request to a registry on an address of this host alone is refused. */
export function hostOnlyRegistry(host: string): string {
  return denied(
    `${host} is an address of this host alone; users reach a registry there if an administrator lists it in BERTH_INSECURE_REGISTRIES`,
  ).message;
}
