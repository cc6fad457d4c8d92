/**
 * The index of the first item, in items of which the first ones satisfy `isBefore` and the rest do not, that does not;
 * the length where all do. Logarithmic.
 */
export function lowerBound<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // Always in range, which the type of an index can't say.
    if (isBefore(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
