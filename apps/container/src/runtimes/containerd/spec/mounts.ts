import type { ContainerSpec, NamespaceSpec, SpecMount } from "../../../containers/records/runtime.ts";

/** One of the OCI spec's `mounts`. */
export interface OciMount {
  readonly destination: string;
  readonly type: string;
  readonly source: string;
  readonly options: readonly string[];
}

type MountWishes = Pick<ContainerSpec, "mounts" | "privileged" | "readonlyRootfs" | "shmSize" | "namespaces">;

/** Docker's default mounts, less those that a mount of the container's own replaces, then its own from the root down. */
export function mountsOf(spec: MountWishes): readonly OciMount[] {
  const own = spec.mounts.map(mountOf);
  const taken = new Set(own.map(({ destination }) => destination));
  return [
    ...defaultMounts(spec).filter(({ destination }) => !taken.has(destination)),
    // What lies in another mount has to come after it.
    ...own.toSorted((a, b) => depth(a.destination) - depth(b.destination)),
  ];
}

function depth(path: string): number {
  return path.split("/").filter((part) => part !== "").length;
}

function defaultMounts({ privileged, readonlyRootfs, shmSize, namespaces }: MountWishes): readonly OciMount[] {
  const kernel = privileged && !readonlyRootfs ? ["rw"] : ["ro"];
  const guarded = ["nosuid", "noexec", "nodev"];
  return [
    { destination: "/proc", type: "proc", source: "proc", options: guarded },
    {
      destination: "/dev",
      type: "tmpfs",
      source: "tmpfs",
      options: ["nosuid", "strictatime", "mode=755", "size=65536k"],
    },
    {
      destination: "/dev/pts",
      type: "devpts",
      source: "devpts",
      options: ["nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5"],
    },
    { destination: "/sys", type: "sysfs", source: "sysfs", options: [...guarded, ...kernel] },
    { destination: "/sys/fs/cgroup", type: "cgroup", source: "cgroup", options: [...kernel, ...guarded] },
    // In the host's namespace it shows the host's queues, whether or not the host itself has it mounted.
    { destination: "/dev/mqueue", type: "mqueue", source: "mqueue", options: guarded },
    ...sharedMemory(namespaces.ipc, { shmSize, guarded }),
  ];
}

function sharedMemory(
  ipc: NamespaceSpec,
  { shmSize, guarded }: { readonly shmSize: number; readonly guarded: readonly string[] },
): readonly OciMount[] {
  const destination = "/dev/shm";
  if (ipc.kind === "private" && ipc.bare) return [];
  if (ipc.kind === "host")
    return [{ destination, type: "bind", source: destination, options: ["rbind", "rprivate", ...guarded] }];
  return [{ destination, type: "tmpfs", source: "shm", options: [...guarded, "mode=1777", `size=${shmSize}`] }];
}

function mountOf(mount: SpecMount): OciMount {
  if (mount.kind === "tmpfs") {
    const options = tmpfsOptions(mount.options);
    return { destination: mount.target, type: "tmpfs", source: "tmpfs", options };
  }
  // The runtime has mounted it, and binds it from there.
  if (mount.kind === "image") throw new Error(`the image for ${mount.target} is not mounted`);
  return {
    destination: mount.target,
    type: "bind",
    source: mount.source,
    options: [
      mount.recursive ? "rbind" : "bind",
      mount.readonly ? "ro" : "rw",
      // `ro` alone leaves the mounts below the source writable.
      ...(mount.readonly && mount.recursive && mount.writableBelow !== true ? ["rro"] : []),
      mount.propagation || "rprivate",
    ],
  };
}

/** Docker guards a tmpfs unless told otherwise; of two options that contradict each other the last one counts. */
function tmpfsOptions(options: readonly string[]): readonly string[] {
  const merged = new Map<string, string>();
  for (const option of ["noexec", "nosuid", "nodev", "rprivate", ...options]) {
    if (option === "") continue;
    const [name = option] = option.split("=");
    merged.set(CONTRARIES[name] ?? name, option);
  }
  return [...merged.values()];
}

/** Flags that stand for one choice, by one name for both. */
const CONTRARIES: Readonly<Record<string, string>> = {
  noexec: "exec",
  nosuid: "suid",
  nodev: "dev",
  ro: "rw",
  rprivate: "propagation",
  private: "propagation",
  rshared: "propagation",
  shared: "propagation",
  rslave: "propagation",
  slave: "propagation",
  runbindable: "propagation",
  unbindable: "propagation",
};

/** What the root's own propagation has to be, so that a mount's can reach the container; undefined is runc's private. */
export function rootPropagation(mounts: readonly SpecMount[]): string | undefined {
  const wished = new Set(mounts.map((mount) => (mount.kind === "bind" ? mount.propagation : "")));
  if (wished.has("shared") || wished.has("rshared")) return "shared";
  return wished.has("slave") || wished.has("rslave") ? "slave" : undefined;
}
