import type { Actor } from "../../engine/actor.ts";
import { bindSourceMoved } from "../../policy/mounts.ts";
import type { Context } from "../context.ts";
import type { MountPoint } from "../records/container.ts";

/**
 * Resolves links in a user's bind sources; the result is what gets authorized and mounted. An administrator's binds stay as they are,
 * since no policy applies to them.
 */
export function resolveBinds({ files }: Pick<Context, "files">, actor: Actor, mounts: readonly MountPoint[]) {
  return Promise.all(
    mounts.map(async (mount): Promise<MountPoint> => {
      const decided = mount.type === "bind" && (actor.kind === "user" || mount.real !== undefined);
      return decided ? { ...mount, real: await files.realPath(mount.source) } : mount;
    }),
  );
}

/** Throws `forbidden` if an allowed source is now a link: its owner can create one from inside a container. */
export async function assertBindsUnmoved(
  { files }: Pick<Context, "files">,
  mounts: readonly MountPoint[],
): Promise<void> {
  for (const { real } of mounts) {
    if (real !== undefined && (await files.realPath(real)) !== real) throw bindSourceMoved(real);
  }
}
