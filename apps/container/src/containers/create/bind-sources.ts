import type { Actor } from "../../engine/actor.ts";
import { bindSourceMoved } from "../../policy/mounts.ts";
import type { Context } from "../context.ts";
import type { MountPoint } from "../records/container.ts";

/**
 * Resolves the links in the sources of a user's binds: the result is what is decided on, and what a start mounts. An administrator's
 * binds stay as they are, since nothing is decided about them.
 */
export function resolveBinds({ files }: Pick<Context, "files">, actor: Actor, mounts: readonly MountPoint[]) {
  return Promise.all(
    mounts.map(async (mount): Promise<MountPoint> => {
      const decided = mount.type === "bind" && (actor.kind === "user" || mount.real !== undefined);
      return decided ? { ...mount, real: await files.realPath(mount.source) } : mount;
    }),
  );
}

/** Throws `forbidden` where a source that was allowed has become a link since: its owner can make one from inside a container. */
export async function assertBindsUnmoved(
  { files }: Pick<Context, "files">,
  mounts: readonly MountPoint[],
): Promise<void> {
  for (const { real } of mounts) {
    if (real !== undefined && (await files.realPath(real)) !== real) throw bindSourceMoved(real);
  }
}
