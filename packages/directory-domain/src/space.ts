import { listenedAddresses, parseAddressBlock } from "./address.ts";
import type { HostFolder, Privilege } from "./constraint.ts";
import { isWithin, normalisePath } from "./host-path.ts";
import { matchesPattern } from "./image-pattern.ts";
import { contains, intervals, overlaps } from "./intervals.ts";
import type { ImageWish } from "./request.ts";

/**
 * What a kind whose requests are single items has to know: whether an item lies wholly inside a list of values (for
 * baseline, grants and limits), and whether it touches one (for denies, where touching is enough).
 */
export interface Space<Value, Item> {
  covers(values: readonly Value[], item: Item): boolean;
  touches(values: readonly Value[], item: Item): boolean;
  showItem(item: Item): string;
  showValue(value: Value): string;
}

const blocks = (values: readonly string[]) => intervals(values.flatMap((value) => parseAddressBlock(value) ?? []));

/** Items are host addresses as a binding writes them; one that is no address is covered by nothing. */
export const hostInterfaces: Space<string, string> = {
  covers(values, hostIp) {
    const wanted = listenedAddresses(hostIp);
    return wanted !== undefined && contains(blocks(values), [wanted]);
  },
  touches(values, hostIp) {
    const wanted = listenedAddresses(hostIp);
    return wanted === undefined ? values.length > 0 : overlaps(blocks(values), [wanted]);
  },
  showItem: (hostIp) => (hostIp === "" ? "0.0.0.0" : hostIp),
  showValue: (value) => value,
};

/** Whether the addresses of `inner` lie wholly in those of `outer`. */
export function containsBlock(outer: readonly string[], inner: string): boolean {
  return contains(blocks(outer), blocks([inner]));
}

const matchesAny = (patterns: readonly string[], names: readonly string[]) =>
  patterns.some((pattern) => names.some((name) => matchesPattern(pattern, name)));

export const images: Space<string, ImageWish> = {
  covers: (patterns, image) => matchesAny(patterns, image.references),
  touches: (patterns, image) => matchesAny(patterns, [...image.references, ...(image.aliases ?? [])]),
  showItem: (image) => image.references[0] ?? image.aliases?.[0] ?? "an image without a name",
  showValue: (pattern) => pattern,
};

/** A mount above a denied folder shows that folder too, so a deny looks both up and down. */
export const mounts: Space<HostFolder, HostFolder> = {
  covers(values, mount) {
    const path = normalisePath(mount.path);
    return (
      path !== undefined && values.some((value) => isWithin(path, value.path) && (mount.readOnly || !value.readOnly))
    );
  },
  touches(values, mount) {
    const path = normalisePath(mount.path);
    if (path === undefined) return values.length > 0;
    return values.some((value) => isWithin(path, value.path) || isWithin(value.path, path));
  },
  showItem: (mount) => `${mount.path}${mount.readOnly ? " (read-only)" : ""}`,
  showValue: (value) => `${value.path}${value.readOnly ? " (read-only)" : ""}`,
};

const EVERY_CAPABILITY = "capability:ALL";
const isCapability = (privilege: Privilege) => privilege.startsWith("capability:");

export const privileges: Space<Privilege, Privilege> = {
  covers: (values, wanted) => values.includes(wanted) || (isCapability(wanted) && values.includes(EVERY_CAPABILITY)),
  touches: (values, wanted) =>
    values.includes(wanted) ||
    (isCapability(wanted) && values.includes(EVERY_CAPABILITY)) ||
    (wanted === EVERY_CAPABILITY && values.some(isCapability)),
  showItem: (privilege) => privilege,
  showValue: (privilege) => privilege,
};
