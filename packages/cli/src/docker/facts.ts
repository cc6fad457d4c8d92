import {
  type ContainerFacts,
  fullImageName,
  HOST_PRIVILEGES,
  type HostFolder,
  type HostPrivilege,
  type Privilege,
} from "@berth/directory-domain";
import { err, ok, type PortSpec, parsePortSpec, type Result, resolveCreatePorts, toEngine } from "@berth/port-spec";
import { bytesOf } from "./bytes.ts";
import { hostPath } from "./host-path.ts";
import type { DockerRun } from "./line.ts";

/**
 * What a container would take of the host, as the container service would ask for it. What only that service knows is left out: what the
 * user's other containers hold, ports that an image exposes, where symbolic links lead.
 * @param folder where relative paths begin.
 */
export function factsOf({ image, flags }: DockerRun, folder: string): Result<ContainerFacts, string> {
  const ports = readPorts(flags);
  if (!ports.ok) return ports;
  const reference = fullImageName(image);
  return ok({
    ports: ports.value,
    images: [{ name: image, references: [reference] }],
    mounts: foldersOf(flags, folder),
    privileges: privilegesOf(flags),
    // Only the service knows which of the names are the user's own networks.
    networks: [],
    quantities: {
      containers: 1,
      "published-ports": ports.value.length,
      memory: bytesOf(last(flags, "memory") ?? "") || "unlimited",
      cpu: cpusOf(flags),
      pids: Math.max(Number(last(flags, "pids-limit") ?? 0), 0) || "unlimited",
      storage: 0,
    },
    used: { containers: 0, "published-ports": 0, memory: 0, cpu: 0, pids: 0, storage: 0 },
    // The directory takes what is not told as nothing.
    sharedUse: {},
  });
}

type Flags = DockerRun["flags"];

function last(flags: Flags, name: string): string | undefined {
  return flags.get(name)?.at(-1);
}

function all(flags: Flags, ...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => flags.get(name) ?? []);
}

function isOn(flags: Flags, name: string): boolean {
  return /^(1|t|true)$/i.test(last(flags, name) ?? "");
}

function readPorts(flags: Flags): Result<ContainerFacts["ports"], string> {
  const specs: PortSpec[] = [];
  for (const text of all(flags, "publish")) {
    const spec = parsePortSpec(text);
    if (!spec.ok) return err(`-p ${text}: ${spec.error.message}`);
    specs.push(spec.value);
  }
  const { ExposedPorts, PortBindings } = toEngine(specs);
  const exposed = Object.fromEntries(
    all(flags, "expose").map((port) => [port.includes("/") ? port : `${port}/tcp`, {}]),
  );
  const resolved = resolveCreatePorts({
    ExposedPorts: { ...ExposedPorts, ...exposed },
    HostConfig: {
      PortBindings,
      PublishAllPorts: isOn(flags, "publish-all"),
      NetworkMode: last(flags, "network") ?? "default",
    },
  });
  if (!resolved.ok) return err(resolved.error.message);
  return ok(
    resolved.value.wishes.map(({ hostIp, hostPorts, protocol }) => ({
      hostIp,
      hostPort: hostPorts ?? "dynamic",
      protocol,
    })),
  );
}

/** Folders of the host among `--volume` and `--mount`; a name without a slash is a volume. */
function foldersOf(flags: Flags, folder: string): readonly HostFolder[] {
  const binds = all(flags, "volume").flatMap((text) => {
    const [source = "", target, options = ""] = text.split(":");
    if (target === undefined || !/^[./~]/.test(source)) return [];
    return [{ path: hostPath(folder, source), readOnly: options.split(",").includes("ro") }];
  });
  const mounts = all(flags, "mount").flatMap((text) => {
    const fields = new Map(text.split(",").map((field) => field.split("=", 2) as [string, string | undefined]));
    const source = fields.get("source") ?? fields.get("src");
    if (fields.get("type") !== "bind" || source === undefined) return [];
    const readOnly = ["readonly", "ro"].some(
      (name) => fields.has(name) && !/^(0|f|false)$/i.test(fields.get(name) ?? ""),
    );
    return [{ path: hostPath(folder, source), readOnly }];
  });
  return [...binds, ...mounts];
}

function privilegesOf(flags: Flags): readonly Privilege[] {
  const modes = all(flags, "network", "pid", "ipc");
  // A new privilege needs its entry here to compile.
  const asked: Readonly<Record<HostPrivilege, boolean>> = {
    privileged: isOn(flags, "privileged"),
    "host-network": all(flags, "network").includes("host"),
    "host-pid": last(flags, "pid") === "host",
    "host-ipc": last(flags, "ipc") === "host",
    "host-uts": last(flags, "uts") === "host",
    "host-users": last(flags, "userns") === "host",
    "host-cgroups": last(flags, "cgroupns") === "host",
    // No container asks for it: one whose user may have it gets it.
    "host-services": false,
    "join-container": modes.some((mode) => mode.startsWith("container:")),
    devices: all(flags, "device", "device-cgroup-rule", "gpus").length > 0,
    unconfined:
      all(flags, "security-opt").some(loosens) ||
      Number(last(flags, "oom-score-adj") ?? 0) < 0 ||
      isOn(flags, "oom-kill-disable"),
    sysctls: all(flags, "sysctl").length > 0,
    runtime: !["", "runc"].includes(last(flags, "runtime") ?? ""),
    "cgroup-parent": (last(flags, "cgroup-parent") ?? "") !== "",
  };
  const capabilities = all(flags, "cap-add").map(
    (name): Privilege => `capability:${name.toUpperCase().replace(/^CAP_/, "")}`,
  );
  return [...HOST_PRIVILEGES.filter((privilege) => asked[privilege]), ...capabilities];
}

function loosens(option: string): boolean {
  return !/^(no-new-privileges([=:].*)?|seccomp[=:]builtin|label[=:](user|role|type|level):.*)$/.test(option);
}

function cpusOf(flags: Flags): number | "unlimited" {
  const cpus = Number(last(flags, "cpus") ?? 0);
  if (cpus > 0) return cpus;
  const quota = Number(last(flags, "cpu-quota") ?? 0);
  return quota > 0 ? quota / Number(last(flags, "cpu-period") ?? 100_000) : "unlimited";
}
