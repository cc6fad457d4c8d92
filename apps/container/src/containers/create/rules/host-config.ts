import { CAPABILITY_NAMES } from "../../records/capability-names.ts";
import type { HostConfig } from "../../records/config.ts";
import { validateProcessors, validateResources, validateRestartPolicy } from "./limits.ts";
import { validateLog } from "./log.ts";
import type { Rule } from "./rule.ts";
import { validateTmpfs } from "./tmpfs.ts";

function isCapability(name: string): boolean {
  const upper = name.toUpperCase().replace(/^CAP_/, "");
  return upper === "ALL" || CAPABILITY_NAMES.includes(`CAP_${upper}`);
}

const SECURITY_OPTIONS = /^(apparmor|seccomp|label|no-new-privileges|systempaths|writable-cgroups)([:=]|$)/;
const NAMESPACED_SYSCTL =
  /^(kernel\.(msgmax|msgmnb|msgmni|sem|shmall|shmmax|shmmni|shm_rmid_forced)|fs\.mqueue\..+|net\..+)$/;
const RLIMITS =
  /^(as|core|cpu|data|fsize|locks|memlock|msgqueue|nice|nofile|nproc|rss|rtprio|rttime|sigpending|stack)$/;

export const HOST_CONFIG_RULES: readonly Rule[] = [
  ({ hostConfig: { AutoRemove, RestartPolicy } }) =>
    AutoRemove && !["", "no"].includes(RestartPolicy.Name)
      ? "can't create 'AutoRemove' container with restart policy"
      : undefined,
  ({ hostConfig: { ExtraHosts } }) => {
    const bad = (ExtraHosts ?? []).find((entry) => !/^[^:=]+[:=].+$/.test(entry));
    return bad === undefined ? undefined : `bad format for add-host: ${JSON.stringify(bad)}`;
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
    ["", "default"].includes(Isolation)
      ? undefined
      : `Invalid isolation: "${Isolation}" - linux only supports 'default'`,
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
  ({ hostConfig: { DeviceRequests } }) =>
    (DeviceRequests ?? []).length > 0
      ? 'could not select device driver "" with capabilities: [[gpu]]: DeviceRequests (--gpus) are not supported'
      : undefined,
  ({ hostConfig: { SecurityOpt } }) => {
    const bad = (SecurityOpt ?? []).find((option) => !SECURITY_OPTIONS.test(option));
    return bad === undefined ? undefined : `invalid --security-opt 2: ${JSON.stringify(bad)}`;
  },
  ({ hostConfig }) => validateResources(hostConfig, { kind: "create" }),
  ({ hostConfig }, host) => validateProcessors(hostConfig, host),
  ({ hostConfig: { ShmSize } }) => (ShmSize < 0 ? "SHM size can not be less than 0" : undefined),
  ({ hostConfig: { OomScoreAdj } }) =>
    Math.abs(OomScoreAdj) > 1000 ? `Invalid value ${OomScoreAdj}, range for oom score adj is [-1000, 1000]` : undefined,
  ({ hostConfig: { Runtime } }) =>
    ["runc", "io.containerd.runc.v2"].includes(Runtime) ? undefined : `Unknown runtime specified ${Runtime}`,
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
