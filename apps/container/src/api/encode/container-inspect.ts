import { inspectPorts } from "@berth/port-spec";
import type { ContainerView } from "../../containers/containers.ts";
import type { ContainerConfig, HostConfig } from "../../containers/records/config.ts";
import type { ContainerState, Health } from "../../containers/records/container.ts";
import { MASKED_PATHS, READONLY_PATHS } from "../../containers/records/masked-paths.ts";
import { ZERO_TIME } from "../../engine/moment.ts";
import { hasOwnNetwork, networkName } from "../../engine/network-mode.ts";
import { type ApiVersion, fieldsAt, SINCE } from "../versions/changes.ts";
import { formatVersion } from "../versions/version.ts";
import { manifestDescriptor } from "./descriptor-shape.ts";
import { networksShape, shownEndpoints } from "./endpoint-shape.ts";
import { mountShape } from "./mount-shape.ts";

function healthShape(health: Health) {
  return {
    Status: health.status,
    FailingStreak: health.failingStreak,
    Log: health.log.map(({ start, end, exitCode, output }) => ({
      Start: start,
      End: end,
      ExitCode: exitCode,
      Output: output,
    })),
  };
}

function stateShape(state: ContainerState) {
  return {
    Status: state.status,
    Running: state.status === "running" || state.status === "paused" || state.status === "restarting",
    Paused: state.status === "paused",
    Restarting: state.status === "restarting",
    OOMKilled: state.oomKilled,
    Dead: state.status === "dead",
    Pid: state.pid,
    ExitCode: state.exitCode,
    Error: state.error,
    StartedAt: state.startedAt ?? ZERO_TIME,
    FinishedAt: state.finishedAt ?? ZERO_TIME,
    ...(state.health !== undefined && { Health: healthShape(state.health) }),
  };
}

function hostConfigShape({ KernelMemory, KernelMemoryTCP, ...host }: HostConfig) {
  return {
    ...host,
    ...(KernelMemory !== 0 && { KernelMemory }),
    ...(KernelMemoryTCP !== 0 && { KernelMemoryTCP }),
    MaskedPaths: host.MaskedPaths ?? (host.Privileged ? null : MASKED_PATHS),
    ReadonlyPaths: host.ReadonlyPaths ?? (host.Privileged ? null : READONLY_PATHS),
  };
}

function networkSettings(view: ContainerView, version: ApiVersion) {
  const { container, endpoints, internal } = view;
  const mode = container.hostConfig.NetworkMode;
  // Since Docker 1.9 the top-level fields describe only the default network.
  const main = shownEndpoints(endpoints, mode).bridge;
  const ports = inspectPorts({
    status: container.state.status,
    exposed: hasOwnNetwork(mode) && !internal ? container.ports.exposed : [],
    assignments: internal ? [] : view.assignments,
    apiVersion: formatVersion(version),
  });
  return {
    Bridge: main?.bridge ?? "",
    SandboxID: main?.endpointId === undefined || main.endpointId === "" ? "" : container.id,
    HairpinMode: false,
    LinkLocalIPv6Address: "",
    LinkLocalIPv6PrefixLen: 0,
    ...ports,
    SandboxKey: "",
    SecondaryIPAddresses: null,
    SecondaryIPv6Addresses: null,
    EndpointID: main?.endpointId ?? "",
    Gateway: main?.gateway ?? "",
    GlobalIPv6Address: main?.ipv6.address ?? "",
    GlobalIPv6PrefixLen: main?.ipv6.prefixLength ?? 0,
    IPAddress: main?.address ?? "",
    IPPrefixLen: main?.prefixLength ?? 0,
    IPv6Gateway: main?.ipv6.gateway ?? "",
    MacAddress: main?.macAddress ?? "",
    ...(version >= SINCE.networksInInspect && { Networks: networksShape(view, version) }),
  };
}

/** The MAC address that was asked for on the main network, which older clients look for in `Config`. */
function mainMacAddress({ container: { config, hostConfig }, endpoints }: ContainerView) {
  const name = networkName(hostConfig.NetworkMode) ?? "";
  const MacAddress = config.MacAddress || endpoints[name]?.request.MacAddress;
  return MacAddress ? { MacAddress } : {};
}

/** `Config` of inspect; older clients read there what later moved to HostConfig. */
function configShape({ ExposedPorts = {}, ...rest }: ContainerConfig, host: HostConfig, version: ApiVersion) {
  const config = { ...rest, ...(Object.keys(ExposedPorts).length > 0 && { ExposedPorts }) };
  if (version >= SINCE.networksInInspect) return config;
  return {
    ...config,
    ExposedPorts: config.ExposedPorts ?? null,
    MacAddress: config.MacAddress ?? "",
    NetworkDisabled: config.NetworkDisabled ?? false,
    VolumeDriver: host.VolumeDriver,
    ...(version < SINCE.mountsInInspect && {
      Memory: host.Memory,
      MemorySwap: host.MemorySwap,
      CpuShares: host.CpuShares,
      Cpuset: host.CpusetCpus,
    }),
  };
}

function mountsShape({ container }: ContainerView, version: ApiVersion) {
  if (version >= SINCE.mountsInInspect) return { Mounts: container.mounts.map(mountShape) };
  return {
    Volumes: Object.fromEntries(container.mounts.map(({ destination, source }) => [destination, source])),
    VolumesRW: Object.fromEntries(container.mounts.map(({ destination, readWrite }) => [destination, readWrite])),
  };
}

/** `GET /containers/{id}/json` with the fields of the given version. */
export function inspectShape(view: ContainerView, version: ApiVersion) {
  return fieldsAt(version, "containerInspect", everyField(view, version));
}

function everyField(view: ContainerView, version: ApiVersion) {
  const { container, size } = view;
  const { config, hostConfig } = container;
  const [path = "", ...args] = [...(config.Entrypoint ?? []), ...(config.Cmd ?? [])];
  return {
    Id: container.id,
    Created: container.createdAt,
    Path: path,
    Args: args,
    State: stateShape(container.state),
    Image: container.imageId,
    ResolvConfPath: view.resolvConfPath,
    HostnamePath: view.hostnamePath,
    HostsPath: view.hostsPath,
    LogPath: view.logPath,
    Name: `/${container.name}`,
    RestartCount: container.restartCount,
    Driver: "overlayfs",
    Platform: "linux",
    MountLabel: "",
    ProcessLabel: "",
    AppArmorProfile: "",
    ExecIDs: view.execIds.length === 0 ? null : view.execIds,
    HostConfig: hostConfigShape(hostConfig),
    GraphDriver: { Data: null, Name: "overlayfs" },
    ...(size !== undefined && version >= SINCE.sizeInInspect && { SizeRw: size.writable, SizeRootFs: size.total }),
    ...mountsShape(view, version),
    Config: configShape({ ...config, ...mainMacAddress(view) }, hostConfig, version),
    NetworkSettings: networkSettings(view, version),
    ...(view.manifest !== undefined && { ImageManifestDescriptor: manifestDescriptor(view.manifest) }),
  };
}
