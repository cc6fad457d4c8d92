import { posix } from "node:path";
import { err, ok, type Result } from "@berth/port-spec";
import type { MountRequest } from "../records/config.ts";

/** A requested mount, before its volume exists. */
export type MountWish =
  | {
      readonly kind: "bind";
      readonly source: string;
      readonly destination: string;
      readonly readWrite: boolean;
      readonly mode: string;
      /** Empty where the request names none. */
      readonly propagation: string;
      readonly makeSource: boolean;
      /** What is mounted below the source stays away. */
      readonly nonRecursive?: true;
      /** What is mounted below a read-only source stays writable. */
      readonly writableBelow?: true;
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
      /** The part of the volume to mount; absent for all of it. */
      readonly subpath?: string;
    }
  | {
      readonly kind: "image";
      /** The image, by any name or id. */
      readonly source: string;
      readonly destination: string;
      /** The part of the image to mount; absent for all of it. */
      readonly subpath?: string;
    }
  | { readonly kind: "tmpfs"; readonly destination: string; readonly readWrite: boolean };

export const DEFAULT_DRIVER = "local";

/** How mounts made on the host or in the container reach the other. */
export const PROPAGATIONS: ReadonlySet<string> = new Set([
  "private",
  "rprivate",
  "shared",
  "rshared",
  "slave",
  "rslave",
]);

const FOREIGN_OPTIONS = {
  bind: ["VolumeOptions", "TmpfsOptions", "ImageOptions"],
  volume: ["BindOptions", "TmpfsOptions", "ImageOptions"],
  tmpfs: ["BindOptions", "VolumeOptions", "ImageOptions"],
  image: ["BindOptions", "VolumeOptions", "TmpfsOptions"],
} as const satisfies Record<MountRequest["Type"], readonly (keyof MountRequest)[]>;

/** The options of a tmpfs mount that Docker passes on. */
const TMPFS_OPTIONS: ReadonlySet<string> = new Set(["exec", "noexec"]);

/** A path without `.`, `..`, double slashes and a slash at its end. */
export function cleaned(path: string): string {
  return posix.normalize(path).replace(/(.)\/$/, "$1");
}

/** The cleaned path of a mount inside the container: absolute, and not the root (moby `linuxValidateNotRoot`, `linuxValidateAbsolute`). */
export function parseTarget(path: string): Result<string, string> {
  const clean = cleaned(path);
  if (clean === "/") return err("invalid specification: destination can't be '/'");
  if (!posix.isAbsolute(path)) return err(`invalid mount path: '${path}' mount path must be absolute`);
  return ok(clean);
}

/** Whether the path stays below the folder that it is joined to (Go's `filepath.IsLocal`). */
function isLocal(path: string): boolean {
  const clean = posix.normalize(path);
  return !posix.isAbsolute(path) && clean !== ".." && !clean.startsWith("../");
}

function validateTmpfs({ Options = [] }: NonNullable<MountRequest["TmpfsOptions"]>): string | undefined {
  if (Options.some(({ length }) => length < 1 || length > 2)) return "invalid option array length";
  const unknown = Options.find(([name = ""]) => !TMPFS_OPTIONS.has(name));
  return unknown === undefined ? undefined : `invalid option: ${unknown[0]}`;
}

interface CommonWish {
  readonly destination: string;
  readonly readWrite: boolean;
}

function readTmpfs(mount: MountRequest, common: CommonWish): Result<MountWish, string> {
  if ((mount.Source ?? "") !== "") return err("field Source must not be specified");
  const refusal = validateTmpfs(mount.TmpfsOptions ?? {});
  return refusal === undefined ? ok({ ...common, kind: "tmpfs" }) : err(refusal);
}

function readVolume(mount: MountRequest, common: CommonWish): Result<MountWish, string> {
  const source = mount.Source ?? "";
  const { NoCopy, Labels = {}, DriverConfig, Subpath = "" } = mount.VolumeOptions ?? {};
  if (Subpath !== "" && source === "") return err("must not set Subpath when using anonymous volumes");
  if (Subpath !== "" && !isLocal(Subpath)) return err("subpath must be a relative path within the volume");
  if (source === "" && mount.ReadOnly) return err("must not set ReadOnly mode when using anonymous volumes");
  return ok({
    ...common,
    kind: "volume",
    name: source || undefined,
    mode: "z",
    copy: NoCopy !== true,
    options: DriverConfig?.Options ?? {},
    labels: Labels,
    driver: DriverConfig?.Name || DEFAULT_DRIVER,
    ...(Subpath === "" ? {} : { subpath: posix.normalize(Subpath) }),
  });
}

/** Options of a read-only bind that contradict it or each other (moby `daemon/volumes_unix.go`). */
function validateReadOnly({ ReadOnly, BindOptions = {} }: MountRequest): string | undefined {
  const { ReadOnlyNonRecursive: non = false, ReadOnlyForceRecursive: force = false } = BindOptions;
  if (!ReadOnly && non) return "mount options conflict: !ReadOnly && BindOptions.ReadOnlyNonRecursive";
  if (!ReadOnly && force) return "mount options conflict: !ReadOnly && BindOptions.ReadOnlyForceRecursive";
  return non && force
    ? "mount options conflict: ReadOnlyNonRecursive && BindOptions.ReadOnlyForceRecursive"
    : undefined;
}

function readBind(mount: MountRequest, common: CommonWish): Result<MountWish, string> {
  const source = mount.Source ?? "";
  if (source === "") return err("field Source must not be empty");
  const {
    Propagation: propagation = "",
    CreateMountpoint,
    NonRecursive,
    ReadOnlyNonRecursive,
  } = mount.BindOptions ?? {};
  if (propagation !== "" && !PROPAGATIONS.has(propagation)) return err(`invalid propagation mode: ${propagation}`);
  if (!posix.isAbsolute(source)) return err(`invalid mount path: '${source}' mount path must be absolute`);
  const conflict = validateReadOnly(mount);
  if (conflict !== undefined) return err(conflict);
  return ok({
    ...common,
    kind: "bind",
    source: posix.normalize(source),
    mode: "",
    propagation,
    makeSource: CreateMountpoint === true,
    ...(NonRecursive ? { nonRecursive: true } : {}),
    ...(ReadOnlyNonRecursive ? { writableBelow: true } : {}),
  });
}

/** An image is never written to, whatever `ReadOnly` says. */
function readImage(mount: MountRequest, { destination }: CommonWish): Result<MountWish, string> {
  const { Source: source = "", ImageOptions: { Subpath = "" } = {} } = mount;
  if (source === "") return err("field Source must not be empty");
  if (Subpath !== "" && !isLocal(Subpath)) return err("subpath must be a relative path within the volume");
  return ok({ kind: "image", source, destination, ...(Subpath !== "" && { subpath: posix.normalize(Subpath) }) });
}

const READERS: Readonly<
  Record<MountRequest["Type"], (mount: MountRequest, common: CommonWish) => Result<MountWish, string>>
> = {
  bind: readBind,
  volume: readVolume,
  tmpfs: readTmpfs,
  image: readImage,
};

function readMount(mount: MountRequest): Result<MountWish, string> {
  if (mount.Target === "") return err("field Target must not be empty");
  const target = parseTarget(mount.Target);
  if (!target.ok) return target;
  const foreign = FOREIGN_OPTIONS[mount.Type];
  if (foreign === undefined) return err("mount type unknown");
  const extra = foreign.find((field) => mount[field] !== undefined);
  if (extra !== undefined) return err(`field ${extra} must not be specified`);
  return READERS[mount.Type](mount, { destination: target.value, readWrite: mount.ReadOnly !== true });
}

/** Reads one entry of `HostConfig.Mounts` (moby `ValidateMountConfig`). The error is Docker's message. */
export function parseMount(mount: MountRequest): Result<MountWish, string> {
  const read = readMount(mount);
  return read.ok ? read : err(`invalid mount config for type ${JSON.stringify(mount.Type)}: ${read.error}`);
}
