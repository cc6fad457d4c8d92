/**
 * Compares two Docker API versions part by part, as dockerd does: `1.9` is before `1.12`, and `1.41` equals `1.41.0`.
 *
 * @returns a negative number, 0, or a positive number.
 */
export function compareApiVersions(a: string, b: string): number {
  const left = a.split(".").map(Number);
  const right = b.split(".").map(Number);
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
