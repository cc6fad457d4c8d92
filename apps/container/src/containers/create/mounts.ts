import { posix } from "node:path";
import { err, ok, type Result } from "@berth/port-spec";
import { validateVolumeName } from "../../volumes/volume-name.ts";
import type { HostConfig } from "../records/config.ts";
import type { MountPoint } from "../records/container.ts";
import { cleaned, DEFAULT_DRIVER, type MountWish, PROPAGATIONS, parseMount, parseTarget } from "./mount-requests.ts";

/** The options of a bind's mode by group; a mode has at most one of each group (moby `linuxValidMountMode`). */
const MODE_GROUPS: readonly ReadonlySet<string>[] = [
  new Set(["ro", "rw"]),
  new Set(["z", "Z"]),
  PROPAGATIONS,
  new Set(["nocopy"]),
  new Set(["consistent", "cached", "delegated"]),
];

function isMode(mode: string): boolean {
  if (mode === "") return true;
  const words = mode.split(",");
  return (
    words.every((word) => MODE_GROUPS.some((group) => group.has(word))) &&
    MODE_GROUPS.every((group) => words.filter((word) => group.has(word)).length <= 1)
  );
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

/** The time of a start grows with the mounts, and their paths are arguments of one program. */
const MOST_MOUNTS = 1_000;

function tooManyMounts(count: number): string {
  return `a container can have at most ${MOST_MOUNTS} mounts, and this one asks for ${count}`;
}

function tooMany(count: number): Result<never, string> {
  return err(tooManyMounts(count));
}

/** Refuses too many mounts before any of them is read, which takes a while. Returns the message; undefined if there are few enough. */
export function validateMountCount({
  Tmpfs = {},
  Binds,
  Mounts,
}: Pick<HostConfig, "Binds" | "Mounts" | "Tmpfs">): string | undefined {
  const count = Object.keys(Tmpfs).length + (Binds?.length ?? 0) + (Mounts?.length ?? 0);
  return count > MOST_MOUNTS ? tooManyMounts(count) : undefined;
}

/**
 * Reads `Tmpfs`, `Binds` and `Mounts` of a create request. The error is Docker's message, also for one destination requested twice.
 *
 * @returns the binds, then the mounts, in the order of the request; `Tmpfs` only reserves its destinations.
 */
export function requestedMounts(
  hostConfig: Pick<HostConfig, "Binds" | "Mounts" | "Tmpfs" | "VolumeDriver">,
): Result<readonly MountWish[], string> {
  const { Tmpfs = {}, Binds, Mounts } = hostConfig;
  const taken = new Set<string>();
  for (const path of Object.keys(Tmpfs)) {
    const target = parseTarget(path);
    if (!target.ok) return target;
    taken.add(target.value);
  }
  const wishes: MountWish[] = [];
  const readings = [
    ...(Binds ?? []).map((bind) => parseBind(bind, hostConfig.VolumeDriver)),
    ...(Mounts ?? []).map(parseMount),
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
  if (point.type === "image") {
    const { destination, image, subpath } = point;
    return { kind: "image", source: image?.id ?? "", destination, ...(subpath !== undefined && { subpath }) };
  }
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
        ...(point.subpath === undefined ? {} : { subpath: point.subpath }),
      }
    : {
        ...common,
        kind: "bind",
        source: point.source,
        propagation: point.propagation,
        makeSource: false,
        ...(point.nonRecursive ? { nonRecursive: true } : {}),
        ...(point.writableBelow ? { writableBelow: true } : {}),
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
    if (wishes.length > MOST_MOUNTS) return tooMany(wishes.length);
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
  if (volumes.length > MOST_MOUNTS) return tooMany(volumes.length);
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
  const count = wishes.size + tmpfs.size;
  return count > MOST_MOUNTS ? tooMany(count) : ok([...wishes.values()]);
}
