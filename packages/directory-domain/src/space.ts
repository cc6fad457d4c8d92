import { listenedAddresses, parseAddressBlock } from "./address.ts";
import type { HostFolder, Privilege } from "./constraint.ts";
import { isWithin, normalisePath } from "./host-path.ts";
import { imagePatternsOverlap, matchesImage, matchesPattern, patternsOverlap } from "./image-pattern.ts";
import { contains, intervals, overlaps } from "./intervals.ts";
import type { ImageWish, MountWish } from "./request.ts";

/** What a kind has to know of its values and of the items that requests ask for. */
export interface Space<Value, Item> {
  /** Items of which one has to be permitted: an image has several names. */
  readonly choices: (item: Item) => readonly Item[];
  /** Whether an item lies wholly inside the values: for baseline, grants and limits. */
  readonly covers: (values: readonly Value[], item: Item) => boolean;
  /** Whether an item touches one of the values: for denies, where touching is enough. */
  readonly touches: (values: readonly Value[], item: Item) => boolean;
  /** Whether a value lies wholly inside others. */
  readonly within: (outer: readonly Value[], inner: Value) => boolean;
  /** Whether denies take all of a value away. */
  readonly removes: (denies: readonly Value[], value: Value) => boolean;
  /** Whether two values have anything in common. */
  readonly meets: (one: Value, other: Value) => boolean;
  readonly showItem: (item: Item) => string;
  readonly showValue: (value: Value) => string;
}

function blocks(values: readonly string[]) {
  return intervals(values.flatMap((value) => parseAddressBlock(value) ?? []));
}

function containsBlock(outer: readonly string[], inner: string): boolean {
  return contains(blocks(outer), blocks([inner]));
}

/** Items are host addresses as a binding writes them; one that is no address is covered by nothing. */
export const HOST_INTERFACES: Space<string, string> = {
  choices: (hostIp) => [hostIp],
  covers(values, hostIp) {
    const wanted = listenedAddresses(hostIp);
    return wanted !== undefined && contains(blocks(values), [wanted]);
  },
  touches(values, hostIp) {
    const wanted = listenedAddresses(hostIp);
    return wanted === undefined ? values.length > 0 : overlaps(blocks(values), [wanted]);
  },
  within: containsBlock,
  removes: containsBlock,
  meets: (one, other) => overlaps(blocks([one]), blocks([other])),
  showItem: (hostIp) => (hostIp === "" ? "every interface" : hostIp),
  showValue: (value) => value,
};

/** Items are CIDR blocks; one that is none is covered by nothing. */
export const SUBNETS: Space<string, string> = {
  choices: (subnet) => [subnet],
  covers: (values, subnet) => parseAddressBlock(subnet) !== undefined && containsBlock(values, subnet),
  touches: (values, subnet) =>
    parseAddressBlock(subnet) === undefined ? values.length > 0 : overlaps(blocks(values), blocks([subnet])),
  within: containsBlock,
  removes: containsBlock,
  meets: (one, other) => overlaps(blocks([one]), blocks([other])),
  showItem: (subnet) => subnet,
  showValue: (value) => value,
};

function networkWithin(outer: readonly string[], inner: string): boolean {
  return outer.some((pattern) => matchesPattern(pattern, inner));
}

/** Values are names in which `*` stands for any run of characters. */
export const NETWORKS: Space<string, string> = {
  choices: (network) => [network],
  covers: networkWithin,
  touches: networkWithin,
  within: networkWithin,
  removes: networkWithin,
  meets: patternsOverlap,
  showItem: (network) => network,
  showValue: (value) => value,
};

function matchesAny(patterns: readonly string[], names: readonly string[]): boolean {
  return patterns.some((pattern) => names.some((name) => matchesImage(pattern, name)));
}

/** A pattern that matches another's text matches all that the other does: only a star can match a star. */
function patternWithin(outer: readonly string[], inner: string): boolean {
  return outer.some((pattern) => matchesImage(pattern, inner));
}

export const IMAGES: Space<string, ImageWish> = {
  choices: (image) => image.references.map((reference) => ({ ...image, references: [reference] })),
  covers: (patterns, image) => matchesAny(patterns, image.references),
  touches: (patterns, image) => matchesAny(patterns, [...image.references, ...(image.aliases ?? [])]),
  within: patternWithin,
  removes: patternWithin,
  meets: imagePatternsOverlap,
  showItem: (image) => image.name ?? image.references[0] ?? image.aliases?.[0] ?? "an image without a name",
  showValue: (pattern) => pattern,
};

function showFolder({ path, readOnly }: HostFolder): string {
  return `${path}${readOnly ? " (read-only)" : ""}`;
}

function folderCovers(values: readonly HostFolder[], mount: HostFolder): boolean {
  const path = normalisePath(mount.path);
  return (
    path !== undefined && values.some((value) => isWithin(path, value.path) && (mount.readOnly || !value.readOnly))
  );
}

/** A mount above a denied folder shows that folder too, so a deny looks both up and down. */
function folderTouches(values: readonly HostFolder[], mount: HostFolder): boolean {
  const path = normalisePath(mount.path);
  if (path === undefined) return values.length > 0;
  return values.some((value) => isWithin(path, value.path) || isWithin(value.path, path));
}

export const MOUNTS: Space<HostFolder, MountWish> = {
  choices: (mount) => [mount],
  covers: folderCovers,
  touches: folderTouches,
  within: folderCovers,
  removes: (denies, { path }) => denies.some((deny) => isWithin(path, deny.path)),
  meets: (one, other) => folderTouches([one], other),
  showItem: ({ name, path, readOnly }) => showFolder({ path: name ?? path, readOnly }),
  showValue: showFolder,
};

const EVERY_CAPABILITY = "capability:ALL";

function isCapability(privilege: Privilege): boolean {
  return privilege.startsWith("capability:");
}

function privilegeCovers(values: readonly Privilege[], wanted: Privilege): boolean {
  return values.includes(wanted) || (isCapability(wanted) && values.includes(EVERY_CAPABILITY));
}

function privilegeTouches(values: readonly Privilege[], wanted: Privilege): boolean {
  return privilegeCovers(values, wanted) || (wanted === EVERY_CAPABILITY && values.some(isCapability));
}

export const PRIVILEGES: Space<Privilege, Privilege> = {
  choices: (privilege) => [privilege],
  covers: privilegeCovers,
  touches: privilegeTouches,
  within: privilegeCovers,
  removes: privilegeCovers,
  meets: (one, other) => privilegeTouches([one], other),
  showItem: (privilege) => privilege,
  showValue: (privilege) => privilege,
};
