import { isPlace } from "./owners.ts";

/**
 * The control group that bounds what an owner runs: that of its place, or the instance's, which has no limits. Relative to the root of the
 * groups: `berth/place-7-ci`.
 */
export function groupOf(instance: string, owner: string | undefined): string {
  return isPlace(owner) ? `${instance}/place-${owner.replace("@", "-")}` : instance;
}
