import type { ExposedPorts, PortAssignment, PortBinding, PortBindings, PortKey, PortWish } from "@berth/port-spec";
import { z } from "zod";
import type {
  ContainerConfig,
  DeviceMapping,
  DeviceRequest,
  HealthConfig,
  HostConfig,
  MountRequest,
  RestartPolicy,
  ThrottleDevice,
  Ulimit,
  WeightDevice,
} from "../../containers/records/config.ts";
import type { Container, ContainerState, Health, MountPoint } from "../../containers/records/container.ts";
import type { Intent } from "../../containers/records/store.ts";
import { ENDPOINT_REQUEST } from "./network-row.ts";
import { type Fields, orUndefined, type RowKind, STRING_MAP, STRINGS } from "./row-kind.ts";

const PORT_KEY = z.templateLiteral([z.number(), "/", z.enum(["tcp", "udp", "sctp"])]) satisfies z.ZodType<PortKey>;
const EMPTY = z.record(z.string(), z.never());

const HEALTH_CONFIG = z.object({
  Test: STRINGS.exactOptional(),
  Interval: z.number().exactOptional(),
  Timeout: z.number().exactOptional(),
  StartPeriod: z.number().exactOptional(),
  StartInterval: z.number().exactOptional(),
  Retries: z.number().exactOptional(),
} satisfies Fields<HealthConfig>);

const CONFIG = z.object({
  Hostname: z.string(),
  Domainname: z.string(),
  User: z.string(),
  AttachStdin: z.boolean(),
  AttachStdout: z.boolean(),
  AttachStderr: z.boolean(),
  ExposedPorts: (z.record(PORT_KEY, EMPTY) as z.ZodType<ExposedPorts>).exactOptional(),
  Tty: z.boolean(),
  OpenStdin: z.boolean(),
  StdinOnce: z.boolean(),
  Env: STRINGS,
  Cmd: STRINGS.nullable(),
  Healthcheck: HEALTH_CONFIG.exactOptional(),
  Image: z.string(),
  Volumes: z.record(z.string(), EMPTY).nullable(),
  WorkingDir: z.string(),
  Entrypoint: STRINGS.nullable(),
  ArgsEscaped: z.boolean().exactOptional(),
  NetworkDisabled: z.boolean().exactOptional(),
  MacAddress: z.string().exactOptional(),
  OnBuild: STRINGS.nullable(),
  Labels: STRING_MAP,
  StopSignal: z.string().exactOptional(),
  StopTimeout: z.number().exactOptional(),
  Shell: STRINGS.exactOptional(),
} satisfies Fields<ContainerConfig>);

const MOUNT_REQUEST = z.object({
  Type: z.enum(["bind", "volume", "tmpfs", "image"]),
  Source: z.string().exactOptional(),
  Target: z.string(),
  ReadOnly: z.boolean().exactOptional(),
  Consistency: z.string().exactOptional(),
  BindOptions: z
    .object({
      Propagation: z.string().exactOptional(),
      NonRecursive: z.boolean().exactOptional(),
      CreateMountpoint: z.boolean().exactOptional(),
      ReadOnlyNonRecursive: z.boolean().exactOptional(),
      ReadOnlyForceRecursive: z.boolean().exactOptional(),
    } satisfies Fields<NonNullable<MountRequest["BindOptions"]>>)
    .exactOptional(),
  VolumeOptions: z
    .object({
      NoCopy: z.boolean().exactOptional(),
      Labels: STRING_MAP.exactOptional(),
      DriverConfig: z.object({ Name: z.string().exactOptional(), Options: STRING_MAP.exactOptional() }).exactOptional(),
      Subpath: z.string().exactOptional(),
    } satisfies Fields<NonNullable<MountRequest["VolumeOptions"]>>)
    .exactOptional(),
  TmpfsOptions: z
    .object({
      SizeBytes: z.number().exactOptional(),
      Mode: z.number().exactOptional(),
      Options: z.array(STRINGS).exactOptional(),
    } satisfies Fields<NonNullable<MountRequest["TmpfsOptions"]>>)
    .exactOptional(),
  ImageOptions: z.object({ Subpath: z.string().exactOptional() }).exactOptional(),
} satisfies Fields<MountRequest>);

const THROTTLES = z.array(z.object({ Path: z.string(), Rate: z.number() } satisfies Fields<ThrottleDevice>)).nullable();

const WEIGHTS = z.array(z.object({ Path: z.string(), Weight: z.number() } satisfies Fields<WeightDevice>)).nullable();

const PORT_BINDING = z.object({ HostIp: z.string(), HostPort: z.string() } satisfies Fields<PortBinding>);

const DEVICE_REQUEST = z.object({
  Driver: z.string().exactOptional(),
  Count: z.number().exactOptional(),
  DeviceIDs: STRINGS.nullable().exactOptional(),
  Capabilities: z.array(STRINGS).nullable().exactOptional(),
  Options: STRING_MAP.nullable().exactOptional(),
} satisfies Fields<DeviceRequest>);

const HOST_CONFIG = z.object({
  CpuShares: z.number(),
  Memory: z.number(),
  NanoCpus: z.number(),
  CgroupParent: z.string(),
  BlkioWeight: z.number(),
  BlkioWeightDevice: WEIGHTS,
  BlkioDeviceReadBps: THROTTLES,
  BlkioDeviceWriteBps: THROTTLES,
  BlkioDeviceReadIOps: THROTTLES,
  BlkioDeviceWriteIOps: THROTTLES,
  CpuPeriod: z.number(),
  CpuQuota: z.number(),
  CpuRealtimePeriod: z.number(),
  CpuRealtimeRuntime: z.number(),
  CpusetCpus: z.string(),
  CpusetMems: z.string(),
  Devices: z.array(
    z.object({
      PathOnHost: z.string(),
      PathInContainer: z.string(),
      CgroupPermissions: z.string(),
    } satisfies Fields<DeviceMapping>),
  ),
  DeviceCgroupRules: STRINGS.nullable(),
  DeviceRequests: z.array(DEVICE_REQUEST).nullable(),
  KernelMemory: z.number(),
  KernelMemoryTCP: z.number(),
  MemoryReservation: z.number(),
  MemorySwap: z.number(),
  MemorySwappiness: z.number().nullable(),
  OomKillDisable: z.boolean().nullable(),
  PidsLimit: z.number().nullable(),
  Ulimits: z
    .array(z.object({ Name: z.string(), Soft: z.number(), Hard: z.number() } satisfies Fields<Ulimit>))
    .nullable(),
  CpuCount: z.number(),
  CpuPercent: z.number(),
  IOMaximumIOps: z.number(),
  IOMaximumBandwidth: z.number(),
  Binds: STRINGS.nullable(),
  ContainerIDFile: z.string(),
  LogConfig: z.object({ Type: z.string(), Config: STRING_MAP }),
  NetworkMode: z.string(),
  PortBindings: (z.record(PORT_KEY, z.array(PORT_BINDING).nullable()) as z.ZodType<PortBindings>).nullable(),
  RestartPolicy: z.object({
    Name: z.enum(["", "no", "always", "on-failure", "unless-stopped"]),
    MaximumRetryCount: z.number(),
  } satisfies Fields<RestartPolicy>),
  AutoRemove: z.boolean(),
  VolumeDriver: z.string(),
  VolumesFrom: STRINGS.nullable(),
  CapAdd: STRINGS.nullable(),
  CapDrop: STRINGS.nullable(),
  CgroupnsMode: z.string(),
  Dns: STRINGS,
  DnsOptions: STRINGS,
  DnsSearch: STRINGS,
  ExtraHosts: STRINGS.nullable(),
  GroupAdd: STRINGS.nullable(),
  IpcMode: z.string(),
  Cgroup: z.string(),
  Links: STRINGS.nullable(),
  OomScoreAdj: z.number(),
  PidMode: z.string(),
  Privileged: z.boolean(),
  PublishAllPorts: z.boolean(),
  ReadonlyRootfs: z.boolean(),
  SecurityOpt: STRINGS.nullable(),
  StorageOpt: STRING_MAP.exactOptional(),
  Tmpfs: STRING_MAP.exactOptional(),
  UTSMode: z.string(),
  UsernsMode: z.string(),
  ShmSize: z.number(),
  Sysctls: STRING_MAP.exactOptional(),
  Runtime: z.string(),
  Annotations: STRING_MAP.exactOptional(),
  ConsoleSize: z.tuple([z.number(), z.number()]),
  Isolation: z.string(),
  MaskedPaths: STRINGS.nullable(),
  ReadonlyPaths: STRINGS.nullable(),
  Mounts: z.array(MOUNT_REQUEST).exactOptional(),
  Init: z.boolean().exactOptional(),
} satisfies Fields<HostConfig>);

const PROTOCOL = z.enum(["tcp", "udp", "sctp"]);

const PORTS = z.object({
  exposed: z.array(PORT_KEY),
  wishes: z.array(
    z.object({
      containerPort: z.number(),
      protocol: PROTOCOL,
      hostIp: z.string(),
      hostPorts: orUndefined(z.object({ start: z.number(), end: z.number() })),
      preferred: z.number().exactOptional(),
    } satisfies Fields<PortWish>),
  ),
  last: z
    .array(
      z.object({
        containerPort: z.number(),
        protocol: PROTOCOL,
        hostIp: z.string(),
        hostPort: z.number(),
      } satisfies Fields<PortAssignment>),
    )
    .exactOptional(),
} satisfies Fields<Container["ports"]>);

const MOUNT_POINT = z.object({
  type: z.enum(["bind", "volume", "tmpfs", "image"]),
  name: z.string().exactOptional(),
  source: z.string(),
  image: z.object({ id: z.string(), layers: z.string() }).exactOptional(),
  real: z.string().exactOptional(),
  destination: z.string(),
  driver: z.string().exactOptional(),
  mode: z.string(),
  readWrite: z.boolean(),
  propagation: z.string(),
  nonRecursive: z.literal(true).exactOptional(),
  writableBelow: z.literal(true).exactOptional(),
  subpath: z.string().exactOptional(),
} satisfies Fields<MountPoint>);

const HEALTH = z.object({
  status: z.enum(["starting", "healthy", "unhealthy"]),
  failingStreak: z.number(),
  log: z.array(z.object({ start: z.string(), end: z.string(), exitCode: z.number(), output: z.string() })),
} satisfies Fields<Health>);

const STATE = z.object({
  status: z.enum(["created", "running", "paused", "restarting", "removing", "exited", "dead"]),
  pid: z.number(),
  exitCode: z.number(),
  error: z.string(),
  oomKilled: z.boolean(),
  startedAt: orUndefined(z.string()),
  finishedAt: orUndefined(z.string()),
  health: HEALTH.exactOptional(),
} satisfies Fields<ContainerState>);

const INTENT: z.ZodType<Intent> = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["create", "start", "commit"]) }),
  z.object({
    kind: z.enum(["stop", "restart"]),
    signal: z.string().exactOptional(),
    timeoutSeconds: z.number().exactOptional(),
  }),
  z.object({ kind: z.literal("leave"), network: z.string() }),
  z.object({ kind: z.literal("remove"), volumes: z.boolean() }),
]);

/** Rows of `containers`. */
export const CONTAINER_ROW: RowKind<
  Pick<Container, "config" | "hostConfig" | "endpoints" | "ports" | "mounts" | "state"> & {
    readonly imageNames: readonly string[] | null;
    readonly intent: Intent | null;
  }
> = {
  name: "container",
  columns: z.object({
    config: CONFIG,
    hostConfig: HOST_CONFIG,
    endpoints: z.record(z.string(), ENDPOINT_REQUEST),
    ports: PORTS,
    mounts: z.array(MOUNT_POINT),
    state: STATE,
    imageNames: STRINGS.nullable(),
    intent: INTENT.nullable(),
  }),
  upgrades: [],
};
