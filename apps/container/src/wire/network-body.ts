import type { z } from "zod";
import type { CreateNetworkRequest, IpamConfig } from "../networks/networks.ts";
import { endpointSettings } from "./endpoint-body.ts";
import { goBool, goList, goMap, goString, goStruct, or } from "./go-json.ts";
import { withoutUndefined } from "./host-config-body.ts";

const strings = goMap("string", goString);

const ipamConfig = goStruct("IPAMConfig", {
  Subnet: goString.optional(),
  IPRange: goString.optional(),
  Gateway: goString.optional(),
  AuxiliaryAddresses: strings.optional(),
}).transform((config): IpamConfig => withoutUndefined(config));

const ipam = goStruct("IPAM", {
  Driver: or(goString, ""),
  Options: or(strings, null),
  Config: or(goList("IPAMConfig", ipamConfig), []),
});

/** `POST /networks/create`. */
export const networkBody: z.ZodType<CreateNetworkRequest> = goStruct("NetworkCreateRequest", {
  Name: or(goString, ""),
  CheckDuplicate: or(goBool, false),
  Driver: or(goString, ""),
  EnableIPv6: or(goBool, false),
  IPAM: or(ipam, undefined),
  Internal: or(goBool, false),
  Attachable: or(goBool, false),
  Options: or(strings, {}),
  Labels: or(strings, {}),
}).transform(
  (body): CreateNetworkRequest => ({
    name: body.Name,
    driver: body.Driver === "" ? "bridge" : body.Driver,
    internal: body.Internal,
    attachable: body.Attachable,
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
export const connectBody = goStruct("NetworkConnect", {
  Container: or(goString, ""),
  EndpointConfig: endpointSettings.optional(),
});

/** `POST /networks/{id}/disconnect`. */
export const disconnectBody = goStruct("NetworkDisconnect", {
  Container: or(goString, ""),
  Force: or(goBool, false),
});
