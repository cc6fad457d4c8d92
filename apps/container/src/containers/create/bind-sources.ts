import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import type { Context } from "../context.ts";
import type { MountPoint } from "../records/container.ts";

/**
 * Where a user's binds lead now, links resolved: what is decided on, and what a start mounts. An administrator's stay as they
 * are, for nothing is decided there.
 */
export function resolveBinds({ files }: Pick<Context, "files">, actor: Actor, mounts: readonly MountPoint[]) {
  return Promise.all(
    mounts.map(async (mount): Promise<MountPoint> => {
      const decided = mount.type === "bind" && (actor.kind === "user" || mount.real !== undefined);
      return decided ? { ...mount, real: await files.realPath(mount.source) } : mount;
    }),
  );
}

/**
 * Throws `forbidden` where a folder that was allowed has become a link since: its owner can lay one from inside a container, and
 * a restart policy, which asks nobody, would follow it.
 */
export async function insistOnBinds({ files }: Pick<Context, "files">, mounts: readonly MountPoint[]): Promise<void> {
  for (const { real } of mounts) {
    if (real !== undefined && (await files.realPath(real)) !== real)
      throw new EngineError(
        "forbidden",
        `denied by policy: ${real} leads elsewhere than when it was allowed: start the container to have it decided anew`,
      );
  }
}
