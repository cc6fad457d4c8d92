import type { ExposedPorts, PortBindings } from "@berth/port-spec";
import type { EndpointRequest } from "../../networks/networks.ts";

// The create request in Docker's spelling (API 1.51), kept unchanged because inspect echoes it.

export interface HealthConfig {
  readonly Test?: readonly string[];
  /** Nanoseconds, like all durations here. */
  readonly Interval?: number;
  readonly Timeout?: number;
  readonly StartPeriod?: number;
  readonly StartInterval?: number;
  readonly Retries?: number;
}

export interface ContainerConfig {
  readonly Hostname: string;
  readonly Domainname: string;
  readonly User: string;
  readonly AttachStdin: boolean;
  readonly AttachStdout: boolean;
  readonly AttachStderr: boolean;
  readonly ExposedPorts?: ExposedPorts;
  readonly Tty: boolean;
  readonly OpenStdin: boolean;
  readonly StdinOnce: boolean;
  readonly Env: readonly string[];
  readonly Cmd: readonly string[] | null;
  /** Of Windows: kept and shown. */
  readonly ArgsEscaped?: boolean;
  readonly Healthcheck?: HealthConfig;
  readonly Image: string;
  readonly Volumes: Readonly<Record<string, Record<string, never>>> | null;
  readonly WorkingDir: string;
  readonly Entrypoint: readonly string[] | null;
  readonly NetworkDisabled?: boolean;
  readonly MacAddress?: string;
  readonly OnBuild: readonly string[] | null;
  readonly Labels: Readonly<Record<string, string>>;
  readonly StopSignal?: string;
  readonly StopTimeout?: number;
  readonly Shell?: readonly string[];
}

export interface MountRequest {
  readonly Type: "bind" | "volume" | "tmpfs" | "image";
  readonly Source?: string;
  readonly Target: string;
  readonly ReadOnly?: boolean;
  readonly Consistency?: string;
  readonly BindOptions?: {
    readonly Propagation?: string;
    readonly NonRecursive?: boolean;
    readonly CreateMountpoint?: boolean;
    readonly ReadOnlyNonRecursive?: boolean;
    readonly ReadOnlyForceRecursive?: boolean;
  };
  readonly VolumeOptions?: {
    readonly NoCopy?: boolean;
    readonly Labels?: Readonly<Record<string, string>>;
    readonly DriverConfig?: { readonly Name?: string; readonly Options?: Readonly<Record<string, string>> };
    readonly Subpath?: string;
  };
  readonly TmpfsOptions?: {
    readonly SizeBytes?: number;
    readonly Mode?: number;
    /** `["exec"]` or `["nr_inodes", "100"]`. */
    readonly Options?: readonly (readonly string[])[];
  };
  readonly ImageOptions?: { readonly Subpath?: string };
}

export interface RestartPolicy {
  readonly Name: "" | "no" | "always" | "on-failure" | "unless-stopped";
  readonly MaximumRetryCount: number;
}

export interface DeviceMapping {
  readonly PathOnHost: string;
  readonly PathInContainer: string;
  readonly CgroupPermissions: string;
}

/** A wish for devices of a driver, as `--gpus` and CDI make it. */
export interface DeviceRequest {
  readonly Driver?: string;
  readonly Count?: number;
  readonly DeviceIDs?: readonly string[] | null;
  readonly Capabilities?: readonly (readonly string[])[] | null;
  readonly Options?: Readonly<Record<string, string>> | null;
}

export interface Ulimit {
  readonly Name: string;
  readonly Soft: number;
  readonly Hard: number;
}

/** A limit of a block device in bytes or operations per second. */
export interface ThrottleDevice {
  readonly Path: string;
  readonly Rate: number;
}

/** The share of a block device's time. */
export interface WeightDevice {
  readonly Path: string;
  readonly Weight: number;
}

/** What `docker update` can change on a running container; 0 or absent means unset, as in Docker. */
export interface Resources {
  readonly CpuShares: number;
  /** Bytes. */
  readonly Memory: number;
  readonly NanoCpus: number;
  readonly CgroupParent: string;
  readonly BlkioWeight: number;
  readonly BlkioWeightDevice: readonly WeightDevice[] | null;
  readonly BlkioDeviceReadBps: readonly ThrottleDevice[] | null;
  readonly BlkioDeviceWriteBps: readonly ThrottleDevice[] | null;
  readonly BlkioDeviceReadIOps: readonly ThrottleDevice[] | null;
  readonly BlkioDeviceWriteIOps: readonly ThrottleDevice[] | null;
  readonly CpuPeriod: number;
  readonly CpuQuota: number;
  readonly CpuRealtimePeriod: number;
  readonly CpuRealtimeRuntime: number;
  readonly CpusetCpus: string;
  readonly CpusetMems: string;
  readonly Devices: readonly DeviceMapping[];
  readonly DeviceCgroupRules: readonly string[] | null;
  readonly DeviceRequests: readonly DeviceRequest[] | null;
  readonly KernelMemory: number;
  readonly KernelMemoryTCP: number;
  readonly MemoryReservation: number;
  readonly MemorySwap: number;
  readonly MemorySwappiness: number | null;
  readonly OomKillDisable: boolean | null;
  readonly PidsLimit: number | null;
  readonly Ulimits: readonly Ulimit[] | null;
  readonly CpuCount: number;
  readonly CpuPercent: number;
  readonly IOMaximumIOps: number;
  readonly IOMaximumBandwidth: number;
}

export interface HostConfig extends Resources {
  readonly Binds: readonly string[] | null;
  readonly ContainerIDFile: string;
  readonly Annotations?: Readonly<Record<string, string>>;
  readonly LogConfig: { readonly Type: string; readonly Config: Readonly<Record<string, string>> };
  readonly NetworkMode: string;
  readonly PortBindings: PortBindings | null;
  readonly RestartPolicy: RestartPolicy;
  readonly AutoRemove: boolean;
  readonly VolumeDriver: string;
  readonly VolumesFrom: readonly string[] | null;
  readonly CapAdd: readonly string[] | null;
  readonly CapDrop: readonly string[] | null;
  readonly CgroupnsMode: string;
  readonly Dns: readonly string[];
  readonly DnsOptions: readonly string[];
  readonly DnsSearch: readonly string[];
  readonly ExtraHosts: readonly string[] | null;
  readonly GroupAdd: readonly string[] | null;
  readonly IpcMode: string;
  readonly Cgroup: string;
  readonly Links: readonly string[] | null;
  readonly OomScoreAdj: number;
  readonly PidMode: string;
  readonly Privileged: boolean;
  readonly PublishAllPorts: boolean;
  readonly ReadonlyRootfs: boolean;
  readonly SecurityOpt: readonly string[] | null;
  readonly StorageOpt?: Readonly<Record<string, string>>;
  readonly Tmpfs?: Readonly<Record<string, string>>;
  readonly UTSMode: string;
  readonly UsernsMode: string;
  readonly ShmSize: number;
  readonly Sysctls?: Readonly<Record<string, string>>;
  readonly Runtime: string;
  readonly ConsoleSize: readonly [number, number];
  readonly Isolation: string;
  /** `null` selects Docker's default list; a list replaces it. */
  readonly MaskedPaths: readonly string[] | null;
  readonly ReadonlyPaths: readonly string[] | null;
  readonly Mounts?: readonly MountRequest[];
  readonly Init?: boolean;
}

/** `POST /containers/create` as decoded: Go's zero value for missing fields. */
export interface CreateRequest {
  readonly name: string | undefined;
  readonly platform: string | undefined;
  readonly config: ContainerConfig;
  readonly hostConfig: HostConfig;
  readonly endpoints: Readonly<Record<string, EndpointRequest>>;
  /** The legacy list: exposes ports but never binds them. */
  readonly portSpecs: readonly string[] | undefined;
}
