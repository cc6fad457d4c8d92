import type { HostFacts } from "../../host/host.ts";
import { formatVersion, NEWEST_VERSION, oldestVersionText } from "../versions/version.ts";

/**
 * The engine version that clients compare with: the Docker release that Berth behaves like. Berth's own version follows as build
 * metadata, since clients would take a bare `0.1.0` for a Docker of 2013 and some would refuse it.
 */
function engineVersion(facts: HostFacts): string {
  return `20.10.24+berth.${facts.berthVersion}`;
}

/** `GET /version`. */
export function versionShape(facts: HostFacts) {
  return {
    Platform: { Name: "Berth" },
    Components: [
      {
        Name: "Engine",
        Version: engineVersion(facts),
        Details: {
          ApiVersion: formatVersion(NEWEST_VERSION),
          Arch: facts.architecture,
          Experimental: "false",
          GitCommit: "",
          GoVersion: "",
          KernelVersion: facts.kernelVersion,
          MinAPIVersion: oldestVersionText,
          Os: "linux",
        },
      },
      { Name: facts.runtime.name, Version: facts.runtime.version, Details: { GitCommit: "" } },
      { Name: "runc", Version: facts.runtime.runc, Details: { GitCommit: "" } },
    ],
    Version: engineVersion(facts),
    ApiVersion: formatVersion(NEWEST_VERSION),
    MinAPIVersion: oldestVersionText,
    GitCommit: "",
    GoVersion: "",
    Os: "linux",
    Arch: facts.architecture,
    KernelVersion: facts.kernelVersion,
  };
}

/** The counts in `info`. */
export interface Counts {
  readonly containers: {
    readonly total: number;
    readonly running: number;
    readonly paused: number;
    readonly stopped: number;
  };
  readonly images: number;
}

function registryConfig({ insecureRegistries, mirrors }: HostFacts) {
  return {
    AllowNondistributableArtifactsCIDRs: [],
    AllowNondistributableArtifactsHostnames: [],
    InsecureRegistryCIDRs: ["127.0.0.0/8"],
    IndexConfigs: Object.fromEntries([
      ["docker.io", { Name: "docker.io", Mirrors: mirrors, Secure: true, Official: true }],
      ...insecureRegistries.map((name) => [name, { Name: name, Mirrors: [], Secure: false, Official: false }]),
    ]),
    Mirrors: mirrors,
  };
}

/** `GET /info`. `now` is in milliseconds. */
export function infoShape(
  facts: HostFacts,
  { containers, images }: Counts,
  { now, warnings }: { readonly now: number; readonly warnings: readonly string[] },
) {
  return {
    ID: facts.id,
    Containers: containers.total,
    ContainersRunning: containers.running,
    ContainersPaused: containers.paused,
    ContainersStopped: containers.stopped,
    Images: images,
    Driver: "overlayfs",
    DriverStatus: [["driver-type", "io.containerd.snapshotter.v1"]],
    Plugins: {
      Volume: ["local"],
      Network: ["bridge", "host", "null"],
      Authorization: null,
      Log: ["json-file"],
    },
    MemoryLimit: true,
    SwapLimit: true,
    KernelMemory: false,
    KernelMemoryTCP: false,
    CpuCfsPeriod: true,
    CpuCfsQuota: true,
    CPUShares: true,
    CPUSet: true,
    PidsLimit: true,
    IPv4Forwarding: true,
    BridgeNfIptables: false,
    BridgeNfIp6tables: false,
    Debug: false,
    NFd: 0,
    OomKillDisable: facts.cgroupVersion === "1",
    NGoroutines: 0,
    SystemTime: new Date(now).toISOString(),
    LoggingDriver: "json-file",
    CgroupDriver: "cgroupfs",
    CgroupVersion: facts.cgroupVersion,
    NEventsListener: 0,
    KernelVersion: facts.kernelVersion,
    OperatingSystem: facts.operatingSystem,
    OSVersion: facts.osVersion,
    OSType: "linux",
    Architecture: facts.machine,
    IndexServerAddress: "https://index.docker.io/v1/",
    RegistryConfig: registryConfig(facts),
    NCPU: facts.cpus,
    MemTotal: facts.memory,
    GenericResources: null,
    DockerRootDir: facts.stateDirectory,
    HttpProxy: "",
    HttpsProxy: "",
    NoProxy: "",
    Name: facts.name,
    Labels: [],
    ExperimentalBuild: false,
    ServerVersion: engineVersion(facts),
    Runtimes: { "io.containerd.runc.v2": { path: "runc" }, runc: { path: "runc" } },
    DefaultRuntime: "runc",
    Swarm: {
      NodeID: "",
      NodeAddr: "",
      LocalNodeState: "inactive",
      ControlAvailable: false,
      Error: "",
      RemoteManagers: null,
    },
    LiveRestoreEnabled: true,
    Isolation: "",
    InitBinary: "berth-init",
    ContainerdCommit: { ID: facts.runtime.version, Expected: facts.runtime.version },
    RuncCommit: { ID: facts.runtime.runc, Expected: facts.runtime.runc },
    InitCommit: { ID: "", Expected: "" },
    SecurityOptions: ["name=seccomp,profile=default"],
    Warnings: warnings.length === 0 ? null : warnings,
  };
}
