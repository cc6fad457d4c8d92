import type { CreateRequest, HostConfig, MountRequest } from "../../containers/records/config.ts";
import { EngineError } from "../../engine/errors.ts";
import { type ApiVersion, KERNEL_MEMORY_IGNORED, SINCE } from "./changes.ts";
import { liftInterfaceSysctls, liftMacAddress } from "./endpoint-lifts.ts";
import type { LiftedCreate } from "./lifted-create.ts";

type Change = (request: CreateRequest) => CreateRequest;

function withHost(change: (host: HostConfig) => Partial<HostConfig>): Change {
  return (request) => ({ ...request, hostConfig: { ...request.hostConfig, ...change(request.hostConfig) } });
}

function withMounts(change: (mount: MountRequest) => MountRequest): Change {
  return withHost(({ Mounts }) => (Mounts === undefined ? {} : { Mounts: Mounts.map(change) }));
}

/** Refuses the request if `reason` gives one. */
function refuse(reason: (request: CreateRequest) => string | undefined): Change {
  return (request) => {
    const message = reason(request);
    if (message !== undefined) throw new EngineError("invalid", message);
    return request;
  };
}

function refuseMount(matches: (mount: MountRequest) => boolean, message: string): Change {
  return refuse(({ hostConfig }) => (hostConfig.Mounts?.some(matches) ? message : undefined));
}

function withoutBindOption(...names: readonly (keyof NonNullable<MountRequest["BindOptions"]>)[]): Change {
  return withMounts(({ BindOptions, ...mount }) =>
    BindOptions === undefined
      ? mount
      : {
          ...mount,
          BindOptions: Object.fromEntries(
            Object.entries(BindOptions).filter(([name]) => !(names as readonly string[]).includes(name)),
          ),
        },
  );
}

const OPTIONS_OF_TYPES = { volume: "VolumeOptions", bind: "BindOptions", tmpfs: "TmpfsOptions" } as const;

/** Before, options of another type were ignored. */
const withoutForeignOptions = withMounts(({ VolumeOptions, TmpfsOptions, ...mount }) => ({
  ...mount,
  // A bind with them was refused all the same.
  ...(VolumeOptions !== undefined && mount.Type !== "tmpfs" && { VolumeOptions }),
  ...(TmpfsOptions !== undefined && mount.Type === "tmpfs" && { TmpfsOptions }),
}));

function foreignOption({ hostConfig }: CreateRequest): string | undefined {
  for (const mount of hostConfig.Mounts ?? []) {
    const foreign = Object.entries(OPTIONS_OF_TYPES).find(
      ([type, options]) => type !== mount.Type && mount[options] !== undefined,
    );
    if (foreign !== undefined) return `${foreign[1]} must not be specified on mount type "${mount.Type}"`;
  }
  return undefined;
}

function withoutPriorities({ endpoints, ...request }: CreateRequest): CreateRequest {
  const entries = Object.entries(endpoints).map(([name, { GwPriority: _, ...endpoint }]) => [name, endpoint]);
  return { ...request, endpoints: Object.fromEntries(entries) };
}

function withoutStartInterval({ config: { Healthcheck, ...config }, ...request }: CreateRequest): CreateRequest {
  if (Healthcheck === undefined) return { ...request, config };
  const { StartInterval: _, ...health } = Healthcheck;
  return { ...request, config: { ...config, Healthcheck: health } };
}

/**
 * What an older version's request means today (moby `postContainersCreate`): each row applies to requests before its version, or from
 * it on. In moby's order, which decides the message if several rows refuse.
 */
const LIFTS: readonly (readonly ["before" | "from", ApiVersion, Change])[] = [
  ["before", SINCE.autoRemove, withHost(() => ({ AutoRemove: false }))],
  ["before", SINCE.nonRecursiveBinds, withoutBindOption("NonRecursive")],
  ["before", SINCE.nonRecursiveBinds, withHost(() => ({ KernelMemoryTCP: 0 }))],
  ["before", SINCE.privateIpcDefault, withHost(({ IpcMode }) => ({ IpcMode: IpcMode || "shareable" }))],
  ["before", SINCE.createPlatform, (request) => ({ ...request, platform: undefined })],
  ["before", SINCE.mountOptionsMatch, withoutBindOption("CreateMountpoint")],
  ["before", SINCE.mountOptionsMatch, withoutForeignOptions],
  ["before", SINCE.consoleSize, withHost(() => ({ ConsoleSize: [0, 0] }))],
  ["from", SINCE.kernelMemoryIgnored, withHost(() => ({ KernelMemory: 0 }))],
  ["from", SINCE.mountOptionsMatch, refuse(foreignOption)],
  [
    "before",
    SINCE.annotations,
    ({ hostConfig: { Annotations: _, ...hostConfig }, ...request }) => ({ ...request, hostConfig }),
  ],
  ["before", SINCE.startInterval, withoutStartInterval],
  [
    "before",
    SINCE.forceRecursiveReadOnly,
    refuseMount(
      ({ BindOptions }) => BindOptions?.ReadOnlyForceRecursive === true,
      "BindOptions.ReadOnlyForceRecursive needs API v1.44 or newer",
    ),
  ],
  [
    "before",
    SINCE.severalEndpoints,
    refuse(({ endpoints }) => {
      const names = Object.keys(endpoints);
      return names.length > 1
        ? `Container cannot be created with multiple network endpoints: ${names.join(", ")}`
        : undefined;
    }),
  ],
  [
    "before",
    SINCE.volumeSubpath,
    refuseMount(
      ({ VolumeOptions }) => Boolean(VolumeOptions?.Subpath),
      "VolumeOptions.Subpath needs API v1.45 or newer",
    ),
  ],
  ["before", SINCE.gatewayPriority, withoutPriorities],
  [
    "before",
    SINCE.imageMounts,
    refuseMount(({ Type }) => Type === "image", 'Mount type "Image" needs API v1.48 or newer'),
  ],
];

const IGNORED_VOLUME_DRIVER =
  "WARNING: the container-wide volume-driver configuration is ignored for volumes specified via 'mount'. Use '--mount type=volume,volume-driver=...' instead";

function volumeDriverWarnings({ hostConfig }: CreateRequest, version: ApiVersion): readonly string[] {
  const ignored =
    hostConfig.VolumeDriver !== "" &&
    hostConfig.Mounts?.some(({ Type, VolumeOptions }) => Type === "volume" && !VolumeOptions?.DriverConfig?.Name);
  return ignored && version >= SINCE.volumeDriverWarning ? [IGNORED_VOLUME_DRIVER] : [];
}

/** The endpoint `default` is that of the default network. */
function withDefaultNetwork(request: CreateRequest): CreateRequest {
  const { NetworkMode } = request.hostConfig;
  if (NetworkMode !== "" && NetworkMode !== "default") return request;
  const { default: named, ...endpoints } = request.endpoints;
  return {
    ...request,
    hostConfig: { ...request.hostConfig, NetworkMode: "bridge" },
    endpoints: named === undefined ? request.endpoints : { ...endpoints, bridge: named },
  };
}

/** Turns a create request of an API version into what it means today. Throws `invalid` with Docker's message for what it must not ask. */
export function liftCreate(version: ApiVersion, asked: CreateRequest): LiftedCreate {
  const request = LIFTS.filter(([side, at]) => (side === "before" ? version < at : version >= at)).reduce(
    (lifted, [, , change]) => change(lifted),
    withDefaultNetwork(asked),
  );
  const addressed = liftMacAddress(version, request);
  const settled = liftInterfaceSysctls(version, addressed.request);
  return {
    request: settled.request,
    warnings: [
      ...(asked.hostConfig.KernelMemory > request.hostConfig.KernelMemory ? [KERNEL_MEMORY_IGNORED] : []),
      ...volumeDriverWarnings(request, version),
      ...addressed.warnings,
      ...settled.warnings,
    ],
  };
}
