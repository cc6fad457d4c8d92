import { type Cidr, cidrContains, cidrOverlaps, formatCidr, formatIp } from "@berth/port-spec";
import { EngineError } from "../engine/errors.ts";
import { parseIpv4, parseSubnet } from "./ipv4.ts";
import type { CreateNetworkRequest, IpamConfig, Network } from "./networks.ts";

/** The names of the networks that every host has. */
export const PREDEFINED: ReadonlySet<string> = new Set(["bridge", "host", "none", "default"]);

export function isPredefined({ name }: Pick<Network, "name">): boolean {
  return PREDEFINED.has(name);
}

/** Docker's order: large subnets first, and the ones that home routers use last. */
export const ADDRESS_POOLS: readonly string[] = [
  ...[29, 30, 31, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28].map((second) => `172.${second}.0.0/16`),
  ...Array.from({ length: 16 }, (_, index) => `192.168.${index * 16}.0/20`),
];

/** Where users' networks get their subnets: 512 small ones, so that one user cannot exhaust the pools of the others. */
export const USER_POOLS: readonly string[] = ["172.31", "192.168"].flatMap((start) =>
  Array.from({ length: 256 }, (_, third) => `${start}.${third}.0/24`),
);

/** The first pool that overlaps no subnet in use; throws Docker's error if there is none. */
export function freePool(pools: readonly string[], inUse: readonly Cidr[]): Cidr {
  for (const text of pools) {
    const pool = parseSubnet(text);
    if (pool !== undefined && !inUse.some((used) => cidrOverlaps(pool, used))) return pool;
  }
  throw new EngineError(
    "failed",
    "could not find an available, non-overlapping IPv4 address pool among the defaults to assign to the network",
  );
}

export interface PlanContext {
  readonly id: string;
  readonly owner: string | undefined;
  readonly createdAt: string;
  /** The subnets of the other networks. */
  readonly networks: readonly Cidr[];
  /** The host's routes: never picked, but a request may name them. */
  readonly routes: readonly Cidr[];
  /** Pools for a subnet that the request does not name. */
  readonly pools: readonly string[];
}

/** The requested network with every default. Throws Docker's errors; the caller checks that the name is unique. */
export function planNetwork(request: CreateNetworkRequest, context: PlanContext): Network {
  const { name, ipam } = request;
  if (name.trim() === "") throw new EngineError("invalid", "invalid name: a network's name cannot be empty");
  if (PREDEFINED.has(name))
    throw new EngineError("forbidden", `operation is not permitted on predefined ${name} network`);
  const driver = request.driver === "" ? "bridge" : request.driver;
  if (driver === "host" || driver === "null")
    throw new EngineError("forbidden", `only one instance of "${driver}" network is allowed`);
  if (driver !== "bridge") throw new EngineError("not-found", `plugin "${driver}" not found`);
  if (ipam.driver !== "" && ipam.driver !== "default")
    throw new EngineError("not-found", `failed to retrieve IPAM driver: plugin "${ipam.driver}" not found`);
  checkOptions(request.options);

  const asked = ipam.config.filter(({ Subnet }) => !(Subnet ?? "").includes(":"));
  const [first, ...rest] = asked;
  if (rest.length > 0)
    throw new EngineError("invalid", "bridge driver does not support more than one IPv4 subnet in a network");
  return {
    id: context.id,
    owner: context.owner,
    name,
    driver,
    createdAt: context.createdAt,
    internal: request.internal,
    attachable: request.attachable,
    enableIPv6: request.enableIPv6,
    options: request.options,
    labels: request.labels,
    ipam: { driver: "default", options: ipam.options, config: [planIpv4(first ?? {}, context)] },
  };
}

function planIpv4(config: IpamConfig, { networks, routes, pools }: PlanContext): IpamConfig {
  if (config.Subnet === undefined || config.Subnet === "") {
    if (config.Gateway || config.IPRange)
      throw new EngineError("invalid", "invalid IPAM configuration: Gateway and IPRange need a Subnet");
    const subnet = freePool(pools, [...networks, ...routes]);
    return { Subnet: formatCidr(subnet), Gateway: formatIp(subnet.start + 1n) };
  }
  const subnet = parseSubnet(config.Subnet);
  if (subnet === undefined || subnet.prefixLength > 30 || subnet.prefixLength < 8)
    throw new EngineError(
      "invalid",
      `invalid subnet ${config.Subnet}: want an IPv4 network such as 172.30.0.0/16, /8 to /30`,
    );
  if (networks.some((used) => cidrOverlaps(used, subnet)))
    throw new EngineError("forbidden", "Pool overlaps with other one on this address space");
  const within = (what: string, text: string): string => {
    const address = parseIpv4(text);
    if (address === undefined) throw new EngineError("invalid", `invalid ${what} address ${text}`);
    if (!cidrContains(subnet, address))
      throw new EngineError(
        "invalid",
        `failed to allocate ${what} (${text}): it is not in the subnet ${config.Subnet}`,
      );
    return text;
  };
  const range = config.IPRange ? parseSubnet(config.IPRange) : undefined;
  if (config.IPRange && (range === undefined || !cidrContains(subnet, range.start) || !cidrContains(subnet, range.end)))
    throw new EngineError("invalid", `invalid IPRange ${config.IPRange}: it is not within the subnet ${config.Subnet}`);
  for (const [name, text] of Object.entries(config.AuxiliaryAddresses ?? {}))
    within(`secondary ip address ${name}`, text);
  return {
    ...config,
    Subnet: formatCidr(subnet),
    Gateway: config.Gateway ? within("gateway", config.Gateway) : formatIp((range ?? subnet).start + 1n),
  };
}

const OPTION_PREFIX = "com.docker.network";

/** A bridge network's options, read by Docker's names. */
export function bridgeOptions(options: Readonly<Record<string, string>>) {
  return {
    bridge: options[`${OPTION_PREFIX}.bridge.name`],
    mtu: Number(options[`${OPTION_PREFIX}.driver.mtu`] ?? 1500),
    isolated: options[`${OPTION_PREFIX}.bridge.enable_icc`] === "false",
    masquerade: options[`${OPTION_PREFIX}.bridge.enable_ip_masquerade`] !== "false",
    /** The address of published ports whose binding names none; undefined for every address. */
    hostBinding: specific(options[`${OPTION_PREFIX}.bridge.host_binding_ipv4`]),
    interfacePrefix: options[`${OPTION_PREFIX}.container_iface_prefix`] ?? "eth",
  };
}

function checkOptions(options: Readonly<Record<string, string>>): void {
  const refuse = (name: string, want: string): never => {
    throw new EngineError("invalid", `invalid value ${JSON.stringify(options[name])} for option ${name}: want ${want}`);
  };
  const linkName = /^[a-zA-Z][a-zA-Z0-9_.-]*$/;
  const checks: readonly (readonly [string, (value: string) => boolean, string])[] = [
    [
      `${OPTION_PREFIX}.bridge.name`,
      (text) => linkName.test(text) && text.length <= 15,
      "a link's name of at most 15 characters",
    ],
    [`${OPTION_PREFIX}.driver.mtu`, (text) => /^\d{1,5}$/.test(text) && Number(text) >= 68, "a number from 68"],
    [`${OPTION_PREFIX}.bridge.enable_icc`, isBoolean, "true or false"],
    [`${OPTION_PREFIX}.bridge.enable_ip_masquerade`, isBoolean, "true or false"],
    [
      `${OPTION_PREFIX}.bridge.host_binding_ipv4`,
      (text) => text === "" || parseIpv4(text) !== undefined,
      "an IPv4 address of the host",
    ],
    [`${OPTION_PREFIX}.bridge.gateway_mode_ipv4`, isNat, "nat; other modes are not supported"],
    [`${OPTION_PREFIX}.bridge.gateway_mode_ipv6`, isNat, "nat; other modes are not supported"],
    [
      `${OPTION_PREFIX}.bridge.inhibit_ipv4`,
      (text) => text === "false",
      "false; a bridge without an address is not supported",
    ],
    [
      `${OPTION_PREFIX}.bridge.trusted_host_interfaces`,
      (text) => text === "",
      "nothing; trusted interfaces are not supported",
    ],
    [
      `${OPTION_PREFIX}.container_iface_prefix`,
      (text) => linkName.test(text) && text.length <= 10,
      "the start of a link's name",
    ],
  ];
  for (const [name, passes, want] of checks) {
    const value = options[name];
    if (value !== undefined && !passes(value)) refuse(name, want);
  }
}

function specific(address: string | undefined): string | undefined {
  return address === "" || address === "0.0.0.0" ? undefined : address;
}

function isNat(text: string): boolean {
  return text === "" || text === "nat";
}

function isBoolean(text: string): boolean {
  return text === "true" || text === "false";
}
