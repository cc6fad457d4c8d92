import { z } from "zod";
import {
  type EndpointRequest,
  type InetAddress,
  type IpamConfig,
  type Network,
  NO_ADDRESS,
} from "../../networks/networks.ts";
import type { PlacedEndpoint } from "../../networks/store.ts";
import { type Columns, type Fields, type RowKind, STRING_MAP, STRINGS } from "./row-kind.ts";

type Present<T> = NonNullable<T>;

export const ENDPOINT_REQUEST = z.object({
  IPAMConfig: z
    .object({
      IPv4Address: z.string().exactOptional(),
      IPv6Address: z.string().exactOptional(),
      LinkLocalIPs: STRINGS.exactOptional(),
    } satisfies Fields<Present<EndpointRequest["IPAMConfig"]>>)
    .nullable()
    .exactOptional(),
  Links: STRINGS.nullable().exactOptional(),
  Aliases: STRINGS.nullable().exactOptional(),
  MacAddress: z.string().exactOptional(),
  GwPriority: z.number().exactOptional(),
  DriverOpts: STRING_MAP.nullable().exactOptional(),
} satisfies Fields<EndpointRequest>);

const IPAM_CONFIG = z.object({
  Subnet: z.string().exactOptional(),
  Gateway: z.string().exactOptional(),
  IPRange: z.string().exactOptional(),
  AuxiliaryAddresses: STRING_MAP.exactOptional(),
} satisfies Fields<IpamConfig>);

const NETWORK = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.string().optional(),
  driver: z.enum(["bridge", "host", "null"]),
  createdAt: z.string(),
  internal: z.boolean(),
  attachable: z.boolean(),
  enableIPv4: z.boolean(),
  enableIPv6: z.boolean(),
  options: STRING_MAP,
  labels: STRING_MAP,
  ipam: z.object({
    driver: z.string(),
    options: STRING_MAP.nullable(),
    config: z.array(IPAM_CONFIG),
  } satisfies Fields<Network["ipam"]>),
} satisfies Fields<Network>);

const PLACED_ENDPOINT = z.object({
  networkId: z.string(),
  networkName: z.string(),
  endpointId: z.string(),
  address: z.string(),
  prefixLength: z.number(),
  gateway: z.string(),
  ipv6: z.object({
    address: z.string(),
    prefixLength: z.number(),
    gateway: z.string(),
  } satisfies Fields<InetAddress>),
  macAddress: z.string(),
  aliases: STRINGS,
  request: ENDPOINT_REQUEST,
  bridge: z.string(),
  link: z.string(),
  interfaceName: z.string(),
} satisfies Fields<PlacedEndpoint>);

/** Networks of version 1 have IPv4 alone, whatever was asked for. */
function ipv4Alone(columns: Columns): Columns {
  const network = z.looseObject({}).parse(columns.network);
  return { ...columns, network: { ...network, enableIPv4: true, enableIPv6: false } };
}

/** Endpoints of version 1 have no IPv6 address. */
function endpointsOfIPv4Alone(columns: Columns): Columns {
  const endpoints = z.array(z.looseObject({})).parse(columns.endpoints);
  return { ...columns, endpoints: endpoints.map((endpoint) => ({ ...endpoint, ipv6: NO_ADDRESS })) };
}

/** Rows of `networks`. */
export const NETWORK_ROW: RowKind<{ readonly network: Network }> = {
  name: "network",
  columns: z.object({ network: NETWORK }),
  upgrades: [ipv4Alone],
};

/** Rows of `sandboxes`. */
export const SANDBOX_ROW: RowKind<{
  readonly endpoints: readonly PlacedEndpoint[];
  readonly nameservers: readonly string[] | null;
}> = {
  name: "sandbox of container",
  columns: z.object({ endpoints: z.array(PLACED_ENDPOINT), nameservers: STRINGS.nullable() }),
  upgrades: [endpointsOfIPv4Alone],
};
