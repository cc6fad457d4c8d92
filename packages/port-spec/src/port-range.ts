/** Ports from `start` to `end`, both included; a single port has `start === end`. Always `0 <= start <= end <= 65535`. */
export interface PortRange {
  readonly start: number;
  readonly end: number;
}

const DASH = 45;

/** The largest port number. */
export const MAX_PORT = 65_535;

/**
 * Reads `80` or `8000-8010`: decimal digits only, leading zeros allowed, 0 to 65535, rising.
 *
 * @param text the text, of which the part from `from` to before `to` is read; the whole where they are left out.
 * @returns the range, or `undefined` where the text is none. Spaces, signs and a second `-` are refused.
 */
export function parsePortRange(text: string, from = 0, to = text.length): PortRange | undefined {
  let dash = from;
  while (dash < to && text.charCodeAt(dash) !== DASH) dash++;
  const start = parsePort(text, from, dash);
  const end = dash === to ? start : parsePort(text, dash + 1, to);
  return start < 0 || end < start ? undefined : { start, end };
}

/** Writes `80` or `8000-8010`; the inverse of {@link parsePortRange}. */
export function formatPortRange(range: PortRange): string {
  return range.start === range.end ? `${range.start}` : `${range.start}-${range.end}`;
}

/** How many ports the range holds. */
export function portRangeSize(range: PortRange): number {
  return range.end - range.start + 1;
}

/** Reads the digits of `text` in [from, to); -1 where they are no port number. */
function parsePort(text: string, from: number, to: number): number {
  if (from >= to) return -1;
  let port = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return -1;
    port = port * 10 + digit;
    if (port > MAX_PORT) return -1;
  }
  return port;
}
