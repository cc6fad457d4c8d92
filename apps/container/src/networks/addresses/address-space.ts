import type { Cidr } from "@berth/port-spec";
import type { Viewer } from "../../engine/owners.ts";
import { bridgesOf } from "../bridge.ts";
import { hostRoutes } from "../host-routes.ts";
import type { OpenNetwork } from "../network-table.ts";
import type { AddressContext } from "./plan-ipam.ts";
import { ADDRESS_POOLS, freePool, freeSubnet, localPrefix, USER_POOLS } from "./pools.ts";

/** The addresses that networks and the host use, and where a new network gets its own. */
export class AddressSpace {
  readonly #instance: string;
  readonly #networks: ReadonlyMap<string, OpenNetwork>;
  readonly #local: Cidr;

  /** @param hostId what the prefix of IPv6 subnets is derived from. */
  constructor(instance: string, hostId: string, networks: ReadonlyMap<string, OpenNetwork>) {
    this.#instance = instance;
    this.#networks = networks;
    this.#local = localPrefix(hostId);
  }

  /** For a network of that creator. */
  async contextFor({ kind }: Viewer): Promise<AddressContext> {
    const [subnets, routes] = [this.#subnets(), await this.#routes()];
    const isAdministrator = kind === "administrator";
    return {
      // A user's subnet must not take the host's way to another network.
      networks: isAdministrator ? subnets : [...subnets, ...routes],
      routes,
      pools: isAdministrator ? ADDRESS_POOLS : USER_POOLS,
      local: this.#local,
    };
  }

  /** Gives the wanted subnet where it is free, and otherwise one of Docker's pools. */
  async drawIPv4(wanted: string): Promise<Cidr> {
    return freePool([wanted, ...ADDRESS_POOLS], await this.#inUse());
  }

  async drawIPv6(): Promise<Cidr> {
    return freeSubnet(this.#local, await this.#inUse());
  }

  async #inUse(): Promise<readonly Cidr[]> {
    return [...this.#subnets(), ...(await this.#routes())];
  }

  #subnets(): readonly Cidr[] {
    return [...this.#networks.values()]
      .flatMap(({ book, book6 }) => [book?.subnet, book6?.subnet])
      .filter((subnet) => subnet !== undefined);
  }

  async #routes(): Promise<readonly Cidr[]> {
    return hostRoutes(await bridgesOf(this.#instance));
  }
}
