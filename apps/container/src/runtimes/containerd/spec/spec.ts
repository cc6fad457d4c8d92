import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { MASKED_PATHS, READONLY_PATHS } from "../../../containers/records/masked-paths.ts";
import type { ContainerSpec, ExecSpec, NamespaceSpec } from "../../../containers/records/runtime.ts";
import { EngineError } from "../../../engine/errors.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { type DeviceNode, devicesOf } from "./devices.ts";
import { mountsOf, rootPropagation } from "./mounts.ts";
import { type CgroupFacts, type FoundThrottle, resourcesOf, rlimitsOf } from "./resources.ts";
import { type SeccompFacts, seccompOf } from "./seccomp.ts";
import type { OciUser } from "./user.ts";

/** What the spec has to know of the machine. */
export interface SpecHost extends Pick<SeccompFacts, "architecture" | "kernel"> {
  readonly cgroups: CgroupFacts;
  /** Those that we have and so can give. */
  readonly capabilities: readonly string[];
  /** By ulimit name; absent is unlimited. */
  readonly hardLimits: Readonly<Record<string, number>>;
  /** The lowest `oom_score_adj` that we may set. */
  readonly lowestOomScoreAdj: number;
  /** Whether the kernel confines processes by AppArmor profiles. */
  readonly apparmor: boolean;
}

export interface SpecContext {
  readonly host: SpecHost;
  readonly instance: string;
  /** Resolved against the container's own files. */
  readonly user: OciUser;
  /** The host's nodes of the spec's devices; for a privileged container all there are. */
  readonly devices: readonly DeviceNode[];
  /** The spec's throttles with what their paths are on the host. */
  readonly throttles: readonly FoundThrottle[];
  /** Docker's form, as JSON. */
  readonly seccompProfile: string;
  /** The static init's path on the host; undefined where there is none. */
  readonly init: string | undefined;
}

const INIT_TARGET = "/sbin/docker-init";

/** The OCI runtime spec (1.0.2) that gives a container what Docker gives it. Pure. `invalid` names what can't be. */
export function ociSpec(spec: ContainerSpec, context: SpecContext): object {
  const { host } = context;
  const { namespaces, privileged } = spec;
  const capabilities = capabilitiesOf(spec, host.capabilities);
  const devices = devicesOf(context.devices, spec.deviceCgroupRules, { access: privileged ? "all" : "listed" });
  const propagation = rootPropagation(spec.mounts);
  const seccomp = seccompFor(spec, capabilities, context);
  return {
    ociVersion: "1.0.2",
    process: {
      terminal: spec.terminal,
      ...(spec.terminal && spec.consoleSize !== undefined && { consoleSize: spec.consoleSize }),
      user: context.user,
      args: spec.init ? [INIT_TARGET, "--", ...spec.args] : spec.args,
      env: spec.env,
      cwd: spec.cwd || "/",
      capabilities: capabilitySets(capabilities, context.user),
      rlimits: rlimitsOf(spec.ulimits, host.hardLimits),
      noNewPrivileges: spec.noNewPrivileges,
      ...(spec.apparmor !== undefined && host.apparmor && { apparmorProfile: spec.apparmor }),
      oomScoreAdj: Math.max(spec.oomScoreAdj, host.lowestOomScoreAdj),
    },
    root: { path: "rootfs", readonly: spec.readonlyRootfs },
    ...(Object.keys(spec.annotations).length > 0 && { annotations: spec.annotations }),
    ...(namespaces.uts.kind === "host" ? {} : { hostname: spec.hostname }),
    mounts: mountsOf(spec.init ? { ...spec, mounts: [...spec.mounts, initMount(context)] } : spec),
    linux: {
      sysctl: sysctlsOf(spec),
      cgroupsPath: join("/", spec.cgroupParent || context.instance, spec.id),
      resources: { ...resourcesOf(spec.resources, host.cgroups, context.throttles), devices: devices.rules },
      devices: devices.devices,
      namespaces: [
        { type: "mount" },
        ...(["network", "pid", "ipc", "uts", "cgroup"] as const).flatMap((type) => namespaceOf(type, namespaces[type])),
      ],
      maskedPaths: privileged ? [] : (spec.maskedPaths ?? MASKED_PATHS),
      readonlyPaths: privileged ? [] : (spec.readonlyPaths ?? READONLY_PATHS),
      ...(propagation === undefined ? {} : { rootfsPropagation: propagation }),
      ...(seccomp === undefined ? {} : { seccomp }),
    },
  };
}

/** The OCI `process` of an exec: no more than its container has, but for a privileged one. */
export function ociProcess(spec: ExecSpec, user: OciUser, host: SpecHost): object {
  const privileged = spec.privileged || spec.container.privileged;
  const capabilities = capabilitiesOf({ ...spec.container, privileged }, host.capabilities);
  return {
    terminal: spec.terminal,
    ...(spec.size === undefined ? {} : { consoleSize: spec.size }),
    user,
    args: spec.args,
    env: spec.env,
    cwd: spec.cwd || "/",
    capabilities: capabilitySets(capabilities, user),
    rlimits: rlimitsOf(spec.container.ulimits, host.hardLimits),
    noNewPrivileges: spec.container.noNewPrivileges,
  };
}

/** As JSON: RLIM_INFINITY is beyond what a number of JavaScript's can hold, and Go refuses it rounded. */
export function formatSpec(spec: object): string {
  const mark = randomUUID();
  const json = JSON.stringify(spec, (_, value) => (typeof value === "bigint" ? `${mark}${value}` : value));
  return json.replaceAll(new RegExp(`"${mark}(\\d+)"`, "g"), "$1");
}

/** Only root gets them in effect; another user can by a set-uid program, as after execve(2). */
function capabilitySets(capabilities: readonly string[], { uid }: OciUser): object {
  return uid === 0
    ? { bounding: capabilities, effective: capabilities, permitted: capabilities }
    : { bounding: capabilities };
}

function seccompFor(
  { seccomp, privileged }: ContainerSpec,
  capabilities: readonly string[],
  { host, seccompProfile }: SpecContext,
): object | undefined {
  if (seccomp.kind === "unconfined" || (seccomp.kind === "default" && privileged)) return undefined;
  const { architecture, kernel } = host;
  return seccompOf(seccomp.kind === "default" ? seccompProfile : seccomp.json, { architecture, kernel, capabilities });
}

function namespaceOf(type: string, namespace: NamespaceSpec): readonly object[] {
  if (namespace.kind === "host") return [];
  return [namespace.kind === "path" ? { type, path: namespace.path } : { type }];
}

/** In a network namespace of its own a container may ping and bind low ports without a capability, as Docker lets it. */
function sysctlsOf({ sysctls, namespaces, domainname }: ContainerSpec): Readonly<Record<string, string>> {
  return {
    ...(namespaces.network.kind === "host"
      ? {}
      : { "net.ipv4.ping_group_range": "0 2147483647", "net.ipv4.ip_unprivileged_port_start": "0" }),
    ...(domainname === "" || namespaces.uts.kind === "host" ? {} : { "kernel.domainname": domainname }),
    ...sysctls,
  };
}

function initMount({ init }: SpecContext): ContainerSpec["mounts"][number] {
  if (init === undefined) {
    throw new EngineError("invalid", "an init was asked for, but this host has no init program for containers");
  }
  return { kind: "bind", source: init, target: INIT_TARGET, readonly: true, propagation: "rprivate", recursive: false };
}
