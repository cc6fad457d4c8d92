import { join } from "node:path";
import { limitGroup, makeLeaf, removeGroup } from "../../host/control-groups.ts";
import type { BuildLimits } from "../builder.ts";

export interface BuildCgroup {
  /** The files by which the builder joins. */
  readonly joins: readonly string[];
  /** The group of the steps, as the runtime names it. */
  readonly parent: string;
}

/** The group of a build. @param above the group that bounds it: the instance's, or that of a place. */
function nameOf(above: string, id: string): string {
  return join(above, `build-${id.slice(0, 12)}`);
}

/** What the builder takes beside its steps, which have a limit of their own. */
const BUILDER_BYTES = 256 << 20;

/** Makes the control group of a build, for the builder and its steps together. */
export async function createCgroup(above: string, id: string, wish: BuildLimits): Promise<BuildCgroup> {
  const name = nameOf(above, id);
  await limitGroup(name, { ...wish, memory: wish.memory === undefined ? undefined : wish.memory + BUILDER_BYTES });
  return { joins: await makeLeaf(name, "builder"), parent: `/${name}/steps` };
}

/** Ends everything in the build's control group and removes it. Idempotent. Throws if the kernel does not let go of it. */
export async function removeCgroup(above: string, id: string): Promise<void> {
  await removeGroup(nameOf(above, id));
}
