import { omitUndefined } from "@berth/service-kit/omit-undefined";
import type { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import type { CreateNetworkRequest, IpamConfig } from "../../networks/networks.ts";
import { goBool, goList, goString, goStringMap, goStruct, or } from "../go-json/go-json.ts";
import { endpointSettings } from "./endpoint-body.ts";

/** Swarm options, which are rejected because Berth has no swarm. */
export const NO_SWARM =
  'This node is not a swarm manager. Use "docker swarm init" or "docker swarm join" to connect this node to swarm and try again.';

const ipamConfig = goStruct("network.IPAMConfig", {
  Subnet: goString.optional(),
  IPRange: goString.optional(),
  Gateway: goString.optional(),
  AuxiliaryAddresses: goStringMap.optional(),
}).transform((config): IpamConfig => omitUndefined(config));

const ipam = goStruct("network.IPAM", {
  Driver: or(goString, ""),
  Options: or(goStringMap, null),
  Config: or(goList("IPAMConfig", ipamConfig), []),
});

/** A network to create, with the swarm options of the request. */
export interface NetworkBody extends CreateNetworkRequest {
  readonly elsewhere: {
    readonly swarm: boolean;
    readonly ingress: boolean;
    readonly configOnly: boolean;
    readonly configFrom: string;
  };
}

/** Rejects networks that need several machines, with Docker's message, instead of ignoring the option. */
export function requireLocal({ swarm, ingress, configOnly, configFrom }: NetworkBody["elsewhere"]): void {
  if (swarm) throw new EngineError("no-swarm", NO_SWARM);
  if (ingress) throw new EngineError("forbidden", "Ingress network can only be global scope network");
  if (configFrom !== "") throw new EngineError("not-found", `configuration network "${configFrom}" does not exist`);
  if (configOnly) throw new EngineError("unsupported", "networks that only hold a configuration are not supported");
}

/** `POST /networks/create`. */
export const networkBody: z.ZodType<NetworkBody> = goStruct("types.NetworkCreateRequest", {
  Name: or(goString, ""),
  CheckDuplicate: or(goBool, false),
  Driver: or(goString, ""),
  EnableIPv4: or(goBool, true),
  EnableIPv6: or(goBool, false),
  IPAM: or(ipam, undefined),
  Internal: or(goBool, false),
  Attachable: or(goBool, false),
  Options: or(goStringMap, {}),
  Labels: or(goStringMap, {}),
  Scope: or(goString, ""),
  Ingress: or(goBool, false),
  ConfigOnly: or(goBool, false),
  ConfigFrom: or(goStruct("network.ConfigReference", { Network: or(goString, "") }), { Network: "" }),
}).transform(
  (body): NetworkBody => ({
    elsewhere: {
      swarm: (body.Scope !== "" && body.Scope !== "local") || body.Driver === "overlay",
      ingress: body.Ingress,
      configOnly: body.ConfigOnly,
      configFrom: body.ConfigFrom.Network,
    },
    name: body.Name,
    driver: body.Driver === "" ? "bridge" : body.Driver,
    internal: body.Internal,
    attachable: body.Attachable,
    enableIPv4: body.EnableIPv4,
    enableIPv6: body.EnableIPv6,
    options: body.Options,
    labels: body.Labels,
    ipam: {
      driver: body.IPAM?.Driver || "default",
      options: body.IPAM?.Options ?? null,
      config: body.IPAM?.Config ?? [],
    },
    checkDuplicate: body.CheckDuplicate,
  }),
);

/** `POST /networks/{id}/connect`. */
export const connectBody = goStruct("types.NetworkConnect", {
  Container: or(goString, ""),
  EndpointConfig: endpointSettings.optional(),
});

/** `POST /networks/{id}/disconnect`. */
export const disconnectBody = goStruct("types.NetworkDisconnect", {
  Container: or(goString, ""),
  Force: or(goBool, false),
});
