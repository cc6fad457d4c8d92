import {
  type Effect,
  type Fault,
  type HostFolder,
  parseConstraint,
  RESOURCES,
  type Resource,
  SHARED_RESOURCES,
} from "@berth/directory-domain";
import { err, ok, parsePortRange, parseProtocol, type Result } from "@berth/port-spec";
import { bytesOf } from "./docker/bytes.ts";

/** The flags that describe constraints; each may be given several times or hold a list with commas. `none` is an empty list. */
export interface ConstraintFlags {
  readonly ports?: readonly string[] | undefined;
  readonly interfaces?: readonly string[] | undefined;
  readonly images?: readonly string[] | undefined;
  readonly mounts?: readonly string[] | undefined;
  readonly privileges?: readonly string[] | undefined;
  readonly networks?: readonly string[] | undefined;
  readonly subnets?: readonly string[] | undefined;
  readonly quota?: readonly string[] | undefined;
  readonly sharedQuota?: readonly string[] | undefined;
}

/**
 * The constraints that flags describe: one for each kind, and one for each resource of a quota.
 * @returns bodies for the directory, or what is wrong with which flag.
 */
export function constraintsOf(flags: ConstraintFlags, effect: Effect): Result<readonly object[], string> {
  const constraints: object[] = [];
  const faults: string[] = [];
  function add<T>(
    flag: keyof ConstraintFlags,
    read: (text: string) => Result<T, string>,
    make: (values: readonly T[]) => readonly object[],
  ) {
    const values = flags[flag]?.flatMap((value) => value.split(","));
    if (values === undefined) return;
    if (values.length === 0 || values.includes(""))
      return void faults.push(`--${dashed(flag)} needs a value; none permits nothing`);
    const parsed = (values.length === 1 && values[0] === "none" ? [] : values).map(read);
    const misread = parsed.flatMap((one) => (one.ok ? [] : [one.error]));
    if (misread.length > 0) return void faults.push(...misread);
    for (const rule of make(parsed.flatMap((one) => (one.ok ? [one.value] : [])))) {
      const constraint = { effect, ...rule };
      const read = parseConstraint(constraint);
      if (!read.ok) faults.push(`--${flagOf(read.error, flag, values)}: ${read.error.detail}`);
      constraints.push(constraint);
    }
  }
  add("ports", readPorts, (ports) => [{ kind: "host-ports", ports }]);
  add("interfaces", text, (addresses) => [{ kind: "host-interfaces", addresses }]);
  add("images", text, (patterns) => [{ kind: "images", patterns }]);
  add("mounts", readFolder, (folders) => [{ kind: "mounts", folders }]);
  add("privileges", text, (privileges) => [{ kind: "privileges", privileges }]);
  add("networks", text, (names) => [{ kind: "networks", names }]);
  add("subnets", text, (subnets) => [{ kind: "subnets", subnets }]);
  add(
    "quota",
    (value) => readQuota("quota", value),
    (quotas) => quotas,
  );
  add(
    "sharedQuota",
    (value) => readQuota("shared-quota", value),
    (quotas) => quotas,
  );
  return faults.length > 0 ? err(faults.join("; ")) : ok(constraints);
}

/** The flag that a fault is of, with the value that it names. */
function flagOf({ pointer }: Fault, flag: string, values: readonly string[]): string {
  const [, name, index] = pointer.split("/");
  if (name === "effect") return "effect";
  return `${dashed(flag)} ${index === undefined ? values.join(",") : values[Number(index)]}`;
}

function dashed(flag: string): string {
  return flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function text(value: string): Result<string, string> {
  return ok(value);
}

/** `8000-8099`, `53/udp` */
function readPorts(value: string): Result<object, string> {
  const [ports = "", name, ...rest] = value.split("/");
  const range = parsePortRange(ports);
  const protocol = name === undefined ? undefined : parseProtocol(name);
  if (range === undefined || range.start < 1 || rest.length > 0 || (name !== undefined && protocol === undefined))
    return err(`--ports ${value}: must be a port or range from 1 to 65535, as in 8000-8099 or 53/udp`);
  return ok({ ...range, ...(protocol === undefined ? {} : { protocol }) });
}

/** `/srv`, `/srv:ro` */
function readFolder(value: string): Result<HostFolder, string> {
  const match = /^(\/.*?)(?::(ro|rw))?$/.exec(value);
  if (match?.[1] === undefined) return err(`--mounts ${value}: must be an absolute path, as in /srv or /srv:ro`);
  return ok({ path: match[1], readOnly: match[2] === "ro" });
}

/** `memory=4g`, `cpu=1.5`, `containers=10` */
function readQuota(kind: "quota" | "shared-quota", value: string): Result<object, string> {
  const [name, amount = "", ...rest] = value.split("=");
  const resources: readonly Resource[] = kind === "quota" ? RESOURCES : SHARED_RESOURCES;
  const resource = resources.find((one) => one === name);
  if (resource === undefined || rest.length > 0)
    return err(`--${kind} ${value}: must be one of ${resources.join(", ")} and an amount, as in memory=4g`);
  const inBytes = resource === "memory" || resource === "storage";
  const max = inBytes ? bytesOf(amount) : /^\d+(\.\d+)?$/.test(amount) ? Number(amount) : undefined;
  if (max !== undefined) return ok({ kind, resource, max });
  return err(`--${kind} ${value}: ${inBytes ? "must be bytes, as in 512m or 4g" : "must be a number"}`);
}
