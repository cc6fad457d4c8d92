import type { Extract } from "tar-stream";

const ATTRIBUTE_PREFIX = "SCHILY.xattr.";

/**
 * What is kept of extended attributes: capabilities, and what programs set for themselves. Others are the file system's own, above
 * all overlayfs's, with which a file could lead elsewhere.
 */
function isKept(name: string): boolean {
  return name === "security.capability" || (name.startsWith("user.") && !name.startsWith("user.overlay."));
}

/** The extended attributes in a pax header's records (`LENGTH KEY=VALUE\n`), whose values are no text. */
export function attributesOf(records: Buffer): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let rest = records; rest.length > 0; ) {
    const length = Number(/^\d{1,7}(?= )/.exec(rest.subarray(0, 8).toString("latin1"))?.[0] ?? 0);
    const equals = rest.indexOf("=");
    if (length === 0 || length > rest.length || equals < 0 || equals >= length) break;
    const key = rest.subarray(rest.indexOf(" ") + 1, equals).toString();
    const name = key.startsWith(ATTRIBUTE_PREFIX) ? key.slice(ATTRIBUTE_PREFIX.length) : "";
    if (isKept(name) && !name.includes("\0")) found.set(name, rest.subarray(equals + 1, length - 1));
    rest = rest.subarray(length);
  }
  return found;
}

/** `tar-stream` reads the values of pax headers as text, which breaks those of attributes: they are read beside it, by header. */
export function readingAttributes(
  tar: Extract,
): (header: { readonly pax: object | null }) => ReadonlyMap<string, Buffer> {
  const read = new WeakMap<object, ReadonlyMap<string, Buffer>>();
  const inner = tar as Extract & { _pax: object | null; _decodeLongHeader(records: Buffer): void };
  const decode = inner._decodeLongHeader.bind(tar);
  inner._decodeLongHeader = (records) => {
    const before = inner._pax;
    decode(records);
    if (inner._pax !== null && inner._pax !== before) read.set(inner._pax, attributesOf(records));
  };
  return ({ pax }) => (pax === null ? undefined : read.get(pax)) ?? new Map();
}
