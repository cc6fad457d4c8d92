import type { ContainerFacts, ImageWish, MountWish } from "@berth/directory-domain";
import type { Actor } from "../../engine/actor.ts";
import { isEngineError } from "../../engine/errors.ts";
import { formatReference, parseReference } from "../../images/reference/reference.ts";
import { namesOfOthers } from "../../networks/network-table.ts";
import type { User } from "../../policy/assert-allowed.ts";
import { assertContainerAllowed, type PortRights } from "../../policy/containers.ts";
import { containerFacts, type DecidedContainer } from "../../policy/facts.ts";
import { imageWishes } from "../../policy/images.ts";
import { assertMountsAllowed, assertVolumeOwned } from "../../policy/mounts.ts";
import { assertNameServersAllowed } from "../../policy/networks.ts";
import { sharedUses } from "../../policy/shared-quotas.ts";
import type { Context } from "../context.ts";
import type { Container, MountPoint } from "../records/container.ts";
import { recordedNetworks } from "../records/joined-networks.ts";

/** What an authorization needs besides the container itself. */
export type AuthorizeContext = Pick<
  Context,
  "registry" | "images" | "networks" | "volumes" | "files" | "storage" | "held" | "host"
>;

async function foldersOf(
  { volumes, files }: Pick<Context, "volumes" | "files">,
  user: User,
  mounts: readonly MountPoint[],
) {
  const folders: MountWish[] = [];
  for (const { type, name = "", source, real, readWrite, writableBelow = false } of mounts) {
    if (type === "bind") {
      const path = real ?? (await files.realPath(source));
      folders.push({ path, readOnly: !readWrite && !writableBelow, name: source });
    }
    if (type === "volume") assertVolumeOwned(user, name, volumes.at(source));
  }
  return folders;
}

/** In full form, which is how constraints name images. */
export function inFull(name: string): string {
  const parsed = parseReference(name);
  return parsed.ok ? formatReference(parsed.value) : name;
}

/** The names that the image has now, of which one must be permitted, and those it had at create, which a deny still touches. */
function imagesOf(
  { images }: Pick<Context, "images">,
  user: User,
  { image, imageId, imageNames = [] }: Pick<Container, "image" | "imageId" | "imageNames">,
): readonly ImageWish[] {
  const had = { name: image, aliases: [image, ...imageNames].map(inFull) };
  try {
    return imageWishes(user, images.origin(imageId, user.id), had);
  } catch (thrown) {
    if (!isEngineError(thrown, "not-found")) throw thrown;
    return [{ ...had, references: [imageId] }];
  }
}

/** The images that a container mounts: whoever may not run one may not read it either. */
function imagesMounted({ mounts }: Container): readonly Pick<Container, "image" | "imageId">[] {
  return mounts.flatMap(({ name = "", image }) => (image === undefined ? [] : [{ image: name, imageId: image.id }]));
}

/**
 * Derives the facts about the container and asks the policy. Throws `forbidden` with the whole explanation.
 *
 * @returns what it may do with host ports; undefined for administrators, whom no constraint binds.
 */
export async function authorize(
  context: AuthorizeContext,
  actor: Actor,
  container: Container,
): Promise<PortRights | undefined> {
  if (actor.kind === "administrator") return undefined;
  await context.storage.assertRoom();
  return await authorizeBeside(context, actor, container, beside(context, actor, container));
}

/** What counts beside a container. */
interface Beside {
  /** The owner's other containers. */
  readonly others: readonly DecidedContainer[];
  /** Everybody's other containers. */
  readonly rest: readonly (DecidedContainer & Pick<Container, "owner">)[];
  /** Bytes that the owner's layers, logs and volumes take. */
  readonly storage: number;
}

/** What counts beside the container now. */
export function beside(
  { registry, held, storage }: Pick<Context, "registry" | "held" | "storage">,
  { id: user }: User,
  container: Pick<Container, "id">,
): Beside {
  const rest = [...registry.all().filter(({ id }) => id !== container.id), ...held.all()];
  return { others: rest.filter(({ owner }) => owner === user), rest, storage: storage.of(user) };
}

/** The same beside that. */
export async function authorizeBeside(
  context: FactsContext,
  actor: User,
  container: Container,
  counted: Beside,
): Promise<PortRights | undefined> {
  return assertContainerAllowed(actor, await factsBeside(context, actor, container, counted));
}

type FactsContext = Omit<AuthorizeContext, "registry" | "storage" | "held">;

/** The facts that the policy decides on. Throws `forbidden` for what no constraint could permit. */
export async function factsBeside(
  context: FactsContext,
  actor: User,
  container: Container,
  { rest, ...used }: Beside,
): Promise<ContainerFacts> {
  const [hostFolders, shared] = await Promise.all([
    foldersOf(context, actor, container.mounts),
    sharedUses(actor, rest),
  ]);
  const images = [container, ...imagesMounted(container)].flatMap((one) => imagesOf(context, actor, one));
  assertNameServersAllowed(container.hostConfig.Dns);
  const networks = namesOfOthers(recordedNetworks(context, container).values(), actor.id);
  return containerFacts(container, { hostFolders, images, networks, shared, ...used, host: context.host });
}

/** Asks the policy for the host paths among `mounts`, with links resolved as a start does. Throws `forbidden`. */
export async function authorizeMounts(
  context: Pick<Context, "volumes" | "files">,
  actor: Actor,
  mounts: readonly MountPoint[],
): Promise<void> {
  if (actor.kind === "user") assertMountsAllowed(actor, await foldersOf(context, actor, mounts));
}
