import { type PortAssignment, PROTOCOLS } from "@berth/port-spec";

/** Room for every IPv6 address behind each (family, protocol, port). */
const ADDRESSES = 1n << 128n;

/**
 * A lease as a range of one line of numbers, the text of a Postgres numrange: ((family, protocol, port), address).
 * A wildcard is all the addresses behind its port, so ranges overlap exactly where the kernel would refuse the second bind.
 */
export function spanOf({ hostIp, hostPort, protocol }: PortAssignment): string {
  const family = hostIp.includes(":") ? 1 : 0;
  const place = BigInt((family * PROTOCOLS.length + PROTOCOLS.indexOf(protocol)) * 65_536 + hostPort) * ADDRESSES;
  if (hostIp === "0.0.0.0" || hostIp === "::") return `[${place},${place + ADDRESSES})`;
  const address = place + addressNumber(hostIp);
  return `[${address},${address}]`;
}

function addressNumber(address: string): bigint {
  if (!address.includes(":")) return digits(address.split("."), 256n, 10);
  const [head = "", tail] = address.split("::");
  const groups = (part: string | undefined) => (part === undefined || part === "" ? [] : part.split(":"));
  const before = groups(head);
  const after = groups(tail);
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  return digits([...before, ...zeros, ...after], 65_536n, 16);
}

function digits(parts: readonly string[], base: bigint, radix: number): bigint {
  return parts.reduce((number, part) => number * base + BigInt(Number.parseInt(part, radix)), 0n);
}
