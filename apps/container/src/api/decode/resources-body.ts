import { omitUndefined } from "@berth/service-kit/omit-undefined";
import type { z } from "zod";
import type { DeviceRequest, Resources, RestartPolicy } from "../../containers/records/config.ts";
import { goBool, goInt, goList, goString, goStringMap, goStrings, goStruct, goUint, or } from "../go-json/go-json.ts";

const device = goStruct("container.DeviceMapping", {
  PathOnHost: or(goString, ""),
  PathInContainer: or(goString, ""),
  CgroupPermissions: or(goString, ""),
});

const deviceRequest = goStruct("container.DeviceRequest", {
  Driver: goString.optional(),
  Count: goInt.optional(),
  DeviceIDs: goStrings.optional(),
  Capabilities: goList("[]string", goStrings).optional(),
  Options: goStringMap.optional(),
}).transform((request): DeviceRequest => omitUndefined(request));

const throttles = or(
  goList("blkiodev.ThrottleDevice", goStruct("ThrottleDevice", { Path: or(goString, ""), Rate: or(goUint, 0) })),
  null,
);

const weights = or(
  goList("blkiodev.WeightDevice", goStruct("WeightDevice", { Path: or(goString, ""), Weight: or(goUint, 0) })),
  null,
);

/** Docker's Ulimit. */
export const ulimit = goStruct("units.Ulimit", { Name: or(goString, ""), Hard: or(goInt, 0), Soft: or(goInt, 0) });

/** The resource fields of HostConfig and of the update body. */
export const RESOURCE_FIELDS = {
  CpuShares: or(goInt, 0),
  Memory: or(goInt, 0),
  NanoCpus: or(goInt, 0),
  CgroupParent: or(goString, ""),
  BlkioWeight: or(goUint, 0),
  BlkioWeightDevice: weights,
  BlkioDeviceReadBps: throttles,
  BlkioDeviceWriteBps: throttles,
  BlkioDeviceReadIOps: throttles,
  BlkioDeviceWriteIOps: throttles,
  CpuPeriod: or(goInt, 0),
  CpuQuota: or(goInt, 0),
  CpuRealtimePeriod: or(goInt, 0),
  CpuRealtimeRuntime: or(goInt, 0),
  CpusetCpus: or(goString, ""),
  CpusetMems: or(goString, ""),
  Devices: or(goList("DeviceMapping", device), []),
  DeviceCgroupRules: or(goStrings, null),
  DeviceRequests: or(goList("DeviceRequest", deviceRequest), null),
  KernelMemory: or(goInt, 0),
  KernelMemoryTCP: or(goInt, 0),
  MemoryReservation: or(goInt, 0),
  MemorySwap: or(goInt, 0),
  MemorySwappiness: or(goInt, null),
  OomKillDisable: or(goBool, null),
  PidsLimit: or(goInt, null),
  Ulimits: or(goList("Ulimit", ulimit), null),
  CpuCount: or(goInt, 0),
  CpuPercent: or(goInt, 0),
  IOMaximumIOps: or(goUint, 0),
  IOMaximumBandwidth: or(goUint, 0),
} as const satisfies { readonly [Field in keyof Resources]: z.ZodType<Resources[Field]> };

/** `validateRestartPolicy` checks the name, with Docker's message. */
export const restartPolicy = goStruct("container.RestartPolicy", {
  Name: or(goString, "") as z.ZodType<RestartPolicy["Name"]>,
  MaximumRetryCount: or(goInt, 0),
});
