/** A run of whole numbers, both ends inside. Addresses are held this way: 128 bits are past what a number holds exactly. */
export interface Interval {
  readonly start: bigint;
  readonly end: bigint;
}

/** Sorted, disjoint and not adjacent: two equal sets have one form. */
export type Intervals = readonly Interval[];

/** Puts any list of intervals into the one form; reversed intervals count as empty. */
export function intervals(list: Iterable<Interval>): Intervals {
  const sorted = [...list].filter((one) => one.start <= one.end).sort((a, b) => (a.start < b.start ? -1 : 1));
  const merged: Interval[] = [];
  for (const next of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && next.start <= last.end + 1n) {
      if (next.end > last.end) merged[merged.length - 1] = { start: last.start, end: next.end };
    } else merged.push(next);
  }
  return merged;
}

export function intersect(a: Intervals, b: Intervals): Intervals {
  const shared: Interval[] = [];
  let i = 0;
  let j = 0;
  for (let left = a[i], right = b[j]; left !== undefined && right !== undefined; left = a[i], right = b[j]) {
    const start = max(left.start, right.start);
    const end = min(left.end, right.end);
    if (start <= end) shared.push({ start, end });
    if (left.end < right.end) i++;
    else j++;
  }
  return shared;
}

export function subtract(a: Intervals, b: Intervals): Intervals {
  const left: Interval[] = [];
  let first = 0;
  for (const whole of a) {
    let start = whole.start;
    // Both lists are sorted, so what ends before this interval can't matter for a later one either.
    for (let hole = b[first]; hole !== undefined && hole.end < start; hole = b[first]) first++;
    for (let at = first, hole = b[at]; hole !== undefined && hole.start <= whole.end; hole = b[++at]) {
      if (hole.start > start) left.push({ start, end: hole.start - 1n });
      if (hole.end >= start) start = hole.end + 1n;
    }
    if (start <= whole.end) left.push({ start, end: whole.end });
  }
  return left;
}

/** Whether `inner` lies wholly inside `outer`. */
export function contains(outer: Intervals, inner: Intervals): boolean {
  return subtract(inner, outer).length === 0;
}

export function overlaps(a: Intervals, b: Intervals): boolean {
  return intersect(a, b).length > 0;
}

// Math.max and Math.min take no bigint.
function max(a: bigint, b: bigint): bigint {
  return a < b ? b : a;
}

function min(a: bigint, b: bigint): bigint {
  return b < a ? b : a;
}
