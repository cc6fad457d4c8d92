import type { Actor } from "../../engine/actor.ts";
import type { Context } from "../context.ts";
import { authorizeMounts } from "../create/authorize.ts";
import { type Container, imagesOf, type MountPoint } from "../records/container.ts";
import { type OpenArchive, RootEnded, type RootView } from "./files.ts";

function depth(path: string): number {
  return path.split("/").length;
}

function partOf({ subpath }: MountPoint) {
  return subpath === undefined ? {} : { subpath };
}

/**
 * The mounts that `docker cp` sees, whether or not the container runs (moby `openContainerFS`): volumes, binds, images and the
 * container's own files, but no tmpfs. Throws `forbidden` if the actor may no longer use one of them.
 */
async function mountsOf(
  context: Pick<Context, "volumes" | "files">,
  actor: Actor,
  { id, mounts }: Container,
): Promise<(images: readonly string[]) => RootView["mounts"]> {
  const { files, volumes } = context;
  for (const { type, source } of mounts) if (type === "volume") await volumes.ready(source);
  const shown = mounts.filter(({ type }) => type === "bind" || type === "volume").map(({ real: _, ...mount }) => mount);
  const real = await Promise.all(
    shown.map(async (mount) => ({ ...mount, source: await files.realPath(mount.source) })),
  );
  // A volume is known by its own path, a bind by where its links lead.
  await authorizeMounts(
    context,
    actor,
    shown.map((mount, at) => (mount.type === "bind" ? { ...mount, real: real[at]?.source ?? mount.source } : mount)),
  );
  const wished = real.map((mount) => ({
    source: mount.source,
    ...partOf(mount),
    target: mount.destination,
    readonly: !mount.readWrite,
  }));
  const { hosts, hostname, resolvConf } = await files.realPaths(id);
  const own = Object.entries({ "/etc/hosts": hosts, "/etc/hostname": hostname, "/etc/resolv.conf": resolvConf })
    .filter(([target]) => !mounts.some(({ destination }) => destination === target))
    .map(([target, source]) => ({ source, target, readonly: false, optional: true }));
  return (images) => {
    const layers = imagesOf(mounts).map((mount, at) => ({
      source: images[at] ?? "",
      ...partOf(mount),
      target: mount.destination,
      readonly: true,
    }));
    return [...own, ...wished, ...layers].sort((a, b) => depth(a.target) - depth(b.target));
  };
}

/** Retries once on RootEnded: the process ended while its root was opened, but the container's files remain. */
async function withRoot<T>(
  { runtime }: Pick<Context, "runtime">,
  { id }: Container,
  use: (root: string, evicted?: AbortSignal, images?: readonly string[]) => Promise<T>,
  images = 0,
): Promise<T> {
  try {
    return await runtime.withRootfs(id, use, images);
  } catch (thrown) {
    if (!(thrown instanceof RootEnded)) throw thrown;
    await runtime.wait(id);
    return await runtime.withRootfs(id, use, images);
  }
}

/** Runs `use` on the files as the container's processes see them, after authorizing the actor for its mounts. */
export async function withView<T>(
  context: Pick<Context, "runtime" | "volumes" | "files">,
  actor: Actor,
  container: Container,
  access: RootView["access"],
  use: (view: RootView) => Promise<T>,
): Promise<T> {
  const mounts = await mountsOf(context, actor, container);
  const images = imagesOf(container.mounts).length;
  return await withRoot(
    context,
    container,
    (root, evicted, places = []) => use({ root, mounts: mounts(places), access, evicted }),
    images,
  );
}

/** Runs `use` on the container's root file system without mounts. */
export function withBareView<T>(
  context: Pick<Context, "runtime">,
  container: Container,
  use: (view: RootView) => Promise<T>,
): Promise<T> {
  return withRoot(context, container, (root, evicted) => use({ root, mounts: [], access: "ro", evicted }));
}

/** Opens an archive and keeps the view until the archive ends or its reader disconnects. */
export function openIn(
  within: (use: (view: RootView) => Promise<void>) => Promise<void>,
  open: (view: RootView) => Promise<OpenArchive>,
): Promise<OpenArchive> {
  return new Promise((resolve, reject) => {
    within(async (view) => {
      const opened = await open(view);
      resolve(opened);
      await opened.ended;
    }).catch(reject);
  });
}
