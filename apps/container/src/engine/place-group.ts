import { isPlace } from "./owners.ts";

/**
 * The control group that bounds what an owner runs: that of its place, or the instance's, which has no limits. Relative to the root of the
 * groups: `berth/place-7-ci`.
 *
 * @param pod the control group of the place's Pod; undefined where it has none.
 */
export function groupOf(instance: string, owner: string | undefined, pod?: string): string {
  if (!isPlace(owner)) return instance;
  const place = `place-${owner.replace("@", "-")}`;
  return pod === undefined ? `${instance}/${place}` : `${pod}/${instance}-${place}`;
}
