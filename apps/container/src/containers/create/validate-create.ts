import { capabilityNames } from "../records/capability-names.ts";
import type { CreateRequest, HealthConfig, HostConfig } from "../records/config.ts";
import { refusalOfLogValues } from "../records/log-options.ts";
import { isSignal } from "../records/signals.ts";
import { refusalOfBinds, refusalOfMounts, refusalOfTmpfs } from "./validate-mounts.ts";
import {
  type Processors,
  refusalOfProcessors,
  refusalOfResources,
  refusalOfRestartPolicy,
} from "./validate-resources.ts";

// The rules of dockerd 20.10 (`verifyContainerSettings` and what it calls), in its order and its words. Each rule answers
// why it refuses, or undefined.

/** What create asks for, apart from what only the use case can judge: ports, the image, other containers. */
export type CreateToCheck = Pick<CreateRequest, "config" | "hostConfig" | "endpoints">;

type Rule = (request: CreateToCheck, host: Processors) => string | undefined;

const MILLISECOND = 1_000_000;

function sharesNetwork(mode: string): boolean {
  return mode.split(":", 1)[0] === "container";
}

const NETWORK_RULES: readonly Rule[] = [
  ({ hostConfig: { NetworkMode } }) =>
    /^container:?$/.test(NetworkMode)
      ? "Invalid network mode: invalid container format container:<name|id>"
      : undefined,
  ...(
    [
      [({ config }) => config.Hostname !== "", "conflicting options: hostname and the network mode"],
      [
        ({ hostConfig }) => (hostConfig.Links ?? []).length > 0,
        "conflicting options: container type network can't be used with links. This would result in undefined behavior",
      ],
      [({ hostConfig }) => hostConfig.Dns.length > 0, "conflicting options: dns and the network mode"],
      [
        ({ hostConfig }) => (hostConfig.ExtraHosts ?? []).length > 0,
        "conflicting options: custom host-to-IP mapping and the network mode",
      ],
      [({ config }) => (config.MacAddress ?? "") !== "", "conflicting options: mac-address and the network mode"],
      [
        ({ hostConfig }) => hostConfig.PublishAllPorts || Object.keys(hostConfig.PortBindings ?? {}).length > 0,
        "conflicting options: port publishing and the container type network mode",
      ],
      [
        ({ config }) => Object.keys(config.ExposedPorts ?? {}).length > 0,
        "conflicting options: port exposing and the container type network mode",
      ],
    ] as readonly (readonly [(request: CreateToCheck) => boolean, string])[]
  ).map(
    ([conflicts, message]): Rule =>
      (request) =>
        sharesNetwork(request.hostConfig.NetworkMode) && conflicts(request) ? message : undefined,
  ),
  ({ config, hostConfig }) =>
    hostConfig.NetworkMode === "host" && (config.MacAddress ?? "") !== ""
      ? "conflicting options: mac-address and the network mode"
      : undefined,
  ({ config, hostConfig }) =>
    hostConfig.UTSMode === "host" && config.Hostname !== ""
      ? "conflicting options: hostname and the UTS mode"
      : undefined,
  ({ hostConfig }) =>
    hostConfig.NetworkMode === "host" && (hostConfig.Links ?? []).length > 0
      ? "conflicting options: host type networking can't be used with links. This would result in undefined behavior"
      : undefined,
];

const CONFIG_RULES: readonly Rule[] = [
  ({ config }) => (config.Image === "" ? "no image specified: Image is required" : undefined),
  ({ config: { WorkingDir } }) =>
    WorkingDir !== "" && !WorkingDir.startsWith("/")
      ? `the working directory '${WorkingDir}' is invalid, it needs to be an absolute path`
      : undefined,
  ({ config: { StopSignal = "" } }) =>
    StopSignal === "" || isSignal(StopSignal) ? undefined : `Invalid signal: ${StopSignal}`,
  ({ config: { Env } }) => {
    const bad = Env.find((entry) => entry === "" || entry.startsWith("="));
    return bad === undefined ? undefined : `invalid environment variable: ${bad}`;
  },
  ({ config: { Hostname } }) =>
    Hostname.length > 63 || (Hostname !== "" && !/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(Hostname))
      ? `invalid hostname: ${JSON.stringify(Hostname)}: at most 63 letters, digits, dots and hyphens`
      : undefined,
  ({ config: { Healthcheck } }) => refusalOfHealthcheck(Healthcheck),
];

function refusalOfHealthcheck(health: HealthConfig | undefined): string | undefined {
  if (health === undefined) return undefined;
  const short = (["Interval", "Timeout", "StartPeriod", "StartInterval"] as const).find((field) => {
    const duration = health[field] ?? 0;
    return duration !== 0 && duration < MILLISECOND;
  });
  if (short !== undefined) return `${short} in Healthcheck cannot be less than 1ms`;
  return (health.Retries ?? 0) < 0 ? "Retries in Healthcheck cannot be negative" : undefined;
}

function isCapability(name: string): boolean {
  const upper = name.toUpperCase().replace(/^CAP_/, "");
  return upper === "ALL" || capabilityNames.includes(`CAP_${upper}`);
}

/** Options of every log driver. */
const LOG_MODES = ["mode", "max-buffer-size"];

/** The options that each log driver of dockerd's takes. */
const LOG_DRIVERS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "json-file",
    ["max-file", "max-size", "compress", "labels", "labels-regex", "env", "env-regex", "tag", ...LOG_MODES],
  ],
  ["local", ["max-file", "max-size", "compress", ...LOG_MODES]],
  ["none", []],
]);

function refusalOfLogOptions({ Type, Config }: HostConfig["LogConfig"]): string | undefined {
  const unknown = Object.keys(Config).find((option) => !LOG_DRIVERS.get(Type)?.includes(option));
  return unknown === undefined || Type === "none" ? undefined : `unknown log opt '${unknown}' for ${Type} log driver`;
}

const SECURITY_OPTIONS = /^(apparmor|seccomp|label|no-new-privileges|systempaths|writable-cgroups)([:=]|$)/;
const NAMESPACED_SYSCTL =
  /^(kernel\.(msgmax|msgmnb|msgmni|sem|shmall|shmmax|shmmni|shm_rmid_forced)|fs\.mqueue\..+|net\..+)$/;
const RLIMITS =
  /^(as|core|cpu|data|fsize|locks|memlock|msgqueue|nice|nofile|nproc|rss|rtprio|rttime|sigpending|stack)$/;

const HOST_CONFIG_RULES: readonly Rule[] = [
  ({ hostConfig: { AutoRemove, RestartPolicy } }) =>
    AutoRemove && !["", "no"].includes(RestartPolicy.Name)
      ? "can't create 'AutoRemove' container with restart policy"
      : undefined,
  ({ hostConfig }) => refusalOfMounts(hostConfig),
  ({ hostConfig }) => refusalOfBinds(hostConfig.Binds ?? []),
  ({ hostConfig: { ExtraHosts } }) => {
    const bad = (ExtraHosts ?? []).find((entry) => !/^[^:=]+[:=].+$/.test(entry));
    return bad === undefined ? undefined : `bad format for add-host: ${JSON.stringify(bad)}`;
  },
  ({ hostConfig }) => refusalOfRestartPolicy(hostConfig.RestartPolicy),
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
  ({ hostConfig: { LogConfig } }) =>
    LOG_DRIVERS.has(LogConfig.Type)
      ? refusalOfLogOptions(LogConfig)
      : `logger: no log driver named '${LogConfig.Type}' is registered`,
  ({ hostConfig }) => refusalOfLogValues(hostConfig.LogConfig),
  // Snapshots have no quota: a size that nothing would keep to is refused, as dockerd does on most file systems.
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
  ({ hostConfig }) => refusalOfResources(hostConfig, { kind: "create" }),
  ({ hostConfig }, host) => refusalOfProcessors(hostConfig, host),
  ({ hostConfig: { ShmSize } }) => (ShmSize < 0 ? "SHM size can not be less than 0" : undefined),
  ({ hostConfig: { OomScoreAdj } }) =>
    Math.abs(OomScoreAdj) > 1000 ? `Invalid value ${OomScoreAdj}, range for oom score adj is [-1000, 1000]` : undefined,
  ({ hostConfig: { Runtime } }) =>
    ["runc", "io.containerd.runc.v2"].includes(Runtime) ? undefined : `Unknown runtime specified ${Runtime}`,
  ({ hostConfig }) => refusalOfTmpfs(Object.keys(hostConfig.Tmpfs ?? {})),
  ({ hostConfig: { CgroupnsMode } }) =>
    ["", "host", "private"].includes(CgroupnsMode) ? undefined : `invalid cgroup namespace mode: ${CgroupnsMode}`,
  ({ hostConfig }) => refusalOfNamespaces(hostConfig),
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

function refusalOfNamespaces(host: HostConfig): string | undefined {
  for (const [field, [form, message]] of Object.entries(NAMESPACE_FORMS)) {
    const mode = host[field as keyof typeof NAMESPACE_FORMS];
    if (!form.test(mode)) return `${message}: ${mode}`;
  }
  return undefined;
}

const RULES: readonly Rule[] = [...NETWORK_RULES, ...CONFIG_RULES, ...HOST_CONFIG_RULES];

/** Why the create request is refused, in Docker's words; undefined where it is sound. */
export function refusalOfCreate(request: CreateToCheck, host: Processors): string | undefined {
  for (const rule of RULES) {
    const refusal = rule(request, host);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
