import type { PlaceSize } from "@berth/directory-domain";

/** What a host has for places. */
export type HostSize = Pick<PlaceSize, "memory" | "cpu">;

/** What the places leave of the host. */
export function roomLeft(host: HostSize, places: readonly { readonly size: PlaceSize }[]): HostSize {
  const sum = (resource: keyof HostSize) => places.reduce((total, { size }) => total + size[resource], 0);
  return { memory: host.memory - sum("memory"), cpu: hundredths(host.cpu - sum("cpu")) };
}

/**
 * Why the host cannot hold a place of that size beside the others; undefined if it can. Places are promises, so their sum never exceeds
 * the host.
 */
export function lacking(host: HostSize, places: readonly { readonly size: PlaceSize }[], size: HostSize) {
  const left = roomLeft(host, places);
  const faults = [
    ...(size.memory > left.memory ? [`${mebibytes(size.memory)} of memory (${mebibytes(left.memory)} free)`] : []),
    ...(size.cpu > left.cpu ? [`${size.cpu} CPUs (${left.cpu} free)`] : []),
  ];
  return faults.length === 0 ? undefined : `this host has no room for ${faults.join(" and ")} beside its other places`;
}

/** Sums of hundredths are not exact in binary. */
function hundredths(amount: number): number {
  return Math.round(amount * 100) / 100;
}

function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)} MiB`;
}
