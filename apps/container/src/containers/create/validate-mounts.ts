import type { HostConfig, MountRequest } from "../records/config.ts";

const MOUNT_TYPES: readonly string[] = ["bind", "volume", "tmpfs"];
const PROPAGATIONS = ["private", "rprivate", "slave", "rslave", "shared", "rshared"];
const BIND_MODES = new Set([
  "ro",
  "rw",
  "z",
  "Z",
  "nocopy",
  "consistent",
  "cached",
  "delegated",
  "default",
  ...PROPAGATIONS,
]);

/** Docker's rule for the name of a volume. */
export const VOLUME_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;

function refusalOfTarget(target: string): string | undefined {
  if (!target.startsWith("/")) return `invalid mount path: '${target}' mount path must be absolute`;
  return /^\/+(\.?\/*)*$/.test(target) ? "invalid specification: destination can't be '/'" : undefined;
}

function invalidMount(mount: MountRequest, why: string): string {
  return `invalid mount config for type ${JSON.stringify(mount.Type)}: ${why}`;
}

function refusalOfMount(mount: MountRequest): string | undefined {
  const source = mount.Source ?? "";
  if (mount.Target === "") return invalidMount(mount, "field Target must not be empty");
  if (!MOUNT_TYPES.includes(mount.Type)) return invalidMount(mount, "mount type unknown");
  const target = refusalOfTarget(mount.Target);
  if (target !== undefined) return invalidMount(mount, target);
  const foreign = {
    bind: ["VolumeOptions", "TmpfsOptions"],
    volume: ["BindOptions", "TmpfsOptions"],
    tmpfs: ["BindOptions", "VolumeOptions"],
  } as const satisfies Record<MountRequest["Type"], readonly (keyof MountRequest)[]>;
  const extra = foreign[mount.Type].find((field) => mount[field] !== undefined);
  if (extra !== undefined) return invalidMount(mount, `field ${extra} must not be specified`);
  if (mount.Type === "bind") {
    if (source === "") return invalidMount(mount, "field Source must not be empty");
    if (!source.startsWith("/"))
      return invalidMount(mount, `invalid mount path: '${source}' mount path must be absolute`);
    const propagation = mount.BindOptions?.Propagation ?? "";
    if (propagation !== "" && !PROPAGATIONS.includes(propagation)) {
      return invalidMount(mount, `invalid propagation mode: ${propagation}`);
    }
    return undefined;
  }
  if (mount.Type === "tmpfs")
    return source === "" ? undefined : invalidMount(mount, "field Source must not be specified");
  if (source === "" && mount.ReadOnly)
    return invalidMount(mount, "must not set ReadOnly mode when using anonymous volumes");
  return source === "" || VOLUME_NAME.test(source) ? undefined : invalidMount(mount, refusalOfVolumeName(source));
}

/** Docker's words for a volume's bad name. */
export function refusalOfVolumeName(name: string): string {
  return `${JSON.stringify(name)} includes invalid characters for a local volume name, only "[a-zA-Z0-9][a-zA-Z0-9_.-]" are allowed. If you intended to pass a host directory, use absolute path`;
}

/** The rules for `Mounts`, and that no two mounts of the request have one target. */
export function refusalOfMounts({ Mounts, Binds }: Pick<HostConfig, "Mounts" | "Binds">): string | undefined {
  const targets = new Set((Binds ?? []).flatMap((bind) => targetOf(bind) ?? []));
  for (const mount of Mounts ?? []) {
    const refusal = refusalOfMount(mount);
    if (refusal !== undefined) return refusal;
    const target = mount.Target.replace(/(.)\/+$/, "$1");
    if (targets.has(target)) return `Duplicate mount point: ${mount.Target}`;
    targets.add(target);
  }
  return undefined;
}

/** Where a bind goes: `/source:/target[:mode]`, `name:/target[:mode]` or `/target`. */
function targetOf(bind: string): string | undefined {
  const parts = bind.split(":");
  const target = parts.length === 1 ? parts[0] : parts[1];
  return target?.replace(/(.)\/+$/, "$1");
}

/** The rules for `Binds`: `source:target[:mode]`, where source is an absolute path or a volume's name, or a target alone. */
export function refusalOfBinds(binds: readonly string[]): string | undefined {
  const targets = new Set<string>();
  for (const bind of binds) {
    const parts = bind.split(":");
    const [source = "", , mode] = parts;
    if (parts.length > 3 || parts.includes("")) return `invalid volume specification: '${bind}'`;
    const target = targetOf(bind) ?? "";
    if (!target.startsWith("/")) {
      return `invalid volume specification: '${bind}': invalid mount path: '${target}' mount path must be absolute`;
    }
    const refusal = refusalOfTarget(target);
    if (refusal !== undefined) return `invalid volume specification: '${bind}': ${refusal}`;
    if (parts.length > 1 && !source.startsWith("/") && !VOLUME_NAME.test(source)) return refusalOfVolumeName(source);
    const words = mode?.split(",") ?? [];
    if (words.some((word) => !BIND_MODES.has(word)) || new Set(words).size !== words.length) {
      return `invalid mode: ${mode}`;
    }
    if (targets.has(target)) return `Duplicate mount point: ${target}`;
    targets.add(target);
  }
  return undefined;
}

/** The rule for the keys of `Tmpfs`. */
export function refusalOfTmpfs(targets: readonly string[]): string | undefined {
  return targets.map(refusalOfTarget).find((refusal) => refusal !== undefined);
}
