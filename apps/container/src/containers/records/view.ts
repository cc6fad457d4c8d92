import type { ContainerId } from "../../engine/ids.ts";
import { imageIdsOf } from "../../images/catalogue.ts";
import type { Image } from "../../images/images.ts";
import { type Endpoint, NO_ADDRESS } from "../../networks/networks.ts";
import type { ContainerView } from "../containers.ts";
import type { Context } from "../context.ts";

import type { Container } from "./container.ts";
import { linkNames } from "./links.ts";

/** The endpoints by network name: those of the running container, and those that it is to have. */
function endpointsOf(
  { networks }: Pick<Context, "networks">,
  container: Container,
  running: readonly Endpoint[],
): Readonly<Record<string, Endpoint>> {
  const joined = new Map(running.map((endpoint) => [endpoint.networkName, endpoint]));
  const recorded = Object.keys(container.endpoints).map((key) => {
    // A network that was removed is still in the container's row.
    const { id = "", name = key } = networks.recorded(key, container.owner) ?? {};
    const request = container.endpoints[key];
    const blank = (): Endpoint => ({
      networkId: id,
      networkName: name,
      endpointId: "",
      ...NO_ADDRESS,
      ipv6: NO_ADDRESS,
      macAddress: "",
      aliases: request?.Aliases ?? [],
      request: request ?? {},
      bridge: "",
    });
    return [name, joined.get(name) ?? blank()] as const;
  });
  return Object.fromEntries([...recorded, ...joined]);
}

/** Returns the ids of a container's running execs. */
interface RunningExecs {
  of(id: ContainerId): readonly string[];
}

/** Whether no network of a running container leads outside. */
function isInternal({ networks }: Pick<Context, "networks">, running: readonly Endpoint[]): boolean {
  return running.length > 0 && running.every(({ networkId }) => networks.recorded(networkId, undefined)?.internal);
}

/** Everything that inspect and list show of the container, from memory only. @param linking the containers that link to others */
export function viewOf(
  context: Pick<Context, "runtime" | "networks" | "ports" | "files">,
  execs: RunningExecs,
  container: Container,
  linking: readonly Container[] = [],
): ContainerView {
  const paths = context.files.paths(container.id);
  const running = context.networks.sandboxOf(container.id)?.endpoints ?? [];
  return {
    container,
    assignments: context.ports.assignments(container.id),
    endpoints: endpointsOf(context, container, running),
    imageName: container.image,
    execIds: execs.of(container.id),
    ...(linking.length > 0 && { linkNames: linkNames(container, linking) }),
    ...(isInternal(context, running) && { internal: true }),
    logPath: context.runtime.logPath(container.id),
    hostsPath: paths.hosts,
    hostnamePath: paths.hostname,
    resolvConfPath: paths.resolvConf,
  };
}

interface FindImage {
  get(ref: string, options?: { readonly viewer: { readonly owner: string } | undefined }): Promise<Image>;
}

/** Finds images for one list: each once, because most containers are of few images. */
export function findEachOnce(images: FindImage): FindImage {
  const found = new Map<string, Promise<Image>>();
  return {
    get: (ref, options) => {
      const key = `${options?.viewer?.owner} ${ref}`;
      const known = found.get(key) ?? images.get(ref, options);
      found.set(key, known);
      return known;
    },
  };
}

/** Adds the image's manifest, unless the image is gone. */
export async function withManifest(images: FindImage, view: ContainerView): Promise<ContainerView> {
  const image = await images.get(view.container.imageId).catch(() => undefined);
  return image === undefined ? view : { ...view, manifest: image.manifest };
}

/** A list shows the image's id if the reference it was created by no longer names that image. */
export async function named(images: FindImage, view: ContainerView): Promise<ContainerView> {
  const { image, imageId, owner } = view.container;
  try {
    const { id, index } = await images.get(image, { viewer: owner === undefined ? undefined : { owner } });
    const meant = imageIdsOf({ imageId: id, index });
    return meant.includes(imageId) ? view : { ...view, imageName: imageId };
  } catch {
    return { ...view, imageName: imageId };
  }
}

/**
 * Bytes of the container's own files, and of those plus its image, for `docker ps --size`. The own size is -1 if it cannot be
 * measured, as in moby's `GetContainerLayerSize`: one container must not fail the list.
 */
export async function sizeOf(
  { images, runtime, log }: Pick<Context, "runtime" | "images" | "log">,
  container: Container,
): Promise<NonNullable<ContainerView["size"]>> {
  const writable = await runtime.usage(container.id).then(
    (usage) => usage.writable,
    (fault: unknown) => {
      log.warn({ container: container.id, err: fault }, "failed to measure container size");
      return undefined;
    },
  );
  const image = await images.get(container.imageId).catch(() => undefined);
  return { writable: writable ?? -1, total: (writable ?? 0) + (image?.size ?? 0) };
}
