import { EngineError } from "../../engine/errors.ts";

export const BLOCK_BYTES = 512;

const NO_BYTES = Buffer.alloc(0);

const TYPES = {
  "\0": "file",
  "0": "file",
  "1": "link",
  "2": "symlink",
  "3": "character-device",
  "4": "block-device",
  "5": "directory",
  "6": "fifo",
  "7": "contiguous-file",
} as const;

/** Headers that extend the next one: POSIX pax, and GNU tar's long names. */
const EXTENSIONS = { x: "pax", g: "global-pax", K: "long-link", L: "long-name", N: "long-name" } as const;

export type TarType = (typeof TYPES)[keyof typeof TYPES];

/** What a tar says of one entry. Numbers that it does not say well are NaN. */
export interface TarHeader {
  readonly name: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Bytes of content. */
  readonly size: number;
  /** Seconds. */
  readonly mtime: number;
  /** Undefined for a type that POSIX does not know. */
  readonly type: TarType | undefined;
  readonly linkname: string;
  readonly devmajor: number;
  readonly devminor: number;
  /** The records of its pax header. */
  readonly pax: Readonly<Record<string, string>>;
  /** The bytes of those records, whose values may be no text. */
  readonly paxBytes: Buffer;
}

export interface TarExtension {
  readonly extends: (typeof EXTENSIONS)[keyof typeof EXTENSIONS];
  readonly size: number;
}

/** Throws `invalid` for what is no tar. */
export function invalidArchive(what: string): EngineError {
  return new EngineError("invalid", `invalid archive: ${what}`);
}

export function textOf(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end < 0 ? field.length : end);
}

/** Octal digits; or, after a byte of 0x80 or 0xff, a big-endian number (GNU tar's base-256). */
function numberOf(field: Buffer): number {
  const [first = 0] = field;
  if (first === 0x80 || first === 0xff) {
    let value = first === 0xff ? -1 : 0;
    for (const byte of field.subarray(1)) value = value * 256 + byte;
    return value;
  }
  const text = field.toString("latin1").replaceAll("\0", " ").trim();
  if (text === "") return 0;
  return /^[0-7]+/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
}

/** The sum of the block's bytes, with spaces in place of the field that holds it. */
function checksum(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < 148; at++) sum += block[at] ?? 0;
  for (let at = 156; at < BLOCK_BYTES; at++) sum += block[at] ?? 0;
  return sum;
}

/**
 * Decodes the block of a header (POSIX ustar, GNU and older); undefined for one of zeros, as at the end of an archive. Throws `invalid` where
 * the checksum is wrong.
 */
export function decodeHeader(block: Buffer): TarHeader | TarExtension | undefined {
  const sum = checksum(block);
  if (sum === 8 * 0x20) return undefined;
  if (sum !== numberOf(block.subarray(148, 156)))
    throw invalidArchive("Invalid tar header. Maybe the tar is corrupted or it needs to be gunzipped?");
  const letter = String.fromCharCode(block[156] ?? 0);
  const size = numberOf(block.subarray(124, 136));
  if (Object.hasOwn(EXTENSIONS, letter)) return { extends: EXTENSIONS[letter as keyof typeof EXTENSIONS], size };
  const isPosix = block.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? textOf(block.subarray(345, 500)) : "";
  const name = `${prefix === "" ? "" : `${prefix}/`}${textOf(block.subarray(0, 100))}`;
  const type = Object.hasOwn(TYPES, letter) ? TYPES[letter as keyof typeof TYPES] : undefined;
  return {
    name,
    mode: numberOf(block.subarray(100, 108)),
    uid: numberOf(block.subarray(108, 116)),
    gid: numberOf(block.subarray(116, 124)),
    size,
    mtime: numberOf(block.subarray(136, 148)),
    // Before POSIX a slash at the end was what told a folder.
    type: type === "file" && name.endsWith("/") ? "directory" : type,
    linkname: textOf(block.subarray(157, 257)),
    devmajor: numberOf(block.subarray(329, 337)),
    devminor: numberOf(block.subarray(337, 345)),
    pax: {},
    paxBytes: NO_BYTES,
  };
}

/** The records of a pax header, `LENGTH KEY=VALUE` and a newline each, up to a malformed one. */
export function* paxRecords(bytes: Buffer): Generator<readonly [key: string, value: Buffer]> {
  for (let rest = bytes; rest.length > 0; ) {
    const length = Number(/^\d{1,7}(?= )/.exec(rest.toString("latin1", 0, 8))?.[0] ?? 0);
    const equals = rest.indexOf("=");
    if (length === 0 || length > rest.length || equals < 0 || equals >= length) return;
    yield [rest.toString("utf8", rest.indexOf(" ") + 1, equals), rest.subarray(equals + 1, length - 1)];
    rest = rest.subarray(length);
  }
}
