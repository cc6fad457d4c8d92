/** Both ends included. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The parts of `allowed` that none of `taken` touches, in order. */
export function freeRanges(allowed: readonly Range[], taken: readonly Range[]): readonly Range[] {
  const sorted = taken.toSorted((a, b) => a.start - b.start);
  return allowed.flatMap(({ start, end }) => {
    const free: Range[] = [];
    let from = start;
    for (const one of sorted) {
      if (one.end < from || one.start > end) continue;
      if (one.start > from) free.push({ start: from, end: one.start - 1 });
      from = Math.max(from, one.end + 1);
    }
    if (from <= end) free.push({ start: from, end });
    return free;
  });
}

export function rangeText({ start, end }: Range): string {
  return start === end ? String(start) : `${start}–${end}`;
}
