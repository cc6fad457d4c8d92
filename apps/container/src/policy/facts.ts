import {
  type ContainerFacts,
  type ContainerResource,
  type DecisionRequest,
  HOST_PRIVILEGES,
  type HostPrivilege,
  type ImageWish,
  type Privilege,
} from "@berth/directory-domain";
import type { PortWish } from "@berth/port-spec";
import { ENDPOINT_SYSCTLS, type WithDriverOptions } from "../engine/endpoint-sysctls.ts";
import type { HostDefaults } from "../engine/host-defaults.ts";
import { sharedContainer } from "../engine/network-mode.ts";
import type { SharedQuotaUse } from "./shared-quotas.ts";

function loosens(option: string): boolean {
  return !/^(no-new-privileges([=:].*)?|seccomp[=:]builtin|label[=:](user|role|type|level):.*)$/.test(option);
}

function capability(name: string): Privilege {
  return `capability:${name.toUpperCase().replace(/^CAP_/, "")}`;
}

/** The part of Docker's `HostConfig` that decisions read. */
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
  readonly MemorySwap: number;
  readonly NanoCpus: number;
  readonly CpuQuota: number;
  readonly CpuPeriod: number;
  readonly CpuRealtimeRuntime: number;
  readonly PidsLimit: number | null;
  readonly Ulimits?: readonly Ulimit[] | null;
}

interface Ulimit {
  readonly Name: string;
  readonly Hard: number;
}

/** Limits that make a process as free to outrank others, and with `rtprio` to exceed its quota of processors, as SYS_NICE does (getrlimit(2)). */
function outranks({ Name, Hard }: Ulimit): boolean {
  return (Name === "rtprio" && Hard !== 0) || (Name === "nice" && (Hard < 0 || Hard > 20));
}

/** The part of a container that decisions read. */
export interface DecidedContainer {
  readonly hostConfig: DecidedHostConfig;
  readonly endpoints: Readonly<Record<string, WithDriverOptions>>;
  readonly ports: { readonly wishes: readonly PortWish[] };
}

/** Every way a request can reach beyond its container, with all spellings of one way under one name. */
export function privilegesOf(
  { hostConfig, endpoints }: Pick<DecidedContainer, "hostConfig" | "endpoints">,
  host: HostDefaults,
): readonly Privilege[] {
  const modes = [hostConfig.NetworkMode, hostConfig.PidMode, hostConfig.IpcMode];
  // A new privilege does not compile without an entry here.
  const asked: Readonly<Record<HostPrivilege, boolean>> = {
    privileged: hostConfig.Privileged,
    "host-network": hostConfig.NetworkMode === "host",
    "host-pid": hostConfig.PidMode === "host",
    "host-ipc": hostConfig.IpcMode === "host",
    "host-uts": hostConfig.UTSMode === "host",
    "host-users": hostConfig.UsernsMode === "host",
    "host-cgroups": hostConfig.CgroupnsMode === "host" && host.cgroupnsMode !== "host",
    // No request asks for it: a container of a user who may have it gets it at its start.
    "host-services": false,
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
    sysctls:
      Object.keys(hostConfig.Sysctls ?? {}).length > 0 ||
      Object.values(endpoints).some(({ DriverOpts }) => DriverOpts?.[ENDPOINT_SYSCTLS] !== undefined),
    runtime: hostConfig.Runtime !== "" && hostConfig.Runtime !== "runc",
    "cgroup-parent": hostConfig.CgroupParent !== "",
  };
  return [
    ...HOST_PRIVILEGES.filter((privilege) => asked[privilege]),
    ...(hostConfig.CapAdd ?? []).map(capability),
    ...((hostConfig.Ulimits ?? []).some(outranks) ? [capability("SYS_NICE")] : []),
  ];
}

function cpusOf({ NanoCpus, CpuQuota, CpuPeriod, CpuRealtimeRuntime }: DecidedHostConfig): number | "unlimited" {
  // CPU limits do not apply to the kernel's real-time scheduler.
  if (CpuRealtimeRuntime !== 0) return "unlimited";
  // The kernel is given whole microseconds per 100 ms; less than one sets no limit.
  if (NanoCpus > 0) return NanoCpus < 10_000 ? "unlimited" : NanoCpus / 1e9;
  return CpuQuota > 0 ? CpuQuota / (CpuPeriod || 100_000) : "unlimited";
}

/**
 * Memory, or swap where a container may use more of that; `MemorySwap` is the sum of both, -1 has no bound, and 0 is twice the memory.
 * Where the host cannot limit swap, every container has -1 and memory alone counts.
 */
function memoryOf({ Memory, MemorySwap }: DecidedHostConfig, { limits }: HostDefaults): number | "unlimited" {
  if (Memory <= 0) return "unlimited";
  if (!limits.has("swap")) return Memory;
  return MemorySwap < 0 ? "unlimited" : Math.max(Memory, MemorySwap - Memory);
}

/** Where memory has a limit and swap has not or a larger one, `--memory` would not help. */
function memoryRemedy(hostConfig: DecidedHostConfig, host: HostDefaults): string | undefined {
  const { Memory, MemorySwap } = hostConfig;
  const isSwap = Memory > 0 && host.limits.has("swap") && (MemorySwap < 0 || MemorySwap > 2 * Memory);
  return isSwap ? `set --memory-swap to ${2 * Memory} or less, or leave it out` : undefined;
}

type Quantities = ContainerFacts["quantities"];

function quantitiesOf({ hostConfig, ports }: DecidedContainer, host: HostDefaults): Quantities {
  return {
    containers: 1,
    "published-ports": ports.wishes.length,
    memory: memoryOf(hostConfig, host),
    cpu: cpusOf(hostConfig),
    pids: (hostConfig.PidsLimit ?? 0) > 0 ? (hostConfig.PidsLimit ?? 0) : "unlimited",
    // Nobody says beforehand what a container will write: what its owner has written decides.
    storage: 0,
  };
}

/** The total that containers use, beside what they store. One without a limit predates the quota and counts as zero. */
export function usedBy(
  containers: readonly DecidedContainer[],
  host: HostDefaults,
  storage: number,
): ContainerFacts["used"] {
  const others = containers.map((one) => quantitiesOf(one, host));
  const total = (resource: ContainerResource) =>
    others.reduce((held, { [resource]: amount }) => held + (amount === "unlimited" ? 0 : amount), 0);
  return {
    containers: total("containers"),
    "published-ports": total("published-ports"),
    memory: total("memory"),
    cpu: total("cpu"),
    pids: total("pids"),
    storage,
  };
}

/**
 * Describes what a container would use, in the directory's terms. Pure: the caller has resolved what depends on the host.
 *
 * @param hostFolders the host directories it mounts, links resolved: binds, and volumes backed by a host directory.
 * @param images its image, with full names, or what that was built from.
 * @param others the owner's other containers.
 * @param networks the networks of others that it joins, as constraints name them.
 * @param storage bytes that the owner's layers, logs and volumes take.
 * @param shared the other containers that count for each quota which the owner shares.
 */
export function containerFacts(
  container: DecidedContainer,
  context: {
    readonly hostFolders: NonNullable<DecisionRequest["mounts"]>;
    readonly images: readonly ImageWish[];
    readonly networks: readonly string[];
    readonly others: readonly DecidedContainer[];
    readonly storage: number;
    readonly shared: readonly SharedQuotaUse<DecidedContainer>[];
    readonly host: HostDefaults;
  },
): ContainerFacts {
  const swap = memoryRemedy(container.hostConfig, context.host);
  return {
    ...(swap === undefined ? {} : { remedies: { memory: swap } }),
    ports: container.ports.wishes.map(({ hostIp, hostPorts, protocol }) => ({
      hostIp: hostIp || (context.host.defaultHostIp ?? ""),
      hostPort: hostPorts ?? "dynamic",
      protocol,
    })),
    images: context.images,
    mounts: context.hostFolders,
    privileges: privilegesOf(container, context.host),
    networks: context.networks,
    quantities: quantitiesOf(container, context.host),
    used: usedBy(context.others, context.host, context.storage),
    sharedUse: Object.fromEntries(
      context.shared.map(({ id, resource, held }) => [id, usedBy(held, context.host, 0)[resource]]),
    ),
  };
}
