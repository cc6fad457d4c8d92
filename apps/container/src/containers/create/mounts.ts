import { posix } from "node:path";
import { err, ok, type Result } from "@berth/port-spec";
import { validateVolumeName } from "../../volumes/volume-name.ts";
import type { HostConfig, MountRequest } from "../records/config.ts";
import type { MountPoint } from "../records/container.ts";

/** A requested mount, before its volume exists. */
export type MountWish =
  | {
      readonly kind: "bind";
      readonly source: string;
      readonly destination: string;
      readonly readWrite: boolean;
      readonly mode: string;
      readonly propagation: string;
      readonly makeSource: boolean;
      /** What is mounted below the source stays away. */
      readonly nonRecursive?: true;
    }
  | {
      readonly kind: "volume";
      /** Undefined for an anonymous volume. */
      readonly name: string | undefined;
      /** The path of an existing volume that another container mounts; undefined for a volume that the name selects. */
      readonly source?: string;
      readonly destination: string;
      readonly readWrite: boolean;
      readonly mode: string;
      readonly copy: boolean;
      readonly options: Readonly<Record<string, string>>;
      readonly labels: Readonly<Record<string, string>>;
      readonly driver: string;
    }
  | { readonly kind: "tmpfs"; readonly destination: string; readonly readWrite: boolean };

const DEFAULT_DRIVER = "local";

/** The options of a bind's mode by group; a mode has at most one of each group (moby `linuxValidMountMode`). */
const MODE_GROUPS: readonly ReadonlySet<string>[] = [
  new Set(["ro", "rw"]),
  new Set(["z", "Z"]),
  new Set(["private", "rprivate", "shared", "rshared", "slave", "rslave"]),
  new Set(["nocopy"]),
  new Set(["consistent", "cached", "delegated"]),
];
const PROPAGATIONS = MODE_GROUPS[2] ?? new Set<string>();

const FOREIGN_OPTIONS = {
  bind: ["VolumeOptions", "TmpfsOptions"],
  volume: ["BindOptions", "TmpfsOptions"],
  tmpfs: ["BindOptions", "VolumeOptions"],
} as const satisfies Record<MountRequest["Type"], readonly (keyof MountRequest)[]>;

function isMode(mode: string): boolean {
  if (mode === "") return true;
  const words = mode.split(",");
  return (
    words.every((word) => MODE_GROUPS.some((group) => group.has(word))) &&
    MODE_GROUPS.every((group) => words.filter((word) => group.has(word)).length <= 1)
  );
}

function cleaned(path: string): string {
  return posix.normalize(path).replace(/(.)\/$/, "$1");
}

/** The cleaned path of a mount inside the container: absolute, and not the root (moby `linuxValidateNotRoot`, `linuxValidateAbsolute`). */
export function parseTarget(path: string): Result<string, string> {
  const clean = cleaned(path);
  if (clean === "/") return err("invalid specification: destination can't be '/'");
  if (!posix.isAbsolute(path)) return err(`invalid mount path: '${path}' mount path must be absolute`);
  return ok(clean);
}

function readMount(mount: MountRequest): Result<MountWish, string> {
  const source = mount.Source ?? "";
  if (mount.Target === "") return err("field Target must not be empty");
  const foreign = FOREIGN_OPTIONS[mount.Type];
  if (foreign === undefined) return err("mount type unknown");
  const target = parseTarget(mount.Target);
  if (!target.ok) return target;
  const extra = foreign.find((field) => mount[field] !== undefined);
  if (extra !== undefined) return err(`field ${extra} must not be specified`);
  const common = { destination: target.value, readWrite: mount.ReadOnly !== true };
  if (mount.Type === "tmpfs")
    return source === "" ? ok({ ...common, kind: "tmpfs" }) : err("field Source must not be specified");
  if (mount.Type === "volume") {
    if (source === "" && mount.ReadOnly) return err("must not set ReadOnly mode when using anonymous volumes");
    const { NoCopy, Labels = {}, DriverConfig, Subpath = "" } = mount.VolumeOptions ?? {};
    // Mounting the whole volume instead would show more of it than was asked for.
    if (Subpath !== "") return err(`VolumeOptions.Subpath is not supported: mount the whole volume ${source}`);
    return ok({
      ...common,
      kind: "volume",
      name: source || undefined,
      mode: "z",
      copy: NoCopy !== true,
      options: DriverConfig?.Options ?? {},
      labels: Labels,
      driver: DriverConfig?.Name || DEFAULT_DRIVER,
    });
  }
  if (source === "") return err("field Source must not be empty");
  const { Propagation: propagation = "", CreateMountpoint, NonRecursive } = mount.BindOptions ?? {};
  if (propagation !== "" && !PROPAGATIONS.has(propagation)) return err(`invalid propagation mode: ${propagation}`);
  if (!posix.isAbsolute(source)) return err(`invalid mount path: '${source}' mount path must be absolute`);
  return ok({
    ...common,
    kind: "bind",
    source: posix.normalize(source),
    mode: "",
    propagation: propagation || "rprivate",
    makeSource: CreateMountpoint === true,
    ...(NonRecursive ? { nonRecursive: true } : {}),
  });
}

/** Reads one entry of `HostConfig.Mounts` (moby `ValidateMountConfig`). The error is Docker's message. */
export function parseMount(mount: MountRequest): Result<MountWish, string> {
  const read = readMount(mount);
  return read.ok ? read : err(`invalid mount config for type ${JSON.stringify(mount.Type)}: ${read.error}`);
}

/**
 * Reads one entry of `HostConfig.Binds`: `DESTINATION` for an anonymous volume, or `SOURCE:DESTINATION[:MODE]`, where a relative source
 * names a volume (moby `volume/mounts/linux_parser.go`, `ParseMountRaw`).
 *
 * @param driver the value of `HostConfig.VolumeDriver`; empty is the local driver.
 * @returns the mount, or Docker's message.
 */
export function parseBind(text: string, driver = ""): Result<MountWish, string> {
  const malformed = err(`invalid volume specification: '${text}'`);
  const parts = text.split(":");
  const [first = "", second, mode = ""] = parts;
  if (first === "" || parts.length > 3) return malformed;
  // `/path:ro` has a mode in place of its destination.
  if (parts.length === 2 && isMode(second ?? "")) return malformed;
  if (!isMode(mode)) return err(`invalid mode: ${mode}`);
  const words = mode === "" ? [] : mode.split(",");
  const source = second === undefined ? "" : first;
  const propagation = words.find((word) => PROPAGATIONS.has(word));
  const isBind = posix.isAbsolute(source);
  const read = parseMount({
    Type: isBind ? "bind" : "volume",
    Source: source,
    Target: second ?? first,
    ReadOnly: words.includes("ro"),
    ...(propagation === undefined ? {} : { BindOptions: { Propagation: propagation } }),
    ...(words.includes("nocopy") ? { VolumeOptions: { NoCopy: true } } : {}),
  });
  if (!read.ok) return err(`${malformed.error}: ${read.error}`);
  const wish = read.value;
  if (wish.kind === "bind") return ok({ ...wish, mode, makeSource: true });
  return ok(wish.kind === "volume" ? { ...wish, mode: mode || "z", driver: driver || DEFAULT_DRIVER } : wish);
}

/**
 * Reads `Tmpfs`, `Binds` and `Mounts` of a create request. The error is Docker's message, also for one destination requested twice.
 *
 * @returns the binds, then the mounts, in the order of the request; `Tmpfs` only reserves its destinations.
 */
export function requestedMounts(
  hostConfig: Pick<HostConfig, "Binds" | "Mounts" | "Tmpfs" | "VolumeDriver">,
): Result<readonly MountWish[], string> {
  const taken = new Set<string>();
  for (const path of Object.keys(hostConfig.Tmpfs ?? {})) {
    const target = parseTarget(path);
    if (!target.ok) return target;
    taken.add(target.value);
  }
  const wishes: MountWish[] = [];
  const readings = [
    ...(hostConfig.Binds ?? []).map((bind) => parseBind(bind, hostConfig.VolumeDriver)),
    ...(hostConfig.Mounts ?? []).map(parseMount),
  ];
  for (const read of readings) {
    if (!read.ok) return read;
    const { destination } = read.value;
    const badName = read.value.kind === "volume" && read.value.name ? validateVolumeName(read.value.name) : undefined;
    if (badName !== undefined) return err(badName);
    if (taken.has(destination)) return err(`Duplicate mount point: ${destination}`);
    taken.add(destination);
    wishes.push(read.value);
  }
  return ok(wishes);
}

function fromAnother(point: MountPoint, readOnly: boolean): MountWish {
  const common = { destination: point.destination, readWrite: point.readWrite && !readOnly, mode: point.mode };
  return point.type === "volume"
    ? {
        ...common,
        kind: "volume",
        name: point.name,
        source: point.source,
        copy: false,
        options: {},
        labels: {},
        driver: DEFAULT_DRIVER,
      }
    : {
        ...common,
        kind: "bind",
        source: point.source,
        propagation: point.propagation,
        makeSource: false,
        ...(point.nonRecursive ? { nonRecursive: true } : {}),
      };
}

/**
 * Reads `HostConfig.VolumesFrom`, each `REF[:MODE]`. The error is Docker's message.
 *
 * @param mountsOf the mounts of the container that an entry refers to.
 */
export function inheritedMounts(
  volumesFrom: readonly string[],
  mountsOf: (ref: string) => readonly MountPoint[],
): Result<readonly MountWish[], string> {
  const wishes: MountWish[] = [];
  for (const from of volumesFrom) {
    const [ref = "", mode = ""] = from.split(":");
    if (!["", "ro", "rw", "z"].includes(mode)) return err(`invalid mode: ${mode}`);
    for (const point of mountsOf(ref)) if (point.type !== "tmpfs") wishes.push(fromAnother(point, mode === "ro"));
  }
  return ok(wishes);
}

/**
 * Every mount of a container in moby's order of precedence: inherited ones, requested ones over them, and an anonymous volume for each
 * volume of the configuration whose destination is still free.
 *
 * @param volumes the destinations that the image and the request declare (`Config.Volumes`).
 */
export function combineMounts(
  inherited: readonly MountWish[],
  requested: readonly MountWish[],
  volumes: readonly string[],
  { Tmpfs, VolumeDriver }: Pick<HostConfig, "Tmpfs" | "VolumeDriver">,
): Result<readonly MountWish[], string> {
  const wishes = new Map([...inherited, ...requested].map((wish) => [wish.destination, wish]));
  const tmpfs = new Set(Object.keys(Tmpfs ?? {}).map(cleaned));
  for (const path of volumes) {
    const target = parseTarget(path);
    if (!target.ok) return target;
    const destination = target.value;
    if (wishes.has(destination) || tmpfs.has(destination)) continue;
    const driver = VolumeDriver || DEFAULT_DRIVER;
    const common = { name: undefined, readWrite: true, mode: "", copy: true, options: {}, labels: {}, driver };
    wishes.set(destination, { ...common, kind: "volume", destination });
  }
  return ok([...wishes.values()]);
}
