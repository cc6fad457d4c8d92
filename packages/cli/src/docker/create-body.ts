import { err, ok, type PortSpec, parsePortSpec, type Result, toEngine } from "@berth/port-spec";
import { bytesOf } from "./bytes.ts";
import { hostPath } from "./host-path.ts";
import type { DockerRun } from "./line.ts";

type Flags = DockerRun["flags"];

/** Fields of `HostConfig` that are a text, by the flag that sets them. */
const TEXTS = {
  network: "NetworkMode",
  pid: "PidMode",
  ipc: "IpcMode",
  uts: "UTSMode",
  userns: "UsernsMode",
  cgroupns: "CgroupnsMode",
  "cgroup-parent": "CgroupParent",
  runtime: "Runtime",
} as const;
const LISTS = {
  "cap-add": "CapAdd",
  "cap-drop": "CapDrop",
  "security-opt": "SecurityOpt",
  "device-cgroup-rule": "DeviceCgroupRules",
  "volumes-from": "VolumesFrom",
} as const;
const SWITCHES = {
  privileged: "Privileged",
  "publish-all": "PublishAllPorts",
  "oom-kill-disable": "OomKillDisable",
} as const;
const NUMBERS = {
  "cpu-quota": "CpuQuota",
  "cpu-period": "CpuPeriod",
  "pids-limit": "PidsLimit",
  "oom-score-adj": "OomScoreAdj",
} as const;
const BYTES = { memory: "Memory", "memory-swap": "MemorySwap" } as const;

/**
 * The body of a create, as far as a decision on it reads it: what the image runs, and its variables, labels and limits of other kinds are
 * left out.
 * @param folder where relative paths begin.
 */
export function createBodyOf({ image, flags }: DockerRun, folder: string): Result<object, string> {
  const specs: PortSpec[] = [];
  for (const text of flags.get("publish") ?? []) {
    const spec = parsePortSpec(text);
    if (!spec.ok) return err(`-p ${text}: ${spec.error.message}`);
    specs.push(spec.value);
  }
  const { ExposedPorts, PortBindings } = toEngine(specs);
  const exposed = (flags.get("expose") ?? []).map((port) => [port.includes("/") ? port : `${port}/tcp`, {}]);
  const cpus = Number(flags.get("cpus")?.at(-1) ?? 0);
  const sysctls = (flags.get("sysctl") ?? []).map((text) => pairOf(text));
  const devices = (flags.get("device") ?? []).map(deviceOf);
  return ok({
    Image: image,
    ExposedPorts: { ...ExposedPorts, ...Object.fromEntries(exposed) },
    HostConfig: {
      ...lasts(flags, TEXTS, (text) => text),
      ...lasts(flags, SWITCHES, (text) => /^(1|t|true)$/i.test(text)),
      ...lasts(flags, NUMBERS, Number),
      ...lasts(flags, BYTES, (text) => (text === "-1" ? -1 : (bytesOf(text) ?? 0))),
      ...Object.fromEntries(
        Object.entries(LISTS).flatMap(([flag, field]) => (flags.has(flag) ? [[field, flags.get(flag)]] : [])),
      ),
      ...(cpus > 0 ? { NanoCpus: Math.round(cpus * 1e9) } : {}),
      ...(sysctls.length > 0 ? { Sysctls: Object.fromEntries(sysctls) } : {}),
      ...(devices.length > 0 ? { Devices: devices } : {}),
      ...(flags.has("gpus") ? { DeviceRequests: [{ Count: -1, Capabilities: [["gpu"]] }] } : {}),
      PortBindings,
      Binds: (flags.get("volume") ?? []).filter((text) => text.includes(":")).map((text) => absolute(text, folder)),
      Mounts: (flags.get("mount") ?? []).map((text) => mountOf(text, folder)),
    },
  });
}

function lasts<Value>(
  flags: Flags,
  fields: Readonly<Record<string, string>>,
  read: (text: string) => Value,
): Readonly<Record<string, Value>> {
  const given = Object.entries(fields).flatMap(([flag, field]) => {
    const text = flags.get(flag)?.at(-1);
    return text === undefined ? [] : [[field, read(text)] as const];
  });
  return Object.fromEntries(given);
}

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function deviceOf(text: string) {
  const [host = "", inside = host, permissions = "rwm"] = text.split(":");
  return { PathOnHost: host, PathInContainer: inside, CgroupPermissions: permissions };
}

/** A bind with its source as an absolute path; a volume stays as it is. */
function absolute(text: string, folder: string): string {
  const [source = "", ...rest] = text.split(":");
  return [/^[./~]/.test(source) ? hostPath(folder, source) : source, ...rest].join(":");
}

function mountOf(text: string, folder: string) {
  const fields = new Map(text.split(",").map(pairOf));
  const first = (...names: readonly string[]) => names.map((name) => fields.get(name)).find((one) => one !== undefined);
  const type = first("type") ?? "volume";
  const source = first("source", "src") ?? "";
  const readOnly = first("readonly", "ro");
  return {
    Type: type,
    Source: type === "bind" ? hostPath(folder, source) : source,
    Target: first("target", "destination", "dst") ?? "",
    ReadOnly: readOnly !== undefined && !/^(0|f|false)$/i.test(readOnly),
  };
}
