import { BlockList, isIP } from "node:net";
import { ENDPOINT_SYSCTLS } from "../engine/endpoint-sysctls.ts";
import { isLinkLocal } from "./addresses/inet.ts";
import type { EndpointRequest, Network } from "./networks.ts";

/** Names the interface inside the container. */
export const ENDPOINT_IFNAME = "com.docker.network.endpoint.ifname";

type Family = "ipv4" | "ipv6";

function familyOf(address: string): Family | undefined {
  const version = isIP(address);
  return version === 4 ? "ipv4" : version === 6 ? "ipv6" : undefined;
}

function isUnspecified(address: string): boolean {
  return address === "0.0.0.0" || /^[0:]+$/.test(address);
}

function addressFaults({ IPAMConfig }: EndpointRequest): readonly string[] {
  const { IPv4Address = "", IPv6Address = "", LinkLocalIPs = [] } = IPAMConfig ?? {};
  const unfit = (address: string, family: Family) =>
    address !== "" && (isUnspecified(address) || familyOf(address) !== family);
  return [
    ...(unfit(IPv4Address, "ipv4") ? [`invalid IPv4 address: ${IPv4Address}`] : []),
    ...(unfit(IPv6Address, "ipv6") ? [`invalid IPv6 address: ${IPv6Address}`] : []),
    ...LinkLocalIPs.filter((address) => !isLinkLocal(address)).map(
      (address) => `invalid link-local IP address: ${address}`,
    ),
  ];
}

function subnetContains(subnet: string, address: string): boolean {
  const [base = "", length = ""] = subnet.split("/");
  const family = familyOf(base);
  if (family === undefined || family !== familyOf(address)) return false;
  const block = new BlockList();
  block.addSubnet(base, Number(length), family);
  return block.check(address, family);
}

/** The addresses that no subnet of the network contains. */
function rangeFaults({ ipam }: Network, { IPAMConfig }: EndpointRequest): readonly string[] {
  const { IPv4Address = "", IPv6Address = "" } = IPAMConfig ?? {};
  return [IPv4Address, IPv6Address]
    .filter((address) => address !== "" && !ipam.config.some(({ Subnet = "" }) => subnetContains(Subnet, address)))
    .map((address) => `no configured subnet or ip-range contain the IP address ${address}`);
}

function sysctlFaults({ DriverOpts }: EndpointRequest): readonly string[] {
  const option = DriverOpts?.[ENDPOINT_SYSCTLS];
  return (option?.split(",") ?? [])
    .filter((sysctl) => !/^[^.]*\.(ipv4|ipv6|mpls)\.[^.]*\.(IFNAME|ifname)\./.test(sysctl))
    .map(
      (sysctl) =>
        `unrecognised network interface sysctl '${sysctl}'; represent 'net.X.Y.ethN.Z=V' as 'net.X.Y.IFNAME.Z=V', 'X' must be 'ipv4', 'ipv6' or 'mpls'`,
    );
}

/** Names that the kernel has for itself: of an interface, and of folders among the interfaces' settings. */
const KERNEL_NAMES = ["lo", "all", "default"];

function nameFaults({ DriverOpts }: EndpointRequest): readonly string[] {
  const name = DriverOpts?.[ENDPOINT_IFNAME] ?? "";
  if (name === "" || (/^[a-zA-Z][a-zA-Z0-9_.-]{0,14}$/.test(name) && !KERNEL_NAMES.includes(name))) return [];
  return [`invalid interface name '${name}': want at most 15 letters, digits, '_', '.' and '-', a letter first`];
}

/** Settings that only a user-defined network has. */
function defaultNetworkFaults({ IPAMConfig, Aliases }: EndpointRequest): readonly string[] {
  const addressed = Boolean(IPAMConfig?.IPv4Address || IPAMConfig?.IPv6Address);
  return [
    ...(addressed ? ["user specified IP address is supported on user defined networks only"] : []),
    ...((Aliases ?? []).length > 0
      ? ["network-scoped alias is supported only for containers in user defined networks"]
      : []),
  ];
}

/** Go's multierror: one fault as it is, several as a list. */
export function joinFaults(faults: readonly string[]): string {
  return faults.length === 1 ? (faults[0] ?? "") : faults.map((fault) => `* ${fault}`).join("\n");
}

/**
 * Why an endpoint cannot be what the request asks for, all faults at once (moby `validateEndpointSettings`).
 *
 * @param network the network if it exists: a create may name one that is made later.
 * @returns Docker's message; undefined if nothing is wrong.
 */
export function validateEndpoint(
  name: string,
  network: Network | undefined,
  request: EndpointRequest,
): string | undefined {
  const { MacAddress = "" } = request;
  if (MacAddress !== "" && !/^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$/i.test(MacAddress))
    return `invalid MAC address ${MacAddress}`;
  const isUserDefined = !["bridge", "host", "none", "default"].includes(network?.name ?? name);
  const faults = [
    ...(isUserDefined ? [] : defaultNetworkFaults(request)),
    ...addressFaults(request),
    ...(network === undefined || !isUserDefined ? [] : rangeFaults(network, request)),
    ...sysctlFaults(request),
    ...nameFaults(request),
  ];
  return faults.length === 0 ? undefined : `invalid endpoint settings:\n${joinFaults(faults)}`;
}
