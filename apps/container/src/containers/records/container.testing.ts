import type { ContainerId } from "../../engine/ids.ts";
import type { ContainerConfig, HostConfig, VersionDefaults } from "./config.ts";
import type { Container } from "./container.ts";
import { CREATED } from "./state.ts";

/** The create defaults of current API versions. */
export const CURRENT_DEFAULTS: VersionDefaults = {
  honoursAutoRemove: true,
  ipcMode: "private",
  honoursNonRecursive: true,
};

export function someConfig(config: Partial<ContainerConfig> = {}): ContainerConfig {
  return {
    Hostname: "",
    Domainname: "",
    User: "",
    AttachStdin: false,
    AttachStdout: false,
    AttachStderr: false,
    Tty: false,
    OpenStdin: false,
    StdinOnce: false,
    Env: [],
    Cmd: null,
    Image: "busybox",
    Volumes: null,
    WorkingDir: "",
    Entrypoint: null,
    OnBuild: null,
    Labels: {},
    ...config,
  };
}

export function someHostConfig(hostConfig: Partial<HostConfig> = {}): HostConfig {
  return {
    Binds: null,
    ContainerIDFile: "",
    LogConfig: { Type: "", Config: {} },
    NetworkMode: "default",
    PortBindings: null,
    RestartPolicy: { Name: "", MaximumRetryCount: 0 },
    AutoRemove: false,
    VolumeDriver: "",
    VolumesFrom: null,
    CapAdd: null,
    CapDrop: null,
    CgroupnsMode: "",
    Dns: [],
    DnsOptions: [],
    DnsSearch: [],
    ExtraHosts: null,
    GroupAdd: null,
    IpcMode: "",
    Cgroup: "",
    Links: null,
    OomScoreAdj: 0,
    PidMode: "",
    Privileged: false,
    PublishAllPorts: false,
    ReadonlyRootfs: false,
    SecurityOpt: null,
    UTSMode: "",
    UsernsMode: "",
    ShmSize: 0,
    Runtime: "",
    ConsoleSize: [0, 0],
    Isolation: "",
    MaskedPaths: null,
    ReadonlyPaths: null,
    CpuShares: 0,
    Memory: 0,
    NanoCpus: 0,
    CgroupParent: "",
    BlkioWeight: 0,
    BlkioWeightDevice: null,
    BlkioDeviceReadBps: null,
    BlkioDeviceWriteBps: null,
    BlkioDeviceReadIOps: null,
    BlkioDeviceWriteIOps: null,
    CpuPeriod: 0,
    CpuQuota: 0,
    CpuRealtimePeriod: 0,
    CpuRealtimeRuntime: 0,
    CpusetCpus: "",
    CpusetMems: "",
    Devices: [],
    DeviceCgroupRules: null,
    DeviceRequests: null,
    KernelMemory: 0,
    KernelMemoryTCP: 0,
    MemoryReservation: 0,
    MemorySwap: 0,
    MemorySwappiness: null,
    OomKillDisable: null,
    PidsLimit: null,
    Ulimits: null,
    CpuCount: 0,
    CpuPercent: 0,
    IOMaximumIOps: 0,
    IOMaximumBandwidth: 0,
    ...hostConfig,
  };
}

export function idOf(digit: string): ContainerId {
  return digit.repeat(64).slice(0, 64) as ContainerId;
}

export function someContainer(container: Partial<Container> = {}): Container {
  return {
    id: idOf("a"),
    name: "web",
    owner: undefined,
    image: "busybox",
    imageId: `sha256:${"b".repeat(64)}`,
    layers: "",
    createdAt: "2026-01-01T00:00:00.000000Z",
    config: someConfig({ Cmd: ["sh"] }),
    hostConfig: someHostConfig(),
    endpoints: { bridge: {} },
    ports: { exposed: [], wishes: [] },
    mounts: [],
    state: CREATED,
    restartCount: 0,
    stoppedByUser: false,
    hostServices: false,
    ...container,
  };
}
