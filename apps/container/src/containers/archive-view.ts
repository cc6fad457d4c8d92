import { type OpenArchive, RootEnded, type RootView } from "./archive-files.ts";
import type { Container } from "./container.ts";
import type { Context } from "./context.ts";

const depth = (path: string): number => path.split("/").length;

/**
 * The container's mounts as `docker cp` sees them, whether it runs or not (moby `openContainerFS`): its volumes and binds and its
 * own files; a tmpfs is nobody's but its processes'.
 */
const mountsOf = ({ files }: Pick<Context, "files">, { id, mounts }: Container): RootView["mounts"] => {
  const { hosts, hostname, resolvConf } = files.paths(id);
  const own = (source: string, target: string) => ({ source, target, readonly: false, optional: true });
  const wished = mounts
    .filter(({ type }) => type !== "tmpfs")
    .map(({ source, destination, readWrite }) => ({ source, target: destination, readonly: !readWrite }));
  const taken = new Set(wished.map(({ target }) => target));
  return [
    ...[own(hosts, "/etc/hosts"), own(hostname, "/etc/hostname"), own(resolvConf, "/etc/resolv.conf")].filter(
      ({ target }) => !taken.has(target),
    ),
    ...wished,
  ].sort((a, b) => depth(a.target) - depth(b.target));
};

/** A process that ends while its root is opened leaves the container's files where they are: they are opened again without it. */
const withRoot = async <T>({ runtime }: Context, { id }: Container, use: (root: string) => Promise<T>): Promise<T> => {
  try {
    return await runtime.withRootfs(id, use);
  } catch (thrown) {
    if (!(thrown instanceof RootEnded)) throw thrown;
    await runtime.wait(id);
    return await runtime.withRootfs(id, use);
  }
};

/** Runs `use` with the container's files as its processes see them. */
export const withView = <T>(
  context: Context,
  container: Container,
  access: RootView["access"],
  use: (view: RootView) => Promise<T>,
): Promise<T> => withRoot(context, container, (root) => use({ root, mounts: mountsOf(context, container), access }));

/** Runs `use` with the container's root file system alone. */
export const withBareView = <T>(
  context: Context,
  container: Container,
  use: (view: RootView) => Promise<T>,
): Promise<T> => withRoot(context, container, (root) => use({ root, mounts: [], access: "ro" }));

/** Opens an archive, and keeps the view until the archive has ended or whoever reads it has left. */
export const openIn = (
  within: (use: (view: RootView) => Promise<void>) => Promise<void>,
  open: (view: RootView) => Promise<OpenArchive>,
): Promise<OpenArchive> =>
  new Promise((resolve, reject) => {
    within(async (view) => {
      const opened = await open(view);
      resolve(opened);
      await opened.ended;
    }).catch(reject);
  });
