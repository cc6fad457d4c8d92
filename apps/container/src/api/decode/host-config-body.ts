import type { PortBindings } from "@berth/port-spec";
import { omitUndefined } from "@berth/service-kit/omit-undefined";
import type { z } from "zod";
import type { HostConfig, MountRequest } from "../../containers/records/config.ts";
import {
  goBool,
  goInt,
  goList,
  goMap,
  goString,
  goStringMap,
  goStrings,
  goStruct,
  goUint,
  goWords,
  or,
} from "../go-json/go-json.ts";
import { RESOURCE_FIELDS, restartPolicy } from "./resources-body.ts";

const portBinding = goStruct("nat.PortBinding", { HostIp: or(goString, ""), HostPort: or(goString, "") });

/** Keys keep the spelling of the request, since inspect echoes them. */
export const portBindings = goMap(
  "nat.PortMap",
  goList("nat.PortBinding", portBinding).nullable(),
) as z.ZodType<PortBindings>;

const bindOptions = goStruct("mount.BindOptions", {
  Propagation: goString.optional(),
  NonRecursive: goBool.optional(),
  CreateMountpoint: goBool.optional(),
  ReadOnlyNonRecursive: goBool.optional(),
  ReadOnlyForceRecursive: goBool.optional(),
});

const volumeOptions = goStruct("mount.VolumeOptions", {
  NoCopy: goBool.optional(),
  Labels: goStringMap.optional(),
  DriverConfig: goStruct("mount.Driver", { Name: goString.optional(), Options: goStringMap.optional() }).optional(),
  Subpath: goString.optional(),
});

const tmpfsOptions = goStruct("mount.TmpfsOptions", {
  SizeBytes: goInt.optional(),
  Mode: goUint.optional(),
  Options: goList("[]string", goStrings).optional(),
});

const mount = goStruct("mount.Mount", {
  Type: or(goString, ""),
  Source: goString.optional(),
  Target: or(goString, ""),
  ReadOnly: goBool.optional(),
  Consistency: goString.optional(),
  BindOptions: bindOptions.optional(),
  VolumeOptions: volumeOptions.optional(),
  TmpfsOptions: tmpfsOptions.optional(),
  ImageOptions: goStruct("mount.ImageOptions", { Subpath: goString.optional() }).optional(),
}) as z.ZodType<MountRequest>;

const consoleSize = goList("uint", goUint).transform((size): readonly [number, number] => [size[0] ?? 0, size[1] ?? 0]);

/** `HostConfig` as decoded: Go's zero value for missing fields. */
export const hostConfig: z.ZodType<HostConfig> = goStruct("container.HostConfig", {
  ...RESOURCE_FIELDS,
  Binds: or(goStrings, null),
  ContainerIDFile: or(goString, ""),
  Annotations: goStringMap.optional(),
  LogConfig: or(goStruct("container.LogConfig", { Type: or(goString, ""), Config: or(goStringMap, {}) }), {
    Type: "",
    Config: {},
  }),
  NetworkMode: or(goString, ""),
  PortBindings: or(portBindings, null),
  RestartPolicy: or(restartPolicy, { Name: "" as const, MaximumRetryCount: 0 }),
  AutoRemove: or(goBool, false),
  VolumeDriver: or(goString, ""),
  VolumesFrom: or(goStrings, null),
  CapAdd: or(goWords, null),
  CapDrop: or(goWords, null),
  CgroupnsMode: or(goString, ""),
  Dns: or(goStrings, []),
  DnsOptions: or(goStrings, []),
  DnsSearch: or(goStrings, []),
  ExtraHosts: or(goStrings, null),
  GroupAdd: or(goStrings, null),
  IpcMode: or(goString, ""),
  Cgroup: or(goString, ""),
  Links: or(goStrings, null),
  OomScoreAdj: or(goInt, 0),
  PidMode: or(goString, ""),
  Privileged: or(goBool, false),
  PublishAllPorts: or(goBool, false),
  ReadonlyRootfs: or(goBool, false),
  SecurityOpt: or(goStrings, null),
  StorageOpt: goStringMap.optional(),
  Tmpfs: goStringMap.optional(),
  UTSMode: or(goString, ""),
  UsernsMode: or(goString, ""),
  ShmSize: or(goInt, 0),
  Sysctls: goStringMap.optional(),
  Runtime: or(goString, ""),
  ConsoleSize: or(consoleSize, [0, 0] as const),
  Isolation: or(goString, ""),
  MaskedPaths: or(goStrings, null),
  ReadonlyPaths: or(goStrings, null),
  Mounts: goList("Mount", mount).optional(),
  Init: goBool.optional(),
}).transform((host): HostConfig => omitUndefined(host));
