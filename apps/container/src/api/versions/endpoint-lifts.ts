import type { CreateRequest } from "../../containers/records/config.ts";
import { ENDPOINT_SYSCTLS } from "../../engine/endpoint-sysctls.ts";
import { EngineError } from "../../engine/errors.ts";
import { parseNetworkMode } from "../../engine/network-mode.ts";
import type { EndpointRequest } from "../../networks/networks.ts";
import { type ApiVersion, SINCE } from "./changes.ts";
import type { LiftedCreate } from "./lifted-create.ts";

function unchanged(request: CreateRequest): LiftedCreate {
  return { request, warnings: [] };
}

/** The name of the endpoint that container-wide settings of a network mean (moby `epConfigForNetMode`). Throws `invalid` if unclear. */
function mainEndpoint(version: ApiVersion, { hostConfig, endpoints }: CreateRequest, what = ""): string {
  const [first] = Object.keys(endpoints);
  const mode = hostConfig.NetworkMode;
  if (first === undefined) return mode;
  if (version < SINCE.severalEndpoints) return first;
  if (endpoints[mode] !== undefined) return mode;
  throw new EngineError(
    "invalid",
    `${what}HostConfig.NetworkMode must match the identity of a network in NetworkSettings.Networks`,
  );
}

function withEndpoint(request: CreateRequest, name: string, change: EndpointRequest): CreateRequest {
  return { ...request, endpoints: { ...request.endpoints, [name]: { ...request.endpoints[name], ...change } } };
}

function isJoinable(mode: string): boolean {
  const { kind } = parseNetworkMode(mode);
  return kind === "bridge" || kind === "user";
}

/**
 * Gives the container-wide MAC address to the endpoint of the main network (moby `handleMACAddressBC`). Before 1.44 endpoints had none
 * of their own.
 */
export function liftMacAddress(version: ApiVersion, request: CreateRequest): LiftedCreate {
  const { MacAddress: address = "", ...config } = request.config;
  const mode = request.hostConfig.NetworkMode;
  if (version < SINCE.endpointMacAddress) {
    if (address === "") {
      const bare = Object.entries(request.endpoints).map(([name, { MacAddress: _, ...endpoint }]) => [name, endpoint]);
      return unchanged({ ...request, endpoints: Object.fromEntries(bare) });
    }
    if (!isJoinable(mode)) throw new EngineError("invalid", "conflicting options: mac-address and the network mode");
    return unchanged(withEndpoint(request, mainEndpoint(version, request), { MacAddress: address }));
  }
  if (address === "") return unchanged(request);
  const warnings = [
    "The container-wide MacAddress field is now deprecated. It should be specified in EndpointsConfig instead.",
  ];
  if (!isJoinable(mode)) return { request: { ...request, config }, warnings };
  const name = mainEndpoint(version, request, "unable to migrate container-wide MAC address to a specific network: ");
  const { MacAddress: own = "" } = request.endpoints[name] ?? {};
  if (own !== "" && own !== address) {
    throw new EngineError(
      "invalid",
      "the container-wide MAC address must match the endpoint-specific MAC address for the main network, or be left empty",
    );
  }
  return { request: { ...withEndpoint(request, name, { MacAddress: address }), config }, warnings };
}

/** `net.ipv4.conf.eth0.forwarding`: its protocol and group, interface, and the rest. */
const INTERFACE_SYSCTL = /^net\.([^.]*)\.([^.]*)\.(eth[^.]*)\.(.*)$/;

/** Moves the sysctls of `eth0` to the endpoint of the main network (moby `handleSysctlBC`). Throws `invalid` from 1.48 on. */
export function liftInterfaceSysctls(version: ApiVersion, request: CreateRequest): LiftedCreate {
  const { NetworkMode: mode, Sysctls = {} } = request.hostConfig;
  const found = Object.entries(Sysctls).flatMap(([name, value]) => {
    const [, protocol, group, device, rest] = INTERFACE_SYSCTL.exec(name) ?? [];
    return protocol === undefined ? [] : [{ name, device, moved: `net.${protocol}.${group}.IFNAME.${rest}=${value}` }];
  });
  const [first] = found;
  if (first === undefined || mode === "host" || parseNetworkMode(mode).kind === "container") return unchanged(request);
  if (version >= SINCE.interfaceSysctlsRefused) {
    throw new EngineError(
      "invalid",
      `interface specific sysctl setting "${first.name}" must be supplied using driver option '${ENDPOINT_SYSCTLS}'`,
    );
  }
  const other = found.find(({ device }) => device !== "eth0");
  if (other !== undefined) {
    throw new EngineError(
      "invalid",
      `unable to determine network endpoint for sysctl ${other.name}, use driver option '${ENDPOINT_SYSCTLS}' to set per-interface sysctls`,
    );
  }
  const main = mainEndpoint(version, request, `unable to find a network for sysctl ${first.name}: `);
  const own = request.endpoints[main]?.DriverOpts ?? {};
  const option = found.map(({ moved }) => moved).join(",");
  const names = new Set(found.map(({ name }) => name));
  const kept = Object.entries(Sysctls).filter(([name]) => !names.has(name));
  const moved = withEndpoint(request, main, {
    DriverOpts: {
      ...own,
      [ENDPOINT_SYSCTLS]: own[ENDPOINT_SYSCTLS] === undefined ? option : `${option},${own[ENDPOINT_SYSCTLS]}`,
    },
  });
  return {
    request: { ...moved, hostConfig: { ...moved.hostConfig, Sysctls: Object.fromEntries(kept) } },
    warnings: [`Migrated sysctl "${[...names].join(",")}" to DriverOpts{"${ENDPOINT_SYSCTLS}":"${option}"}.`],
  };
}
