import {
  type ContainerFacts,
  type DecisionRequest,
  HOST_PRIVILEGES,
  type HostPrivilege,
  type Privilege,
  RESOURCES,
  type Resource,
} from "@berth/directory-domain";
import type { PortWish } from "@berth/port-spec";
import { sharedContainer } from "../engine/network-mode.ts";

function loosens(option: string): boolean {
  return !/^(no-new-privileges([=:].*)?|seccomp[=:]builtin|label[=:](user|role|type|level):.*)$/.test(option);
}

function capability(name: string): Privilege {
  return `capability:${name.toUpperCase().replace(/^CAP_/, "")}`;
}

/** What decisions read of Docker's `HostConfig`. */
export interface DecidedHostConfig {
  readonly NetworkMode: string;
  readonly PidMode: string;
  readonly IpcMode: string;
  readonly UTSMode: string;
  readonly UsernsMode: string;
  readonly CgroupnsMode: string;
  readonly CgroupParent: string;
  readonly Privileged: boolean;
  readonly CapAdd: readonly string[] | null;
  readonly Devices: readonly unknown[] | null;
  readonly DeviceCgroupRules: readonly string[] | null;
  readonly DeviceRequests: readonly unknown[] | null;
  readonly SecurityOpt: readonly string[] | null;
  readonly MaskedPaths: readonly string[] | null;
  readonly ReadonlyPaths: readonly string[] | null;
  readonly OomScoreAdj: number;
  readonly OomKillDisable: boolean | null;
  readonly Sysctls?: Readonly<Record<string, string>>;
  readonly Runtime: string;
  readonly Memory: number;
  readonly NanoCpus: number;
  readonly CpuQuota: number;
  readonly CpuPeriod: number;
  readonly CpuRealtimeRuntime: number;
  readonly PidsLimit: number | null;
}

/** What decisions read of a container. */
export interface DecidedContainer {
  readonly hostConfig: DecidedHostConfig;
  readonly ports: { readonly wishes: readonly PortWish[] };
}

/** What a container gets on this host without asking, and so is no privilege. */
export interface HostDefaults {
  /** Docker's default: `host` where cgroups are not unified. */
  readonly cgroupnsMode: "host" | "private";
}

/** Every way in which a request reaches past its container, each spelling of it under one word. */
export function privilegesOf(hostConfig: DecidedHostConfig, host: HostDefaults): readonly Privilege[] {
  const modes = [hostConfig.NetworkMode, hostConfig.PidMode, hostConfig.IpcMode];
  // A new privilege needs its entry here to compile.
  const asked: Readonly<Record<HostPrivilege, boolean>> = {
    privileged: hostConfig.Privileged,
    "host-network": hostConfig.NetworkMode === "host",
    "host-pid": hostConfig.PidMode === "host",
    "host-ipc": hostConfig.IpcMode === "host",
    "host-uts": hostConfig.UTSMode === "host",
    "host-users": hostConfig.UsernsMode === "host",
    "host-cgroups": hostConfig.CgroupnsMode === "host" && host.cgroupnsMode !== "host",
    "join-container": modes.some((mode) => sharedContainer(mode) !== undefined),
    devices: [hostConfig.Devices, hostConfig.DeviceCgroupRules, hostConfig.DeviceRequests].some(
      (list) => (list ?? []).length > 0,
    ),
    unconfined:
      (hostConfig.SecurityOpt ?? []).some(loosens) ||
      hostConfig.MaskedPaths !== null ||
      hostConfig.ReadonlyPaths !== null ||
      hostConfig.OomScoreAdj < 0 ||
      hostConfig.OomKillDisable === true,
    sysctls: Object.keys(hostConfig.Sysctls ?? {}).length > 0,
    runtime: hostConfig.Runtime !== "" && hostConfig.Runtime !== "runc",
    "cgroup-parent": hostConfig.CgroupParent !== "",
  };
  return [...HOST_PRIVILEGES.filter((privilege) => asked[privilege]), ...(hostConfig.CapAdd ?? []).map(capability)];
}

function cpusOf({ NanoCpus, CpuQuota, CpuPeriod, CpuRealtimeRuntime }: DecidedHostConfig): number | "unlimited" {
  // The kernel's limit of processor time does not hold for its real-time scheduler.
  if (CpuRealtimeRuntime !== 0) return "unlimited";
  if (NanoCpus > 0) return NanoCpus / 1e9;
  return CpuQuota > 0 ? CpuQuota / (CpuPeriod || 100_000) : "unlimited";
}

type Quantities = ContainerFacts["quantities"];

function quantitiesOf({ hostConfig, ports }: DecidedContainer): Quantities {
  return {
    containers: 1,
    "published-ports": ports.wishes.length,
    memory: hostConfig.Memory > 0 ? hostConfig.Memory : "unlimited",
    cpu: cpusOf(hostConfig),
    pids: (hostConfig.PidsLimit ?? 0) > 0 ? (hostConfig.PidsLimit ?? 0) : "unlimited",
  };
}

/** What the other containers hold. One without a limit was made before there was a quota and counts as nothing of it. */
function sum(others: readonly Quantities[]): ContainerFacts["used"] {
  const total = (resource: Resource) =>
    others.reduce((held, { [resource]: amount }) => held + (amount === "unlimited" ? 0 : amount), 0);
  return Object.fromEntries(RESOURCES.map((resource) => [resource, total(resource)])) as ContainerFacts["used"];
}

/**
 * What a container would take, in the directory's words. Pure: the caller has resolved what needs the host.
 *
 * @param hostFolders what it mounts of the host, links resolved: binds, and volumes that are a folder of the host in disguise.
 * @param references the full names of its image.
 * @param others the owner's other containers.
 */
export function containerFacts(
  container: DecidedContainer & { readonly image: string },
  context: {
    readonly hostFolders: NonNullable<DecisionRequest["mounts"]>;
    readonly references: readonly string[];
    readonly others: readonly DecidedContainer[];
    readonly host: HostDefaults;
  },
): ContainerFacts {
  return {
    ports: container.ports.wishes.map(({ hostIp, hostPorts, protocol }) => ({
      hostIp,
      hostPort: hostPorts ?? "dynamic",
      protocol,
    })),
    images: [{ name: container.image, references: context.references }],
    mounts: context.hostFolders,
    privileges: privilegesOf(container.hostConfig, context.host),
    quantities: quantitiesOf(container),
    used: sum(context.others.map(quantitiesOf)),
  };
}
