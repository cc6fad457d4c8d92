import { type DecisionRequest, decide, effectivePorts, explain } from "@berth/directory-domain";
import type { PortSet, Protocol } from "@berth/port-spec";
import type { Actor } from "../../engine/actor.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import { formatReference, parseReference, type Reference, withDefaultTag } from "../../images/reference/reference.ts";
import type { Reach } from "../../images/registry/reach.ts";
import { factsOf } from "../../policy/facts.ts";
import type { Context } from "../context.ts";
import type { Container, MountPoint } from "../records/container.ts";

/** The host ports that an allocator may pick from; undefined where no constraint speaks. */
export type PermittedPorts = Readonly<Record<Protocol, PortSet>> | undefined;

type User = Actor & { readonly kind: "user" };

/** Throws `forbidden` with every constraint that refuses and what would pass. */
function insist(user: User, request: DecisionRequest): void {
  const decision = decide(request, user.effective);
  if (!decision.allowed) throw new EngineError("forbidden", explain(decision));
}

/** A named volume belongs to whoever made it; an administrator's is nobody else's to mount. */
function insistOnVolume({ volumes }: Context, user: User, name: string): void {
  const volume = volumes.find(name);
  if (volume && volume.owner !== user.id)
    throw new EngineError("forbidden", `denied by policy: volume ${name} belongs to another user`);
}

async function foldersOf(context: Context, user: User, mounts: readonly MountPoint[]) {
  const folders: { readonly path: string; readonly readOnly: boolean }[] = [];
  for (const { type, name, source, real, readWrite } of mounts) {
    if (type === "bind") folders.push({ path: real ?? (await context.files.realPath(source)), readOnly: !readWrite });
    if (type === "volume" && name !== undefined) insistOnVolume(context, user, name);
  }
  return folders;
}

/** In full form, as constraints name images. */
function inFull(name: string): string {
  const parsed = parseReference(name);
  return parsed.ok ? formatReference(parsed.value) : name;
}

async function referencesOf({ images }: Context, { imageId }: Container): Promise<readonly string[]> {
  try {
    const { id, repoTags, repoDigests } = await images.get(imageId);
    return [id, ...[...repoTags, ...repoDigests].map(inFull)];
  } catch (thrown) {
    if (!isEngineError(thrown, "not-found")) throw thrown;
    return [imageId];
  }
}

/**
 * Decides whether the actor may have this container as it would run now: at create, and again at every start, so that what was
 * tightened meanwhile holds. Throws `forbidden` with the whole explanation.
 */
export async function authorize(context: Context, actor: Actor, container: Container): Promise<PermittedPorts> {
  if (actor.kind === "administrator") return undefined;
  const { effective } = actor;
  const others = context.registry.all().filter(({ id, owner }) => owner === actor.id && id !== container.id);
  const [hostFolders, references] = await Promise.all([
    foldersOf(context, actor, container.mounts),
    referencesOf(context, container),
  ]);
  insist(actor, factsOf(container, { hostFolders, references, others, host: context.host }));
  return {
    tcp: effectivePorts(effective, "tcp"),
    udp: effectivePorts(effective, "udp"),
    sctp: effectivePorts(effective, "sctp"),
  };
}

/**
 * Whoever reads or writes a container's files reaches what it mounts of the host, as a start would: decided anew, and on the
 * sources with their links resolved, which are the ones to mount then.
 */
export async function authorizeMounts(context: Context, actor: Actor, mounts: readonly MountPoint[]): Promise<void> {
  if (actor.kind === "user") insist(actor, { mounts: await foldersOf(context, actor, mounts) });
}

/** A pull brings an image in under the name asked for, and a registry is asked about no other: the name decides. */
export function authorizePull(actor: Actor, reference: Reference): void {
  if (actor.kind === "user") insist(actor, { images: [{ references: [formatReference(withDefaultTag(reference))] }] });
}

/**
 * Credentials are for a registry from which the actor may pull something: whatever it has, or all that one of its constraints
 * names there.
 */
export function authorizeLogin(actor: Actor, domain: string): void {
  if (actor.kind !== "user") return;
  const { baseline, constraints } = actor.effective;
  const patterns = [...baseline.images, ...constraints.flatMap((one) => (one.kind === "images" ? one.patterns : []))];
  const whatever = { images: [{ references: [`${domain}/*`] }] };
  const some = patterns.filter((pattern) => pattern.startsWith(`${domain}/`));
  if (!some.some((name) => decide({ images: [{ references: [name] }] }, actor.effective).allowed))
    insist(actor, whatever);
}

/** How far the requests go that the actor has made of a registry. */
export function reachOf(actor: Actor): Reach {
  return actor.kind === "administrator" ? "everywhere" : "beyond-host";
}

/** An exec may take no more of the host than a container may. */
export function authorizeExec(actor: Actor, request: { readonly privileged: boolean }): void {
  if (actor.kind === "user" && request.privileged) insist(actor, { privileges: ["privileged"] });
}
