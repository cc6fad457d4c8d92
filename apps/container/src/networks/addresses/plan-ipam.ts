import { type Cidr, cidrContains, cidrOverlaps, formatCidr, formatIp, type IpFamily } from "@berth/port-spec";
import { EngineError } from "../../engine/errors.ts";
import { hasNoGateway } from "../bridge-options.ts";
import type { CreateNetworkRequest, IpamConfig } from "../networks.ts";
import { parseAddress, parseSubnet } from "./inet.ts";
import { freePool, freeSubnet, isNetworkable } from "./pools.ts";

/** Where a network's addresses may come from. */
export interface AddressContext {
  /** The subnets of the other networks. */
  readonly networks: readonly Cidr[];
  /** The host's routes: never picked, but a request may name them. */
  readonly routes: readonly Cidr[];
  /** IPv4 pools for a subnet that the request does not name. */
  readonly pools: readonly string[];
  /** The prefix that IPv6 subnets are drawn from. */
  readonly local: Cidr;
}

/** What differs between the families. */
interface FamilyRules {
  readonly name: string;
  readonly isUsable: (subnet: Cidr) => boolean;
  readonly wanted: string;
  readonly draw: (context: AddressContext) => Cidr;
}

const RULES: Readonly<Record<IpFamily, FamilyRules>> = {
  ipv4: {
    name: "IPv4",
    isUsable: ({ prefixLength }) => prefixLength >= 8 && prefixLength <= 31,
    wanted: "want an IPv4 network such as 172.30.0.0/16, /8 to /31",
    draw: ({ pools, networks, routes }) => freePool(pools, [...networks, ...routes]),
  },
  ipv6: {
    name: "IPv6",
    isUsable: isNetworkable,
    wanted: "want an IPv6 network of unicast addresses such as fd00:1::/64, /16 to /126",
    draw: ({ local, networks, routes }) => freeSubnet(local, [...networks, ...routes]),
  },
};

/** The address management of a new network, with a subnet for each of its families. Throws Docker's errors. */
export function planIpam(
  request: Pick<CreateNetworkRequest, "enableIPv4" | "enableIPv6" | "ipam" | "internal" | "options">,
  context: AddressContext,
): readonly IpamConfig[] {
  const { enableIPv4, enableIPv6, ipam } = request;
  const families = [...(enableIPv4 ? (["ipv4"] as const) : []), ...(enableIPv6 ? (["ipv6"] as const) : [])];
  return families.map((family) => {
    const [first = {}, ...rest] = ipam.config.filter((config) => familyOf(config) === family);
    if (rest.length > 0)
      throw new EngineError(
        "invalid",
        `bridge driver does not support more than one ${RULES[family].name} subnet in a network`,
      );
    return planFamily(first, family, { ...context, gateway: hasNoGateway(request, family) ? "none" : "one" });
  });
}

/** Tells which subnets of a request its network does not use, because their family is off; empty where there is none. */
export function unusedSubnets({
  enableIPv4,
  enableIPv6,
  ipam,
}: Pick<CreateNetworkRequest, "enableIPv4" | "enableIPv6" | "ipam">): string {
  const isUsed = { ipv4: enableIPv4, ipv6: enableIPv6 };
  return ipam.config
    .filter((config) => !isUsed[familyOf(config)])
    .flatMap(({ Subnet = "" }) =>
      Subnet === "" ? [] : [`subnet ${Subnet} is not used: set EnableIP${familyOf({ Subnet }).slice(2)} for it`],
    )
    .join("; ");
}

function familyOf({ Subnet = "", Gateway = "", IPRange = "" }: IpamConfig): IpFamily {
  return [Subnet, Gateway, IPRange].some((text) => text.includes(":")) ? "ipv6" : "ipv4";
}

function planFamily(
  config: IpamConfig,
  family: IpFamily,
  context: AddressContext & { readonly gateway: "one" | "none" },
): IpamConfig {
  const rules = RULES[family];
  const gatewayIn = (range: Cidr) => (context.gateway === "none" ? {} : { Gateway: formatIp(firstHost(range)) });
  if (config.Subnet === undefined || config.Subnet === "") {
    if (config.Gateway || config.IPRange)
      throw new EngineError("invalid", "invalid IPAM configuration: Gateway and IPRange need a Subnet");
    const drawn = rules.draw(context);
    return { Subnet: formatCidr(drawn), ...gatewayIn(drawn) };
  }
  const subnet = parseSubnet(config.Subnet, family);
  if (subnet === undefined || !rules.isUsable(subnet))
    throw new EngineError("invalid", `invalid subnet ${config.Subnet}: ${rules.wanted}`);
  if (context.networks.some((used) => cidrOverlaps(used, subnet)))
    throw new EngineError("forbidden", "Pool overlaps with other one on this address space");
  const within = (what: string, text: string): string => {
    const address = parseAddress(text, family);
    if (address === undefined) throw new EngineError("invalid", `invalid ${what} address ${text}`);
    if (!cidrContains(subnet, address))
      throw new EngineError(
        "invalid",
        `failed to allocate ${what} (${text}): it is not in the subnet ${config.Subnet}`,
      );
    return formatIp(address);
  };
  const range = config.IPRange ? parseSubnet(config.IPRange, family) : undefined;
  if (config.IPRange && (range === undefined || !cidrContains(subnet, range.start) || !cidrContains(subnet, range.end)))
    throw new EngineError("invalid", `invalid IPRange ${config.IPRange}: it is not within the subnet ${config.Subnet}`);
  for (const [name, text] of Object.entries(config.AuxiliaryAddresses ?? {}))
    within(`secondary ip address ${name}`, text);
  return {
    ...config,
    Subnet: formatCidr(subnet),
    ...(config.Gateway ? { Gateway: within("gateway", config.Gateway) } : gatewayIn(range ?? subnet)),
  };
}

/** The first address for a host: behind the network's own, which a /31 has not (RFC 3021). */
function firstHost({ family, prefixLength, start }: Cidr): bigint {
  return family === "ipv4" && prefixLength === 31 ? start : start + 1n;
}
