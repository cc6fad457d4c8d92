import { isIP } from "node:net";
import { CAPABILITY_NAMES } from "../../records/capability-names.ts";
import type { DeviceRequest, HostConfig } from "../../records/config.ts";
import { parseSecurityOptions } from "../../records/security-options.ts";
import { validateMountCount } from "../mounts.ts";
import { validateProcessors, validateResources, validateRestartPolicy } from "./limits.ts";
import { validateLog } from "./log.ts";
import type { Rule } from "./rule.ts";
import { validateTmpfs } from "./tmpfs.ts";

function isCapability(name: string): boolean {
  const upper = name.toUpperCase().replace(/^CAP_/, "");
  return upper === "ALL" || CAPABILITY_NAMES.includes(`CAP_${upper}`);
}

const NAMESPACED_SYSCTL =
  /^(kernel\.(msgmax|msgmnb|msgmni|sem|shmall|shmmax|shmmni|shm_rmid_forced)|fs\.mqueue\..+|net\..+)$/;
const RLIMITS =
  /^(as|core|cpu|data|fsize|locks|memlock|msgqueue|nice|nofile|nproc|rss|rtprio|rttime|sigpending|stack)$/;

export const HOST_CONFIG_RULES: readonly Rule[] = [
  ({ hostConfig }) => validateMountCount(hostConfig),
  ({ hostConfig: { AutoRemove, RestartPolicy } }) =>
    AutoRemove && !["", "no"].includes(RestartPolicy.Name)
      ? "can't create 'AutoRemove' container with restart policy"
      : undefined,
  ({ hostConfig: { ExtraHosts } }) => {
    const bad = (ExtraHosts ?? []).find((entry) => !/^[^:=]+[:=].+$/.test(entry));
    if (bad !== undefined) return `bad format for add-host: ${JSON.stringify(bad)}`;
    const addresses = (ExtraHosts ?? []).map((entry) => entry.replace(/^[^:=]+[:=]/, ""));
    const wrong = addresses.find(
      (address) => address !== "host-gateway" && isIP(address.replace(/^\[(.*)\]$/, "$1")) === 0,
    );
    return wrong === undefined ? undefined : `invalid IP address in add-host: ${JSON.stringify(wrong)}`;
  },
  ({ hostConfig }) => validateRestartPolicy(hostConfig.RestartPolicy),
  ({ hostConfig }) =>
    (["CapAdd", "CapDrop"] as const)
      .map((list) => {
        const bad = (hostConfig[list] ?? []).find((name) => !isCapability(name));
        return bad === undefined ? undefined : `invalid ${list}: unknown capability: ${JSON.stringify(bad)}`;
      })
      .find((refusal) => refusal !== undefined),
  ({ hostConfig: { Isolation } }) =>
    ["", "default"].includes(Isolation) ? undefined : `invalid isolation (${Isolation}): linux only supports 'default'`,
  ({ hostConfig: { Annotations } }) => validateAnnotations(Annotations),
  ({ hostConfig }) => validateLog(hostConfig.LogConfig),
  ({ hostConfig }) => validateTmpfs(hostConfig),
  // Snapshots have no quota, so reject a size instead of ignoring it, as dockerd does on most file systems.
  ({ hostConfig: { StorageOpt } }) => {
    const names = Object.keys(StorageOpt ?? {});
    const unknown = names.find((name) => name !== "size");
    if (unknown !== undefined) return `Unknown option ${unknown}`;
    return names.length === 0
      ? undefined
      : "--storage-opt is supported only for overlay over xfs with 'pquota' mount option";
  },
  ({ hostConfig: { DeviceRequests } }) => validateDeviceRequests(DeviceRequests ?? []),
  ({ hostConfig: { SecurityOpt } }) => {
    const options = parseSecurityOptions(SecurityOpt);
    if (!options.ok) return options.error;
    // They would let a container change limits that it shares with others.
    return options.value.writableCgroups ? "writable-cgroups=true is not supported: leave the option out" : undefined;
  },
  // Podman's field, which Docker keeps and ignores.
  ({ hostConfig: { Cgroup } }) =>
    Cgroup === "" ? undefined : `invalid Cgroup: ${Cgroup}: use CgroupParent or CgroupnsMode`,
  ({ hostConfig }) => validateResources(hostConfig, { kind: "create" }),
  ({ hostConfig }, host) => validateProcessors(hostConfig, host),
  ({ hostConfig: { ShmSize } }) => (ShmSize < 0 ? "SHM size can not be less than 0" : undefined),
  ({ hostConfig: { OomScoreAdj } }) =>
    Math.abs(OomScoreAdj) > 1000 ? `Invalid value ${OomScoreAdj}, range for oom score adj is [-1000, 1000]` : undefined,
  ({ hostConfig: { Runtime } }) =>
    ["runc", "io.containerd.runc.v2"].includes(Runtime) ? undefined : `unknown or invalid runtime name: ${Runtime}`,
  ({ hostConfig: { CgroupnsMode } }) =>
    ["", "host", "private"].includes(CgroupnsMode) ? undefined : `invalid cgroup namespace mode: ${CgroupnsMode}`,
  ({ hostConfig }) => validateNamespaces(hostConfig),
  ({ hostConfig: { Sysctls, NetworkMode } }) => {
    const names = Object.keys(Sysctls ?? {});
    const bad = names.find((name) => !NAMESPACED_SYSCTL.test(name));
    if (bad !== undefined) return `sysctl ${JSON.stringify(bad)} is not in a separate kernel namespace`;
    const shared = NetworkMode === "host" ? names.find((name) => name.startsWith("net.")) : undefined;
    return shared === undefined ? undefined : `sysctl ${JSON.stringify(shared)} not allowed in host network namespace`;
  },
  ({ hostConfig: { Ulimits } }) => {
    for (const { Name, Soft, Hard } of Ulimits ?? []) {
      if (!RLIMITS.test(Name)) return `invalid ulimit type: ${Name}`;
      if (Hard !== -1 && (Soft === -1 || Soft > Hard)) {
        return `ulimit soft limit must be less than or equal to hard limit: ${Name}: ${Soft} > ${Hard}`;
      }
    }
    return undefined;
  },
];

/** There is no device driver, so the first request is refused as by a dockerd without one (moby `handleDevice`). */
function validateDeviceRequests([first]: readonly DeviceRequest[]): string | undefined {
  if (first === undefined) return undefined;
  const { Driver = "", DeviceIDs, Capabilities } = first;
  if (Driver === "cdi") return `CDI device injection failed: unresolvable CDI devices ${(DeviceIDs ?? []).join(", ")}`;
  const capabilities = (Capabilities ?? []).map((all) => `[${all.join(" ")}]`).join(" ");
  return `could not select device driver ${JSON.stringify(Driver)} with capabilities: [${capabilities}]`;
}

/** Annotations that containerd and runc obey: one would put a container into another's shim, or set properties of a unit. */
const RUNTIME_ANNOTATION = /^(io\.containerd\.|io\.kubernetes\.cri|org\.systemd\.property\.|org\.criu\.|bundle$)/;

function validateAnnotations(annotations: HostConfig["Annotations"]): string | undefined {
  const names = Object.keys(annotations ?? {});
  if (names.includes("")) return "invalid Annotations: the empty string is not permitted as an annotation key";
  const obeyed = names.find((name) => RUNTIME_ANNOTATION.test(name));
  return obeyed === undefined ? undefined : `invalid Annotations: ${obeyed} is reserved for the runtime`;
}

const NAMESPACE_FORMS = {
  PidMode: [/^(host|container:.+)?$/, "invalid PID mode"],
  IpcMode: [/^(host|private|shareable|none|container:.+)?$/, "invalid IPC mode"],
  UTSMode: [/^(host)?$/, "invalid UTS mode"],
  UsernsMode: [/^(host)?$/, "invalid userns mode"],
} as const satisfies Partial<Record<keyof HostConfig, readonly [RegExp, string]>>;

function validateNamespaces(host: HostConfig): string | undefined {
  for (const [field, [form, message]] of Object.entries(NAMESPACE_FORMS)) {
    const mode = host[field as keyof typeof NAMESPACE_FORMS];
    if (!form.test(mode)) return `${message}: ${mode}`;
  }
  return undefined;
}
