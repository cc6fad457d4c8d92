import { omitUndefined } from "@berth/service-kit/omit-undefined";
import type { z } from "zod";
import type { EndpointRequest } from "../../networks/networks.ts";
import { goInt, goString, goStringMap, goStrings, goStruct } from "../go-json/go-json.ts";

/** `EndpointSettings` as create and connect accept it; ignores the addresses that inspect reports in it. */
export const endpointSettings: z.ZodType<EndpointRequest> = goStruct("network.EndpointSettings", {
  IPAMConfig: goStruct("network.EndpointIPAMConfig", {
    IPv4Address: goString.optional(),
    IPv6Address: goString.optional(),
    LinkLocalIPs: goStrings.optional(),
  })
    .transform((ipam) => omitUndefined(ipam))
    .optional(),
  Links: goStrings.optional(),
  Aliases: goStrings.optional(),
  MacAddress: goString.optional(),
  GwPriority: goInt.optional(),
  DriverOpts: goStringMap.optional(),
}).transform((endpoint): EndpointRequest => omitUndefined(endpoint));
