import { formatPlacePorts } from "@berth/directory-domain";
import type { FleetHost, PlaceWish, PortHolder } from "./place.ts";

/** Why a host gives no such place now; undefined if nothing that the directory knows speaks against it. */
export function lackOf(host: FleetHost, wish: PlaceWish, holders: readonly PortHolder[]): string | undefined {
  if (!host.isAlive) return `was last heard of at ${host.seenAt}`;
  if (host.isDraining) return "takes no more places";
  const { memory, cpu } = host.free;
  const faults = [
    ...(wish.size.memory > memory ? [`${mebibytes(wish.size.memory)} of memory (${mebibytes(memory)} free)`] : []),
    ...(wish.size.cpu > cpu ? [`${wish.size.cpu} CPUs (${cpu} free)`] : []),
    ...holders.filter((one) => one.host === host.name).map((one) => `${formatPlacePorts(one)} (${one.holder})`),
  ];
  return faults.length === 0 ? undefined : `lacks ${faults.join(" and ")}`;
}

/**
 * What each host has free, or why it gives no such place: `h1 lacks 4096 MiB of memory (1024 MiB free); h2 has …`.
 *
 * @param declined why hosts did not get this place just now, by their names.
 */
export function offersOf(
  hosts: readonly FleetHost[],
  wish: PlaceWish,
  holders: readonly PortHolder[],
  declined: ReadonlyMap<string, string> = new Map(),
): string {
  if (hosts.length === 0) return "no host is in the fleet: set BERTH_FLEET_ADDRESS on one";
  return foremost(hosts, wish)
    .map((host) => {
      const free = `has ${mebibytes(host.free.memory)} and ${host.free.cpu} CPUs free`;
      const reason = declined.get(host.name);
      return `${host.name} ${lackOf(host, wish, holders) ?? (reason === undefined ? free : `declined: ${reason}`)}`;
    })
    .concat(hosts.length > MOST_SHOWN ? [`${hosts.length - MOST_SHOWN} more hosts`] : [])
    .join("; ");
}

/** More than a person reads. */
const MOST_SHOWN = 8;

/** Of many hosts the wanted one, and those with room first. */
function foremost(hosts: readonly FleetHost[], wish: PlaceWish): readonly FleetHost[] {
  if (hosts.length <= MOST_SHOWN) return hosts;
  const ranked = hosts.map((host) => ({ host, hasRoom: lackOf(host, wish, []) === undefined }));
  const rank = ({ host, hasRoom }: (typeof ranked)[number]) => (host.name === wish.host ? 0 : hasRoom ? 1 : 2);
  return ranked
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MOST_SHOWN)
    .map(({ host }) => host);
}

function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)} MiB`;
}
