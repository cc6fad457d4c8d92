import { type Cidr, cidrContains, formatIp, type IpFamily } from "@berth/port-spec";
import { EngineError } from "../../engine/errors.ts";
import type { Network } from "../networks.ts";
import { nextFree, parseAddress, parseSubnet } from "./inet.ts";

/** The allocations of one network in one address family. */
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

/** The book of a bridge network, with gateway and auxiliary addresses taken; undefined where it has no addresses of the family. */
export function openAddressBook(network: Network, family: IpFamily): AddressBook | undefined {
  if (!(family === "ipv4" ? network.enableIPv4 : network.enableIPv6)) return undefined;
  const config = network.ipam.config.find(({ Subnet = "" }) => parseSubnet(Subnet, family) !== undefined);
  const subnet = parseSubnet(config?.Subnet ?? "", family);
  if (config === undefined || subnet === undefined) return undefined;
  const name = family === "ipv4" ? "IPv4" : "IPv6";
  const range = parseSubnet(config.IPRange ?? "", family) ?? subnet;
  const numberOf = (text: string) => parseAddress(text, family);
  const taken = new Set<bigint>();
  // The network and broadcast addresses; /31 and /32 have none (RFC 3021). The first one of IPv6 is the routers' (RFC 4291, 2.6.1).
  if (family === "ipv6") taken.add(subnet.start);
  else if (subnet.prefixLength <= 30) taken.add(subnet.start).add(subnet.end);
  for (const text of [config.Gateway, ...Object.values(config.AuxiliaryAddresses ?? {})]) {
    const address = numberOf(text ?? "");
    if (address !== undefined) taken.add(address);
  }
  let last: bigint | undefined;
  const isFree = (address: bigint) => !taken.has(address);

  return {
    subnet,
    taken: () => [...taken].map(formatIp),
    gateway: config.Gateway ?? "",
    take: (wanted) => {
      const address = wanted === undefined ? nextFree(range, last, isFree) : numberOf(wanted);
      if (address === undefined) {
        if (wanted !== undefined) throw new EngineError("invalid", `invalid ${name} address: ${wanted}`);
        throw new EngineError(
          "failed",
          `no available ${name} addresses on this network's address pools: ${network.name} (${network.id})`,
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
      const number = numberOf(address);
      if (number !== undefined) taken.add(number);
    },
    give: (address) => {
      const number = numberOf(address);
      if (number !== undefined) taken.delete(number);
    },
  };
}
