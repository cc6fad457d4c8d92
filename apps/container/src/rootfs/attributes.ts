import { paxRecords } from "../images/archive/tar-header.ts";

const ATTRIBUTE_PREFIX = "SCHILY.xattr.";

/**
 * What is kept of extended attributes: capabilities, and what programs set for themselves. Others are the file system's own, above
 * all overlayfs's, with which a file could lead elsewhere.
 */
function isKept(name: string): boolean {
  return name === "security.capability" || (name.startsWith("user.") && !name.startsWith("user.overlay."));
}

/** The extended attributes in a pax header's records, whose values are no text. */
export function attributesOf(records: Buffer): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const [key, value] of paxRecords(records)) {
    const name = key.startsWith(ATTRIBUTE_PREFIX) ? key.slice(ATTRIBUTE_PREFIX.length) : "";
    if (isKept(name) && !name.includes("\0")) found.set(name, value);
  }
  return found;
}
