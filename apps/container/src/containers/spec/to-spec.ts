import { EngineError } from "../../engine/errors.ts";
import { sharedContainer } from "../../engine/network-mode.ts";
import { commandOf } from "../create/merge-image.ts";
import type { HostConfig, MountRequest, Resources, ThrottleDevice } from "../records/config.ts";
import { type Container, imagesOf, type MountPoint } from "../records/container.ts";
import { type LogRotation, logOf } from "../records/log-options.ts";
import type { ContainerSpec, NamespaceSpec, SpecMount, SpecResources, Throttle } from "../records/runtime.ts";
import { securityOptionsOf } from "../records/security-options.ts";

/** What the spec needs besides the container's record: the current sandbox, files and peers. */
export interface SpecSurroundings {
  readonly network: NamespaceSpec;
  readonly linkEnvironment?: readonly string[];
  /** The sysctls of the sandbox's interfaces. */
  readonly interfaceSysctls?: Readonly<Record<string, string>>;
  readonly files: { readonly hosts: string; readonly hostname: string; readonly resolvConf: string };
  /** The process id of a running container whose namespace is shared. Throws EngineError if it does not run. */
  readonly pidOf: (ref: string) => number;
  /** The same for the IPC namespace, which a container may keep to itself; as `pidOf` where absent. */
  readonly ipcPidOf?: (ref: string) => number;
  /** The rotation of a user's log that asks for none. */
  readonly userLogs?: LogRotation;
  /** The control group of the place that the container is in. */
  readonly placeGroup?: string | undefined;
}

const DEFAULT_PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The environment of the process: Docker's variables first, overridden by the container's (moby `CreateDaemonEnvironment`). */
export function environmentOf({ config }: Pick<Container, "config">, links: readonly string[] = []): readonly string[] {
  const own = [DEFAULT_PATH, `HOSTNAME=${config.Hostname}`, ...(config.Tty ? ["TERM=xterm"] : []), ...links];
  const named = new Set(config.Env.map((variable) => variable.split("=", 1)[0]));
  // A variable without "=" is removed.
  return [
    ...own.filter((variable) => !named.has(variable.split("=", 1)[0])),
    ...config.Env.filter((variable) => variable.includes("=")),
  ];
}

/** Converts Docker's resource fields to the kernel's; 0 means unset in Docker. */
export function specResources(resources: Pick<Resources, keyof Resources>): SpecResources {
  const memory = resources.Memory > 0 ? resources.Memory : undefined;
  const swap = resources.MemorySwap !== 0 ? resources.MemorySwap : memory === undefined ? undefined : memory * 2;
  const quota = resources.NanoCpus > 0 ? Math.floor(resources.NanoCpus / 10_000) : resources.CpuQuota;
  const period = resources.NanoCpus > 0 ? 100_000 : resources.CpuPeriod;
  const pids = resources.PidsLimit ?? 0;
  return {
    ...(memory === undefined ? {} : { memory }),
    ...(swap === undefined ? {} : { memorySwap: swap }),
    ...(resources.MemoryReservation > 0 ? { memoryReservation: resources.MemoryReservation } : {}),
    ...(resources.MemorySwappiness === null || resources.MemorySwappiness < 0
      ? {}
      : { memorySwappiness: resources.MemorySwappiness }),
    ...(resources.KernelMemoryTCP > 0 ? { kernelMemoryTcp: resources.KernelMemoryTCP } : {}),
    ...(resources.OomKillDisable ? { oomKillDisable: true } : {}),
    ...(resources.CpuShares > 0 ? { cpuShares: resources.CpuShares } : {}),
    ...(quota !== 0 ? { cpuQuota: quota } : {}),
    ...(period > 0 ? { cpuPeriod: period } : {}),
    ...(resources.CpuRealtimeRuntime !== 0 ? { cpuRealtimeRuntime: resources.CpuRealtimeRuntime } : {}),
    ...(resources.CpuRealtimePeriod > 0 ? { cpuRealtimePeriod: resources.CpuRealtimePeriod } : {}),
    ...(resources.CpusetCpus ? { cpusetCpus: resources.CpusetCpus } : {}),
    ...(resources.CpusetMems ? { cpusetMems: resources.CpusetMems } : {}),
    ...(pids > 0 ? { pidsLimit: pids } : {}),
    ...(resources.BlkioWeight > 0 ? { blkioWeight: resources.BlkioWeight } : {}),
  };
}

function throttlesOf(resources: Resources): readonly Throttle[] {
  const of = (kind: Throttle["kind"], devices: readonly ThrottleDevice[] | null) =>
    (devices ?? []).map(({ Path, Rate }) => ({ kind, path: Path, rate: Rate }));
  return [
    ...(resources.BlkioWeightDevice ?? []).map(
      ({ Path, Weight }) => ({ kind: "weight", path: Path, rate: Weight }) as const,
    ),
    ...of("read-bytes", resources.BlkioDeviceReadBps),
    ...of("write-bytes", resources.BlkioDeviceWriteBps),
    ...of("read-operations", resources.BlkioDeviceReadIOps),
    ...of("write-operations", resources.BlkioDeviceWriteIOps),
  ];
}

/** Docker's ulimits as the runtime takes them. */
export function ulimitsOf({ Ulimits }: Pick<Resources, "Ulimits">): ContainerSpec["ulimits"] {
  return (Ulimits ?? []).map(({ Name, Soft, Hard }) => ({ name: Name, soft: Soft, hard: Hard }));
}

function namespace(
  mode: string,
  kind: "pid" | "ipc" | "uts" | "cgroup",
  pidOf: (ref: string) => number,
): NamespaceSpec {
  if (mode === "host") return { kind: "host" };
  if (kind === "ipc" && mode === "none") return { kind: "private", bare: true };
  const ref = sharedContainer(mode);
  return ref === undefined ? { kind: "private" } : { kind: "path", path: `/proc/${pidOf(ref)}/ns/${kind}` };
}

function securityOf(hostConfig: HostConfig): Pick<ContainerSpec, "seccomp" | "noNewPrivileges" | "apparmor"> {
  const { seccomp: profile, apparmor, noNewPrivileges } = securityOptionsOf(hostConfig);
  return {
    noNewPrivileges,
    ...(apparmor !== undefined && { apparmor }),
    seccomp:
      profile === "unconfined" || (profile === undefined && hostConfig.Privileged)
        ? { kind: "unconfined" }
        : profile === undefined || profile === "builtin"
          ? { kind: "default" }
          : { kind: "profile", json: profile },
  };
}

function tmpfsOptions(request: MountRequest | undefined): readonly string[] {
  const { SizeBytes = 0, Mode = 0, Options = [] } = request?.TmpfsOptions ?? {};
  return [
    ...(SizeBytes > 0 ? [`size=${SizeBytes}`] : []),
    ...(Mode > 0 ? [`mode=${Mode.toString(8)}`] : []),
    ...(request?.ReadOnly ? ["ro"] : []),
    ...Options.map((option) => option.join("=")),
  ];
}

function mountsOf({ hostConfig, mounts }: Container, files: SpecSurroundings["files"]): readonly SpecMount[] {
  const bind = (source: string, target: string): SpecMount => ({
    kind: "bind",
    source,
    target,
    readonly: false,
    propagation: "rprivate",
    recursive: true,
  });
  const images = imagesOf(mounts);
  const point = (mount: MountPoint): SpecMount =>
    mount.type === "image"
      ? {
          kind: "image",
          index: images.indexOf(mount),
          target: mount.destination,
          ...(mount.subpath !== undefined && { subpath: mount.subpath }),
        }
      : mount.type === "tmpfs"
        ? {
            kind: "tmpfs",
            target: mount.destination,
            options: tmpfsOptions(hostConfig.Mounts?.find((request) => request.Target === mount.destination)),
          }
        : {
            kind: "bind",
            source: mount.real ?? mount.source,
            ...(mount.subpath !== undefined && { subpath: mount.subpath }),
            target: mount.destination,
            readonly: !mount.readWrite,
            propagation: mount.propagation || "rprivate",
            recursive: mount.nonRecursive !== true,
            ...(mount.writableBelow ? { writableBelow: true } : {}),
            // A container that writes to the volume could lay a link into its part.
            ...(mount.real === undefined && mount.subpath === undefined ? {} : { exact: true }),
          };
  const own = new Map<string, SpecMount>([
    ["/etc/hosts", bind(files.hosts, "/etc/hosts")],
    ["/etc/hostname", bind(files.hostname, "/etc/hostname")],
    ["/etc/resolv.conf", bind(files.resolvConf, "/etc/resolv.conf")],
  ]);
  for (const [target, options] of Object.entries(hostConfig.Tmpfs ?? {}))
    own.set(target, { kind: "tmpfs", target, options: options === "" ? [] : options.split(",") });
  for (const mount of mounts) own.set(mount.destination, point(mount));
  // Nested mounts come after their parents.
  return [...own.values()].sort((a, b) => a.target.split("/").length - b.target.split("/").length);
}

/** Docker's `[height, width]`, where zeros leave the size to the kernel. */
function consoleSizeOf([height, width]: HostConfig["ConsoleSize"]): ContainerSpec["consoleSize"] {
  return height > 0 && width > 0 ? { height, width } : undefined;
}

/** Builds the runtime spec from the container's record. Throws EngineError if a peer whose namespace it shares does not run. */
export function toSpec(
  container: Container,
  {
    network,
    files,
    pidOf,
    ipcPidOf = pidOf,
    linkEnvironment = [],
    interfaceSysctls,
    userLogs,
    placeGroup,
  }: SpecSurroundings,
): ContainerSpec {
  const { config, hostConfig } = container;
  const privileged = hostConfig.Privileged;
  const args = commandOf(config);
  if (args.length === 0) throw new EngineError("invalid", "No command specified");
  return {
    id: container.id,
    args,
    env: environmentOf(container, linkEnvironment),
    cwd: config.WorkingDir || "/",
    user: config.User,
    additionalGroups: hostConfig.GroupAdd ?? [],
    annotations: hostConfig.Annotations ?? {},
    consoleSize: consoleSizeOf(hostConfig.ConsoleSize),
    hostname: config.Hostname,
    domainname: config.Domainname,
    terminal: config.Tty,
    stdin: config.OpenStdin,
    mounts: mountsOf(container, files),
    readonlyRootfs: hostConfig.ReadonlyRootfs,
    privileged,
    capabilities: { add: hostConfig.CapAdd ?? [], drop: hostConfig.CapDrop ?? [] },
    ...securityOf(hostConfig),
    maskedPaths: privileged ? [] : (hostConfig.MaskedPaths ?? undefined),
    readonlyPaths: privileged ? [] : (hostConfig.ReadonlyPaths ?? undefined),
    namespaces: {
      network,
      pid: namespace(hostConfig.PidMode, "pid", pidOf),
      ipc: namespace(hostConfig.IpcMode, "ipc", ipcPidOf),
      uts: namespace(hostConfig.UTSMode, "uts", pidOf),
      cgroup: namespace(hostConfig.CgroupnsMode, "cgroup", pidOf),
    },
    devices: hostConfig.Devices.map((device) => ({
      hostPath: device.PathOnHost,
      path: device.PathInContainer || device.PathOnHost,
      permissions: device.CgroupPermissions || "rwm",
    })),
    deviceCgroupRules: hostConfig.DeviceCgroupRules ?? [],
    resources: specResources(hostConfig),
    ulimits: ulimitsOf(hostConfig),
    sysctls: { ...hostConfig.Sysctls, ...interfaceSysctls },
    shmSize: hostConfig.ShmSize,
    oomScoreAdj: hostConfig.OomScoreAdj,
    init: hostConfig.Init === true,
    cgroupParent: placeGroup ?? hostConfig.CgroupParent,
    throttles: throttlesOf(hostConfig),
    // An administrator's container has Docker's default, no rotation.
    log: logOf(hostConfig.LogConfig, container.owner === undefined ? undefined : userLogs),
  };
}
