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

/** What each host has free, or why it gives no such place: `h1 lacks 4096 MiB of memory (1024 MiB free); h2 has …`. */
export function offersOf(hosts: readonly FleetHost[], wish: PlaceWish, holders: readonly PortHolder[]): string {
  if (hosts.length === 0) return "no host is in the fleet: set BERTH_FLEET_ADDRESS on one";
  return hosts
    .map((host) => {
      const free = `has ${mebibytes(host.free.memory)} and ${host.free.cpu} CPUs free`;
      return `${host.name} ${lackOf(host, wish, holders) ?? free}`;
    })
    .join("; ");
}

function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)} MiB`;
}
