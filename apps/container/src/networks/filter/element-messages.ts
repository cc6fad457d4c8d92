import { parseIp } from "@berth/port-spec";
import type { Element, ElementChange, Family, SetOfElements } from "./element.ts";
import { ND_TARGET } from "./tables.ts";

/** `linux/netfilter/nfnetlink.h`, `linux/netfilter/nf_tables.h` and `linux/netlink.h`; attributes have the same numbers in lists. */
const SUBSYSTEM = 10;
const MESSAGE = { begin: 0x10, end: 0x11, add: (SUBSYSTEM << 8) | 12, delete: (SUBSYSTEM << 8) | 14 } as const;
const FLAG = { request: 1, acknowledge: 4, create: 0x400 } as const;
const FAMILY: Readonly<Record<Family, number>> = { ip: 2, bridge: 7, ip6: 10 };
const LIST = { table: 1, set: 2, elements: 3, element: 1 } as const;
const ELEMENT = { key: 1, data: 2, value: 1 } as const;
const NESTED = 0x8000;
/** The bytes of an attribute's length and type. */
const HEAD = 4;
/** An attribute's length has 16 bits, and the longest element fewer bytes than 128. */
const ELEMENTS_PER_MESSAGE = 500;

const PROTOCOLS: Readonly<Record<string, number>> = { tcp: 6, udp: 17, sctp: 132 };

/** One field of keys or values: its bytes, and how its text is written. */
interface Field {
  readonly size: number;
  write(bytes: Buffer, at: number, text: string): void;
}

const IPV6: Field = { size: 16, write: (bytes, at, text) => writeNumber(bytes, at, parseIp(text) ?? 0n) };
const HARDWARE: Field = { size: 6, write: (bytes, at, text) => bytes.write(text.replaceAll(":", ""), at, "hex") };
/** IFNAMSIZ bytes. */
const INTERFACE: Field = { size: 16, write: (bytes, at, text) => bytes.write(text, at, 15) };

/** By nft's names. */
const FIELDS: Readonly<Record<string, Field>> = {
  inet_proto: { size: 1, write: (bytes, at, text) => bytes.writeUInt8(PROTOCOLS[text] ?? 0, at) },
  inet_service: { size: 2, write: (bytes, at, text) => bytes.writeUInt16BE(Number(text), at) },
  ipv4_addr: {
    size: 4,
    write: (bytes, at, text) => {
      for (const [index, part] of text.split(".").entries()) bytes.writeUInt8(Number(part), at + index);
    },
  },
  ipv6_addr: IPV6,
  ether_addr: HARDWARE,
  "ether saddr": HARDWARE,
  ifname: INTERFACE,
  iifname: INTERFACE,
  mark: { size: 4, write: (bytes, at, text) => bytes.writeUInt32LE(Number(text), at) },
  [ND_TARGET]: { size: 16, write: (bytes, at, text) => writeNumber(bytes, at, BigInt(text)) },
};

function writeNumber(bytes: Buffer, at: number, number: bigint): void {
  bytes.writeBigUInt64BE(number >> 64n, at);
  bytes.writeBigUInt64BE(number & 0xffffffffffffffffn, at + 8);
}

/** A key or a value: its fields, and what it takes of an attribute; each of several takes a multiple of four bytes. */
interface Concatenation {
  readonly fields: readonly Field[];
  readonly size: number;
}

function concatenation(types: string): Concatenation {
  const fields = types.split(" . ").flatMap((type) => FIELDS[type] ?? []);
  const [first] = fields;
  const size =
    first !== undefined && fields.length === 1 ? first.size : fields.reduce((sum, f) => sum + padded(f.size), 0);
  return { fields, size };
}

/**
 * One transaction of nf_tables: all of it or nothing.
 *
 * @param sets those that the elements are of.
 */
export function elementMessages(table: string, sets: readonly SetOfElements[], change: ElementChange): Buffer {
  const changes = (["delete", "add"] as const).flatMap((verb) =>
    sets.flatMap((definition) => {
      const { family, set } = definition;
      const elements = change[verb].filter((element) => element.family === family && element.set === set);
      return chunks(elements).map((some) => ({
        type: MESSAGE[verb],
        flags: verb === "add" ? FLAG.request | FLAG.create : FLAG.request,
        family: FAMILY[family],
        attributes: [
          attribute(LIST.table, Buffer.from(`${table}\0`)),
          attribute(LIST.set, Buffer.from(`${set}\0`)),
          attribute(LIST.elements | NESTED, elementList(definition, verb, some)),
        ],
      }));
    }),
  );
  const edge = { flags: FLAG.request, family: 0, resource: SUBSYSTEM, attributes: [] };
  const acknowledged = changes.map((one, at) =>
    at === changes.length - 1 ? { ...one, flags: one.flags | FLAG.acknowledge } : one,
  );
  return Buffer.concat(
    [{ type: MESSAGE.begin, ...edge }, ...acknowledged, { type: MESSAGE.end, ...edge }].map(message),
  );
}

/** The attributes of elements, written in place: a container may publish thousands of ports. */
function elementList({ of, isMap }: SetOfElements, verb: "add" | "delete", elements: readonly Element[]): Buffer {
  const [keyTypes = "", valueTypes = ""] = of.replace(/^type(of)? /, "").split(" : ");
  const parts = [
    { type: ELEMENT.key, shape: concatenation(keyTypes), textOf: ({ key }: Element) => key },
    ...(isMap && verb === "add"
      ? [{ type: ELEMENT.data, shape: concatenation(valueTypes), textOf: ({ value = "" }: Element) => value }]
      : []),
  ];
  const size = parts.reduce((sum, { shape }) => sum + 2 * HEAD + padded(shape.size), HEAD);
  const bytes = Buffer.alloc(size * elements.length);
  for (const [index, element] of elements.entries()) {
    let at = index * size;
    at = writeHead(bytes, at, LIST.element | NESTED, size - HEAD);
    for (const { type, shape, textOf } of parts) {
      at = writeHead(bytes, at, type | NESTED, HEAD + padded(shape.size));
      at = writeHead(bytes, at, ELEMENT.value, shape.size);
      const texts = textOf(element).split(" . ");
      for (const [place, field] of shape.fields.entries()) {
        field.write(bytes, at, texts[place] ?? "");
        at += padded(field.size);
      }
    }
  }
  return bytes;
}

interface Message {
  readonly type: number;
  readonly flags: number;
  readonly family: number;
  readonly resource?: number;
  readonly attributes: readonly Buffer[];
}

/** `struct nlmsghdr` and `struct nfgenmsg`, then attributes. */
function message({ type, flags, family, resource = 0, attributes }: Message, sequence: number): Buffer {
  const head = Buffer.alloc(20);
  head.writeUInt32LE(
    attributes.reduce((sum, { length }) => sum + length, head.length),
    0,
  );
  head.writeUInt16LE(type, 4);
  head.writeUInt16LE(flags, 6);
  head.writeUInt32LE(sequence, 8);
  head.writeUInt8(family, 16);
  head.writeUInt16BE(resource, 18);
  return Buffer.concat([head, ...attributes]);
}

/** `struct nlattr`. Returns where the content begins. */
function writeHead(bytes: Buffer, at: number, type: number, length: number): number {
  bytes.writeUInt16LE(HEAD + length, at);
  bytes.writeUInt16LE(type, at + 2);
  return at + HEAD;
}

/** The length of an attribute leaves out the bytes that round it up. */
function attribute(type: number, content: Buffer): Buffer {
  const bytes = Buffer.alloc(HEAD + padded(content.length));
  content.copy(bytes, writeHead(bytes, 0, type, content.length));
  return bytes;
}

function padded(size: number): number {
  return (size + 3) & ~3;
}

function chunks(elements: readonly Element[]): readonly (readonly Element[])[] {
  return Array.from({ length: Math.ceil(elements.length / ELEMENTS_PER_MESSAGE) }, (_, at) =>
    elements.slice(at * ELEMENTS_PER_MESSAGE, (at + 1) * ELEMENTS_PER_MESSAGE),
  );
}
