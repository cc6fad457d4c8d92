import { err, formatPortSpec, ok, type Result } from "@berth/port-spec";
import { parseComposePort } from "@berth/port-spec/json";
import { parse } from "yaml";
import type { DockerRun } from "./line.ts";

/** Fields of a service whose values docker run takes under another name. */
const FLAGS: Readonly<Record<string, string>> = {
  cap_add: "cap-add",
  cgroup: "cgroupns",
  cgroup_parent: "cgroup-parent",
  cpu_period: "cpu-period",
  cpu_quota: "cpu-quota",
  cpus: "cpus",
  device_cgroup_rules: "device-cgroup-rule",
  devices: "device",
  gpus: "gpus",
  ipc: "ipc",
  mem_limit: "memory",
  network_mode: "network",
  oom_kill_disable: "oom-kill-disable",
  oom_score_adj: "oom-score-adj",
  pid: "pid",
  pids_limit: "pids-limit",
  privileged: "privileged",
  runtime: "runtime",
  security_opt: "security-opt",
  sysctls: "sysctl",
  userns_mode: "userns",
  uts: "uts",
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the services of a compose file as docker run would describe their containers.
 * @returns each service by its name, or what is wrong where.
 */
export function parseCompose(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Result<ReadonlyMap<string, DockerRun>, string> {
  let file: Fields;
  try {
    file = record(parse(interpolate(text, env), { merge: true }));
  } catch (fault) {
    return err(`not YAML: ${(fault as Error).message.split("\n")[0]}`);
  }
  if (file.include !== undefined) return err("include is not followed: give the output of docker compose config");
  const services = new Map<string, DockerRun>();
  for (const [name, value] of Object.entries(record(file.services))) {
    const read = readService(name, record(value));
    if (!read.ok) return err(`services.${name}: ${read.error}`);
    services.set(name, read.value);
  }
  return services.size === 0 ? err("has no services") : ok(services);
}

function readService(name: string, service: Fields): Result<DockerRun, string> {
  if (service.extends !== undefined) return err("extends is not followed: give the output of docker compose config");
  const flags = new Map<string, readonly string[]>();
  for (const [field, flag] of Object.entries(FLAGS)) {
    const values = valuesOf(service[field]);
    if (values.length > 0) flags.set(flag, values);
  }
  // Another service's network or processes are another container's.
  for (const flag of ["network", "pid", "ipc"]) {
    const joined = flags.get(flag)?.map((mode) => mode.replace(/^service:/, "container:"));
    if (joined !== undefined) flags.set(flag, joined);
  }
  const limits = record(record(record(service.deploy).resources).limits);
  for (const [field, flag] of [
    ["memory", "memory"],
    ["cpus", "cpus"],
    ["pids", "pids-limit"],
  ] as const)
    if (limits[field] !== undefined) flags.set(flag, [String(limits[field])]);
  if (record(record(record(service.deploy).resources).reservations).devices !== undefined)
    flags.set("gpus", ["deploy"]);

  const published: string[] = [];
  for (const entry of list(service.ports)) {
    const port = parseComposePort(entry);
    if (!port.ok) return err(`ports: ${port.error.message}`);
    published.push(formatPortSpec(port.value.spec));
  }
  if (published.length > 0) flags.set("publish", published);
  const volumes = list(service.volumes).flatMap(readVolume);
  if (volumes.length > 0) flags.set("volume", volumes);
  // An image that compose builds is named after its project and service.
  return ok({ image: typeof service.image === "string" ? service.image : `${name} (built by compose)`, flags });
}

/** The short form of a volume that is a folder of the host. */
function readVolume(entry: unknown): readonly string[] {
  if (typeof entry === "string") return [entry];
  const { type, source, target, read_only } = record(entry);
  return type === "bind" ? [`${source}:${target}${read_only === true ? ":ro" : ""}`] : [];
}

function valuesOf(value: unknown): readonly string[] {
  if (value === undefined || value === null || value === false) return [];
  if (Array.isArray(value)) return value.map((one) => (typeof one === "object" ? JSON.stringify(one) : String(one)));
  if (typeof value === "object") return Object.entries(value).map(([key, one]) => `${key}=${one}`);
  return [String(value)];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function record(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Replaces `$NAME`, `${NAME}`, `${NAME:-default}`; `$$` is a dollar sign. */
function interpolate(text: string, env: Readonly<Record<string, string | undefined>>): string {
  return text.replaceAll(
    /\$(?:(\$)|(\w+)|\{(\w+)(?:(:?)-([^}]*)|[^}]*)?\})/g,
    (_all, dollar?: string, bare?: string, braced?: string, colon?: string, fallback?: string) => {
      if (dollar !== undefined) return "$";
      const value = env[bare ?? braced ?? ""];
      return (colon === ":" ? value || fallback : (value ?? fallback)) ?? "";
    },
  );
}
