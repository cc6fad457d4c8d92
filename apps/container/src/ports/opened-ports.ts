import { type IpFamily, ipFamily, type PortAssignment, type PortWish } from "@berth/port-spec";
import type { ContainerId } from "../engine/ids.ts";
import type { LeaseRequest, OpenedPort } from "./ports.ts";

const ANY_ADDRESS: Readonly<Record<IpFamily, string>> = { ipv4: "0.0.0.0", ipv6: "::" };

/** What containers have open at their own addresses. */
export class OpenedPorts {
  readonly #ports = new Map<ContainerId, readonly OpenedPort[]>();

  has(containerId: ContainerId): boolean {
    return this.#ports.has(containerId);
  }

  set(containerId: ContainerId, ports: readonly OpenedPort[]): void {
    if (ports.length > 0) this.#ports.set(containerId, ports);
    else this.#ports.delete(containerId);
  }

  /** Those of the container beside the ports that it `held`, IPv4 first, as Docker shows them: without a port of the host. */
  beside(containerId: ContainerId, held: readonly PortAssignment[]): readonly PortAssignment[] {
    const opened = this.#ports.get(containerId);
    if (opened === undefined) return held;
    const shown = opened.map(({ address, ...port }) => ({
      ...port,
      hostIp: ANY_ADDRESS[ipFamily(address)],
      hostPort: 0,
    }));
    const isIPv6 = ({ hostIp }: PortAssignment) => Number(ipFamily(hostIp) === "ipv6");
    return [...shown, ...held].sort((a, b) => isIPv6(a) - isIPv6(b));
  }
}

/** The part of a request that takes ports of the host. @param anyAddress the host's addresses that stand for all */
export function hostWishes(
  { wishes, routed = [] }: LeaseRequest,
  anyAddress: readonly string[],
): { readonly wishes: readonly PortWish[]; readonly anyAddress: readonly string[] } {
  const left = anyAddress.filter((address) => !routed.includes(ipFamily(address)));
  const takes = ({ hostIp }: PortWish) => (hostIp === "" ? left.length > 0 : !routed.includes(ipFamily(hostIp)));
  return { wishes: wishes.filter(takes), anyAddress: left };
}
