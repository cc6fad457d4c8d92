import fc from "fast-check";
import { canonicalIp } from "./ip-address.ts";
import type { PortRange } from "./port-range.ts";
import type { PortSpec } from "./port-spec.ts";
import type { Protocol } from "./protocol.ts";

/** How often to try a property: a tenth under mutation, where every mutant tries it again. */
export function runs(full: number): number {
  return process.env.MUTATION === undefined ? full : Math.ceil(full / 10);
}

/** An ascending range of ports from `min` to `max`. */
export function portRange(min: number, max: number): fc.Arbitrary<PortRange> {
  const port = fc.integer({ min, max });
  return fc.tuple(port, port).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
}

/** A protocol. */
export const protocol: fc.Arbitrary<Protocol> = fc.constantFrom("tcp", "udp", "sctp");

/** A canonical host address, or the empty one. */
export const hostIp = fc.oneof(
  fc.constant(""),
  fc.ipV4(),
  fc.ipV6().map((ip) => canonicalIp(ip) ?? "::1"),
);

/** A port spec that the grammar can say, with at most `longest` container ports, the first not past `lastStart`. */
export function portSpec(longest: number, lastStart = 65_535 - longest): fc.Arbitrary<PortSpec> {
  const start = fc.integer({ min: 1, max: lastStart });
  const ranges = fc.oneof(
    start.map((at) => ({ container: { start: at, end: at } })),
    fc.tuple(start, portRange(1, 65_535)).map(([at, host]) => ({ container: { start: at, end: at }, host })),
    start.map((at) => ({ container: { start: at, end: at }, host: { start: 0, end: 0 } })),
    fc.tuple(start, start, fc.integer({ min: 1, max: longest - 1 })).map(([at, host, more]) => ({
      container: { start: at, end: at + more },
      host: { start: host, end: host + more },
    })),
    fc.tuple(start, fc.integer({ min: 1, max: longest - 1 })).map(([at, more]) => ({
      container: { start: at, end: at + more },
    })),
  );
  return fc.tuple(hostIp, ranges, protocol).map(([ip, { container, ...host }, proto]) => ({
    hostIp: ip,
    host: undefined,
    ...host,
    container,
    protocol: proto,
  }));
}
