import { type PortAssignment, PROTOCOLS } from "@berth/port-spec";

/** Room for every IPv6 address behind each (family, protocol, port). */
const ADDRESSES = 1n << 128n;

/** A range of the line of numbers that leases are on: from `begin` to before `end`. */
interface Span {
  readonly begin: bigint;
  readonly end: bigint;
}

/**
 * A lease as a range of one line of numbers: ((family, protocol, port), address). A wildcard is all the addresses behind its port, so
 * ranges overlap exactly where the kernel would refuse the second bind.
 */
function spanOf({ hostIp, hostPort, protocol }: PortAssignment): Span {
  const family = hostIp.includes(":") ? 1 : 0;
  const place = BigInt((family * PROTOCOLS.length + PROTOCOLS.indexOf(protocol)) * 65_536 + hostPort) * ADDRESSES;
  if (hostIp === "0.0.0.0" || hostIp === "::") return { begin: place, end: place + ADDRESSES };
  const address = place + addressNumber(hostIp);
  return { begin: address, end: address + 1n };
}

/**
 * The texts of Postgres numranges that leases of one container take together, each with the first lease that it is of: those that follow
 * each other without a gap, such as a range of ports, are one. A lease that overlaps another one keeps a range of its own.
 */
export function spansOf<Lease extends PortAssignment>(leases: readonly Lease[]): ReadonlyMap<Lease, string> {
  const placed = leases.map((lease) => ({ lease, ...spanOf(lease) })).sort((a, b) => (a.begin < b.begin ? -1 : 1));
  const runs: { readonly lease: Lease; readonly begin: bigint; end: bigint }[] = [];
  for (const { lease, begin, end } of placed) {
    const last = runs.at(-1);
    if (last?.end === begin) last.end = end;
    else runs.push({ lease, begin, end });
  }
  return new Map(runs.map(({ lease, begin, end }) => [lease, `[${begin},${end})`]));
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
