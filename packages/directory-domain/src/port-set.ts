import { type HostPortRange, PROTOCOLS, type Protocol } from "./constraint.ts";
import { type Intervals, intervals } from "./intervals.ts";

/*
 * Ports of all protocols in one line of numbers: protocol × 2^16 + port. Port 65535 of one protocol is followed by port 0
 * of the next, which is never a member, so neighbours never merge over the seam.
 */
const SPAN = 0x1_0000n;

export function portSet(ranges: readonly HostPortRange[]): Intervals {
  return intervals(
    ranges.flatMap((range) =>
      (range.protocol === undefined ? PROTOCOLS : [range.protocol]).map((protocol) => {
        const offset = BigInt(PROTOCOLS.indexOf(protocol)) * SPAN;
        return { start: offset + BigInt(range.start), end: offset + BigInt(range.end) };
      }),
    ),
  );
}

export function portRanges(set: Intervals): readonly (HostPortRange & { readonly protocol: Protocol })[] {
  return set.flatMap((one) => {
    const protocol = PROTOCOLS[Number(one.start / SPAN)];
    return protocol === undefined ? [] : [{ start: Number(one.start % SPAN), end: Number(one.end % SPAN), protocol }];
  });
}

/** `8000-8099/tcp`, or `80/tcp` for one port; without protocol when it holds for all. */
export function formatPorts(range: HostPortRange): string {
  const ports = range.start === range.end ? `${range.start}` : `${range.start}-${range.end}`;
  return range.protocol === undefined ? ports : `${ports}/${range.protocol}`;
}
