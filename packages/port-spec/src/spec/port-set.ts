import type { PortError } from "./port-error.ts";
import { formatPortRange, MAX_PORT, type PortRange, parsePortRange } from "./port-range.ts";
import { err, ok, type Result } from "./result.ts";
import { lowerBound } from "./sorted.ts";

/** A set of host ports: ascending ranges that neither overlap nor touch, so equal sets have equal ranges. */
export interface PortSet {
  readonly ranges: readonly PortRange[];
}

/** The empty set. */
export const NO_PORTS: PortSet = { ranges: [] };

/** Every host port: 1-65535. */
export const ALL_PORTS: PortSet = { ranges: [{ start: 1, end: MAX_PORT }] };

/** The set of the ports of all ranges, which may overlap and come in any order. */
export function portSet(...ranges: readonly PortRange[]): PortSet {
  return { ranges: merged([...ranges].sort((a, b) => a.start - b.start)) };
}

/**
 * Parses `80,443,8000-8100`: ports from 1 to 65535 and ranges, in any order, with spaces allowed around commas. Empty text is
 * the empty set.
 *
 * @example
 * ```ts
 * const set = parsePortSet("443, 80, 8000-8099,8100");
 * set.ok && formatPortSet(set.value); // => "80,443,8000-8100"
 * ```
 *
 * @returns the set, or an error with the position of the first part that is not a port or range.
 */
export function parsePortSet(text: string): Result<PortSet, PortError> {
  if (text.trim() === "") return ok(NO_PORTS);
  const ranges: PortRange[] = [];
  let at = 0;
  for (const part of text.split(",")) {
    const range = parsePortRange(part.trim());
    if (range === undefined || range.start === 0) {
      return err({
        code: "bad-host-port",
        input: text,
        position: at + part.length - part.trimStart().length,
        path: "",
        expected: `ports from 1 to ${MAX_PORT} and ascending ranges, such as 80,443,8000-8100`,
        message: `invalid port range: ${part.trim()}`,
      });
    }
    ranges.push(range);
    at += part.length + 1;
  }
  return ok(portSet(...ranges));
}

/** Formats `80,443,8000-8100`; the inverse of {@link parsePortSet}. */
export function formatPortSet(set: PortSet): string {
  return set.ranges.map(formatPortRange).join(",");
}

/** Whether the set is empty. */
export function portSetIsEmpty(set: PortSet): boolean {
  return set.ranges.length === 0;
}

/** The number of ports in the set. */
export function portSetSize(set: PortSet): number {
  return set.ranges.reduce((size, range) => size + range.end - range.start + 1, 0);
}

/** Whether the set contains the port. Logarithmic in the number of ranges. */
export function portSetContains(set: PortSet, port: number): boolean {
  return rangeAt(set, port) !== undefined;
}

/** Whether `outer` contains every port of `inner`. */
export function portSetIncludes(outer: PortSet, inner: PortSet): boolean {
  return portSetIsEmpty(portSetSubtract(inner, outer));
}

/** The ports of either set. */
export function portSetUnion(a: PortSet, b: PortSet): PortSet {
  if (a.ranges.length === 0) return b;
  if (b.ranges.length === 0) return a;
  const ordered: PortRange[] = [];
  let right = 0;
  for (const range of a.ranges) {
    for (let other = b.ranges[right]; other !== undefined && other.start < range.start; other = b.ranges[right]) {
      ordered.push(other);
      right++;
    }
    ordered.push(range);
  }
  for (let other = b.ranges[right]; other !== undefined; other = b.ranges[right]) {
    ordered.push(other);
    right++;
  }
  return { ranges: merged(ordered) };
}

/** The ports of both sets. */
export function portSetIntersect(a: PortSet, b: PortSet): PortSet {
  const ranges: PortRange[] = [];
  let left = 0;
  let right = 0;
  for (;;) {
    const one = a.ranges[left];
    const other = b.ranges[right];
    if (one === undefined || other === undefined) return { ranges };
    const start = Math.max(one.start, other.start);
    const end = Math.min(one.end, other.end);
    if (start <= end) ranges.push({ start, end });
    if (one.end < other.end) left++;
    else right++;
  }
}

/** The ports of `a` that are not in `b`. */
export function portSetSubtract(a: PortSet, b: PortSet): PortSet {
  const ranges: PortRange[] = [];
  let right = 0;
  for (const range of a.ranges) {
    let start = range.start;
    for (let hole = b.ranges[right]; hole !== undefined && hole.start <= range.end; hole = b.ranges[right]) {
      if (hole.start > start) ranges.push({ start, end: hole.start - 1 });
      start = Math.max(start, hole.end + 1);
      if (hole.end > range.end) break;
      right++;
    }
    if (start <= range.end) ranges.push({ start, end: range.end });
  }
  return { ranges };
}

/** The smallest number from `port` on that is not in the set; may be 65536. */
export function firstOutside(set: PortSet, port: number): number {
  const range = rangeAt(set, port);
  return range === undefined ? port : range.end + 1;
}

function rangeAt(set: PortSet, port: number): PortRange | undefined {
  const range = set.ranges[lowerBound(set.ranges, ({ end }) => end < port)];
  return range !== undefined && range.start <= port ? range : undefined;
}

/** Joins ranges that overlap or touch; they must come in ascending order of start. */
function merged(ordered: readonly PortRange[]): readonly PortRange[] {
  const ranges: PortRange[] = [];
  let last: PortRange | undefined;
  for (const range of ordered) {
    if (last !== undefined && range.start <= last.end + 1) {
      if (range.end > last.end) {
        last = { start: last.start, end: range.end };
        ranges[ranges.length - 1] = last;
      }
    } else {
      ranges.push(range);
      last = range;
    }
  }
  return ranges;
}
