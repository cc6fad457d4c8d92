import { EngineError } from "../engine/errors.ts";
import { type AddressContext, planIpam } from "./addresses/plan-ipam.ts";
import { checkOptions } from "./bridge-options.ts";
import type { CreateNetworkRequest, Network } from "./networks.ts";

/** The names of the networks that every host has. */
export const PREDEFINED: ReadonlySet<string> = new Set(["bridge", "host", "none", "default"]);

export function isPredefined({ name }: Pick<Network, "name">): boolean {
  return PREDEFINED.has(name);
}

export interface PlanContext extends AddressContext {
  readonly id: string;
  readonly owner: string | undefined;
  readonly createdAt: string;
}

/** The requested network with every default. Throws Docker's errors; the caller checks that the name is unique. */
export function planNetwork(request: CreateNetworkRequest, context: PlanContext): Network {
  const { name, ipam, enableIPv4, enableIPv6 } = request;
  if (name.trim() === "") throw new EngineError("invalid", "invalid name: a network's name cannot be empty");
  if (PREDEFINED.has(name))
    throw new EngineError("forbidden", `operation is not permitted on predefined ${name} network`);
  const driver = request.driver === "" ? "bridge" : request.driver;
  if (driver === "host" || driver === "null")
    throw new EngineError("forbidden", `only one instance of "${driver}" network is allowed`);
  if (driver !== "bridge") throw new EngineError("not-found", `plugin "${driver}" not found`);
  if (ipam.driver !== "" && ipam.driver !== "default")
    throw new EngineError("not-found", `failed to retrieve IPAM driver: plugin "${ipam.driver}" not found`);
  if (!enableIPv4 && !enableIPv6) throw new EngineError("invalid", "IPv4 or IPv6 must be enabled");
  checkOptions(request.options, request);
  return {
    id: context.id,
    owner: context.owner,
    name,
    driver,
    createdAt: context.createdAt,
    internal: request.internal,
    attachable: request.attachable,
    enableIPv4,
    enableIPv6,
    options: request.options,
    labels: request.labels,
    ipam: { driver: "default", options: ipam.options, config: planIpam(request, context) },
  };
}
