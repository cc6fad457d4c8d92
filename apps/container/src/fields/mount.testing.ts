import type {
  Mount,
  MountBindOptions,
  MountImageOptions,
  MountTmpfsOptions,
  MountVolumeOptions,
  MountVolumeOptionsDriverConfig,
} from "@docker/node-sdk";
import type { Seen } from "./probe.testing.ts";
import { does, kept, type RowsOf, refuses } from "./row.testing.ts";

function options({ oci }: Seen): readonly string[] {
  return oci.mounts.find(({ destination }) => destination === "/m")?.options ?? [];
}

function has(option: string) {
  return (seen: Seen) => options(seen).includes(option);
}

/** A mount of each type, to which a row adds its field. */
export const MOUNTS = {
  bind: { Type: "bind", Source: "/srv", Target: "/m" },
  volume: { Type: "volume", Source: "vol", Target: "/m" },
  tmpfs: { Type: "tmpfs", Target: "/m" },
  image: { Type: "image", Source: "busybox", Target: "/m" },
} as const;

/** The fields of a mount, on a bind. */
export const MOUNT_ROWS: RowsOf<Mount, "BindOptions" | "VolumeOptions" | "ImageOptions" | "TmpfsOptions"> = {
  Target: does("/n", ({ record }) => record.mounts.map(({ destination }) => destination), ["/n"]),
  Source: does("/opt", ({ record }) => record.mounts.map(({ source }) => source), ["/opt"]),
  Type: refuses("npipe", "mount type unknown"),
  ReadOnly: does(true, has("ro"), true),
  Consistency: kept("cached", ({ inspect }) => inspect.HostConfig.Mounts),
};

export const BIND_ROWS: RowsOf<MountBindOptions> = {
  Propagation: [does("rslave", has("rslave"), true), refuses("odd", "invalid propagation mode: odd")],
  NonRecursive: does(true, has("bind"), true),
  CreateMountpoint: does(true, ({ madeSources }) => madeSources, ["/srv"]),
  ReadOnlyNonRecursive: refuses(true, "mount options conflict: !ReadOnly && BindOptions.ReadOnlyNonRecursive"),
  ReadOnlyForceRecursive: refuses(true, "mount options conflict: !ReadOnly && BindOptions.ReadOnlyForceRecursive"),
};

/** The same on a read-only bind. */
export const READONLY_BIND_ROWS: Pick<RowsOf<MountBindOptions>, "ReadOnlyNonRecursive" | "ReadOnlyForceRecursive"> = {
  ReadOnlyNonRecursive: does(true, has("rro"), false),
  // Every read-only bind is recursively so.
  ReadOnlyForceRecursive: kept(true, ({ inspect }) => inspect.HostConfig.Mounts),
};

export const VOLUME_ROWS: RowsOf<MountVolumeOptions, "DriverConfig"> = {
  NoCopy: does(true, ({ populated }) => populated, []),
  Labels: does({ a: "b" }, ({ volumes }) => volumes.map(({ labels }) => labels), [{ a: "b" }]),
  Subpath: does("part", ({ spec }) => spec.mounts.some((m) => m.kind === "bind" && m.subpath === "part"), true),
};

export const VOLUME_DRIVER_ROWS: RowsOf<MountVolumeOptionsDriverConfig> = {
  Name: refuses("nope", "nope"),
  Options: does({ type: "tmpfs", device: "tmpfs" }, ({ volumes }) => volumes.map((volume) => volume.options), [
    { type: "tmpfs", device: "tmpfs" },
  ]),
};

export const TMPFS_ROWS: RowsOf<MountTmpfsOptions> = {
  SizeBytes: does(65_536, has("size=65536"), true),
  Mode: does(0o700, has("mode=700"), true),
  Options: [does([["exec"]], has("exec"), true), refuses([["odd"]], "invalid option: odd")],
};

export const IMAGE_ROWS: RowsOf<MountImageOptions> = {
  Subpath: [
    does("part", ({ spec }) => spec.mounts.some((mount) => mount.kind === "image" && mount.subpath === "part"), true),
    refuses("../part", "subpath must be a relative path within the volume"),
  ],
};
