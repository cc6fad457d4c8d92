import { posix } from "node:path";
import { EngineError } from "../../engine/errors.ts";
import type { ContainerConfig, HostConfig, MountRequest } from "../records/config.ts";
import type { MountPoint } from "../records/container.ts";

/** A mount as asked for, before a volume is made for it. */
export type MountWish =
  | {
      readonly kind: "bind";
      readonly source: string;
      readonly destination: string;
      readonly readWrite: boolean;
      readonly mode: string;
      readonly propagation: string;
      readonly makeSource: boolean;
    }
  | {
      readonly kind: "volume";
      readonly name: string | undefined;
      readonly destination: string;
      readonly readWrite: boolean;
      readonly mode: string;
      readonly copy: boolean;
      readonly options: Readonly<Record<string, string>>;
      readonly labels: Readonly<Record<string, string>>;
      readonly driver: string;
    }
  | { readonly kind: "tmpfs"; readonly destination: string; readonly readWrite: boolean };

const PROPAGATIONS = new Set(["private", "rprivate", "shared", "rshared", "slave", "rslave"]);
const CONSISTENCIES = new Set(["consistent", "cached", "delegated"]);

function invalid(message: string): EngineError {
  return new EngineError("invalid", message);
}

function destinationOf(path: string): string {
  if (!posix.isAbsolute(path)) throw invalid(`invalid mount path: '${path}' mount path must be absolute`);
  const clean = posix.normalize(path).replace(/(.)\/$/, "$1");
  if (clean === "/") throw invalid("invalid specification: destination can't be '/'");
  return clean;
}

const VOLUME_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/;

function checkedVolumeName(name: string): string {
  if (!VOLUME_NAME.test(name))
    throw invalid(
      `"${name}" includes invalid characters for a local volume name, only "[a-zA-Z0-9][a-zA-Z0-9_.-]" are allowed. If you intended to pass a host directory, use absolute path`,
    );
  return name;
}

/** `source:destination[:mode]`; a source that is no absolute path names a volume (moby `volume/mounts/linux_parser.go`). */
function parseBind(bind: string, driver: string): MountWish {
  const parts = bind.split(":");
  const [source, target, mode = ""] = parts;
  if (parts.length > 3 || !source || !target) throw invalid(`invalid volume specification: '${bind}'`);
  const modes = mode === "" ? [] : mode.split(",");
  const access = modes.filter((word) => word === "ro" || word === "rw");
  const known = (word: string) =>
    word === "ro" ||
    word === "rw" ||
    word === "z" ||
    word === "Z" ||
    word === "nocopy" ||
    PROPAGATIONS.has(word) ||
    CONSISTENCIES.has(word);
  if (!modes.every(known) || access.length > 1) throw invalid(`invalid mode: ${mode}`);
  const common = { destination: destinationOf(target), readWrite: !modes.includes("ro"), mode };
  if (!posix.isAbsolute(source)) {
    return {
      ...common,
      kind: "volume",
      name: checkedVolumeName(source),
      copy: !modes.includes("nocopy"),
      options: {},
      labels: {},
      driver,
      mode: mode || "z",
    };
  }
  if (modes.includes("nocopy")) throw invalid(`invalid mode: ${mode}`);
  return {
    ...common,
    kind: "bind",
    source: posix.normalize(source),
    propagation: modes.find((word) => PROPAGATIONS.has(word)) ?? "rprivate",
    makeSource: true,
  };
}

function parseMount(mount: MountRequest): MountWish {
  const destination = destinationOf(mount.Target);
  const readWrite = mount.ReadOnly !== true;
  if (mount.Type === "tmpfs") return { kind: "tmpfs", destination, readWrite };
  if (mount.Type === "volume")
    return {
      kind: "volume",
      name: mount.Source ? checkedVolumeName(mount.Source) : undefined,
      destination,
      readWrite,
      mode: "z",
      copy: mount.VolumeOptions?.NoCopy !== true,
      options: mount.VolumeOptions?.DriverConfig?.Options ?? {},
      labels: mount.VolumeOptions?.Labels ?? {},
      driver: mount.VolumeOptions?.DriverConfig?.Name || "local",
    };
  const source = mount.Source ?? "";
  if (!posix.isAbsolute(source))
    throw invalid(`invalid mount config for type "bind": invalid mount path: '${source}' mount path must be absolute`);
  return {
    kind: "bind",
    source: posix.normalize(source),
    destination,
    readWrite,
    mode: "",
    propagation: mount.BindOptions?.Propagation || "rprivate",
    makeSource: mount.BindOptions?.CreateMountpoint === true,
  };
}

function fromAnother(point: MountPoint, readonly: boolean): MountWish {
  const common = { destination: point.destination, readWrite: point.readWrite && !readonly, mode: point.mode };
  return point.type === "volume"
    ? { ...common, kind: "volume", name: point.name, copy: false, options: {}, labels: {}, driver: "local" }
    : { ...common, kind: "bind", source: point.source, propagation: point.propagation, makeSource: false };
}

/**
 * Every mount of a create request, in moby's order of precedence: `VolumesFrom`, `Binds`, `Mounts`, then the volumes of the
 * configuration where nothing else stands. Throws `invalid` with Docker's message, also for one mount point asked for twice.
 *
 * @param mountsOf answers `VolumesFrom`: the mounts of another container, which must exist.
 */
export function mountWishes(
  config: Pick<ContainerConfig, "Volumes">,
  hostConfig: Pick<HostConfig, "Binds" | "Mounts" | "VolumesFrom" | "Tmpfs" | "VolumeDriver">,
  mountsOf: (ref: string) => readonly MountPoint[],
): readonly MountWish[] {
  const driver = hostConfig.VolumeDriver || "local";
  const wishes = new Map<string, MountWish>();
  for (const from of hostConfig.VolumesFrom ?? []) {
    const [ref = "", mode = ""] = from.split(":");
    if (mode !== "" && mode !== "ro" && mode !== "rw" && mode !== "z") throw invalid(`invalid mode: ${mode}`);
    for (const point of mountsOf(ref)) {
      if (point.type !== "tmpfs") wishes.set(point.destination, fromAnother(point, mode === "ro"));
    }
  }
  const asked = new Set<string>(Object.keys(hostConfig.Tmpfs ?? {}).map(destinationOf));
  const binds = (hostConfig.Binds ?? []).map((bind) => parseBind(bind, driver));
  for (const wish of [...binds, ...(hostConfig.Mounts ?? []).map(parseMount)]) {
    if (asked.has(wish.destination)) throw invalid(`Duplicate mount point: ${wish.destination}`);
    asked.add(wish.destination);
    wishes.set(wish.destination, wish);
  }
  for (const path of Object.keys(config.Volumes ?? {})) {
    const destination = destinationOf(path);
    if (!wishes.has(destination) && !asked.has(destination))
      wishes.set(destination, {
        kind: "volume",
        name: undefined,
        destination,
        readWrite: true,
        mode: "",
        copy: true,
        options: {},
        labels: {},
        driver,
      });
  }
  return [...wishes.values()];
}
