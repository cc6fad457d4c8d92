import type { HostFacts } from "../../host/host.ts";
import { type ApiVersion, fieldsAt, SINCE } from "../versions/changes.ts";
import { engineVersion } from "../versions/engine-version.ts";
import { formatVersion, NEWEST_VERSION, oldestVersionText } from "../versions/version.ts";

/** `GET /version`. */
export function versionShape(facts: HostFacts) {
  return {
    Platform: { Name: "Berth" },
    Components: [
      {
        Name: "Engine",
        Version: engineVersion(facts.berthVersion),
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
    Version: engineVersion(facts.berthVersion),
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
    AllowNondistributableArtifactsCIDRs: null,
    AllowNondistributableArtifactsHostnames: null,
    InsecureRegistryCIDRs: ["127.0.0.0/8"],
    IndexConfigs: Object.fromEntries([
      ["docker.io", { Name: "docker.io", Mirrors: mirrors, Secure: true, Official: true }],
      ...insecureRegistries.map((name) => [name, { Name: name, Mirrors: [], Secure: false, Official: false }]),
    ]),
    Mirrors: mirrors,
  };
}

/** What of `info` is of the moment; `now` is in milliseconds. */
interface Moment {
  readonly now: number;
  readonly warnings: readonly string[];
}

/** `GET /info` with the fields of the given version. */
export function infoShape(facts: HostFacts, counts: Counts, moment: Moment, version: ApiVersion) {
  return fieldsAt(version, "info", {
    ...everyField(facts, counts, moment),
    SecurityOptions: version >= SINCE.nameValueSecurityOptions ? ["name=seccomp,profile=builtin"] : ["seccomp"],
  });
}

function everyField(facts: HostFacts, { containers, images }: Counts, { now, warnings }: Moment) {
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
    ServerVersion: engineVersion(facts.berthVersion),
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
    FirewallBackend: { Driver: "nftables" },
    CDISpecDirs: [],
    Warnings: warnings.length === 0 ? null : warnings,
  };
}
