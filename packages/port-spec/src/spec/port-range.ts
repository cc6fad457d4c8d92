/** The ports from `start` to `end`, inclusive; a single port has `start === end`. Always `0 <= start <= end <= 65535`. */
export interface PortRange {
  readonly start: number;
  readonly end: number;
}

const DASH = 45;

/** The largest port number. */
export const MAX_PORT = 65_535;

/**
 * Parses `80` or `8000-8010`: decimal digits, leading zeros allowed, 0 to 65535, not descending.
 *
 * @param text the text, of which the part from index `from` up to but excluding `to` is parsed. Default: all of it.
 * @returns the range, or `undefined` if the text is not a range. Spaces, signs and a second `-` are not allowed.
 */
export function parsePortRange(text: string, from = 0, to = text.length): PortRange | undefined {
  let dash = from;
  while (dash < to && text.charCodeAt(dash) !== DASH) dash++;
  const start = parsePort(text, from, dash);
  const end = dash === to ? start : parsePort(text, dash + 1, to);
  return start < 0 || end < start ? undefined : { start, end };
}

/** Formats `80` or `8000-8010`; the inverse of {@link parsePortRange}. */
export function formatPortRange(range: PortRange): string {
  return range.start === range.end ? `${range.start}` : `${range.start}-${range.end}`;
}

/** The number of ports in the range. */
export function portRangeSize(range: PortRange): number {
  return range.end - range.start + 1;
}

/** Parses the digits of `text` in [from, to); -1 if they are not a port number. */
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
