/**
 * The index of the first item that does not satisfy `isBefore`, or the length if all do. The items that satisfy it must come
 * first. Logarithmic.
 */
export function lowerBound<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // `middle` is always in range; the type cannot express it.
    if (isBefore(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
