import { type Cidr, cidrContains, formatIp } from "@berth/port-spec";
import { EngineError } from "../engine/errors.ts";
import { nextFree, parseIpv4, parseSubnet } from "./ipv4.ts";
import type { Network } from "./networks.ts";

/** The address allocations of one network. */
export interface AddressBook {
  readonly subnet: Cidr;
  readonly gateway: string;
  /** Allocates the requested address, or the next free one. Throws Docker's errors. */
  take(wanted?: string): string;
  /** Marks an address as taken, without checks. */
  hold(address: string): void;
  give(address: string): void;
  /** The taken addresses, including the gateway's. */
  taken(): readonly string[];
}

/** The IPv4 part of a network's IPAM; undefined for a network without addresses of its own. */
function ipv4Config({ ipam }: Network) {
  return ipam.config.find(({ Subnet }) => Subnet !== undefined && !Subnet.includes(":"));
}

/** The book of a bridge network, with gateway and auxiliary addresses taken; undefined for other networks. */
export function openAddressBook(network: Network): AddressBook | undefined {
  const config = ipv4Config(network);
  const subnet = parseSubnet(config?.Subnet ?? "");
  if (config === undefined || subnet === undefined) return undefined;
  const range = parseSubnet(config.IPRange ?? "") ?? subnet;
  const taken = new Set<bigint>();
  // The network and broadcast addresses; /31 and /32 have none (RFC 3021).
  if (subnet.prefixLength <= 30) taken.add(subnet.start).add(subnet.end);
  for (const text of [config.Gateway, ...Object.values(config.AuxiliaryAddresses ?? {})]) {
    const address = parseIpv4(text ?? "");
    if (address !== undefined) taken.add(address);
  }
  let last: bigint | undefined;
  const isFree = (address: bigint) => !taken.has(address);

  return {
    subnet,
    taken: () => [...taken].map(formatIp),
    gateway: config.Gateway ?? "",
    take: (wanted) => {
      const address = wanted === undefined ? nextFree(range, last, isFree) : parseIpv4(wanted);
      if (address === undefined) {
        if (wanted !== undefined) throw new EngineError("invalid", `invalid IPv4 address: ${wanted}`);
        throw new EngineError(
          "failed",
          `no available IPv4 addresses on this network's address pools: ${network.name} (${network.id})`,
        );
      }
      if (!cidrContains(subnet, address))
        throw new EngineError("invalid", `Requested address ${wanted} is out of range of ${config.Subnet}`);
      if (taken.has(address)) throw new EngineError("forbidden", `Address already in use: ${wanted}`);
      taken.add(address);
      if (wanted === undefined) last = address;
      return formatIp(address);
    },
    hold: (address) => {
      const number = parseIpv4(address);
      if (number !== undefined) taken.add(number);
    },
    give: (address) => {
      const number = parseIpv4(address);
      if (number !== undefined) taken.delete(number);
    },
  };
}
