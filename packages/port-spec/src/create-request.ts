import type { PortBinding } from "./bindings.ts";
import { isObject } from "./json.ts";
import type { PortError } from "./port-error.ts";
import { err, ok, type Result } from "./result.ts";

/**
 * The parts of a create body that speak of ports, as JSON gave them: nothing about their types is taken for granted, so
 * the whole body may be passed.
 */
export interface CreatePortsRequest {
  readonly ExposedPorts?: unknown;
  /** Legacy: exposes, never binds. */
  readonly PortSpecs?: unknown;
  readonly HostConfig?: unknown;
  /** What a HostConfig holds may stand at the top of the body; it counts only where there is no HostConfig. */
  readonly PortBindings?: unknown;
  readonly PublishAllPorts?: unknown;
  readonly NetworkMode?: unknown;
}

/** The same, with every type checked and every absent field filled in. */
export interface TypedPorts {
  readonly exposedPorts: readonly string[];
  readonly portSpecs: readonly string[];
  /** `null` where the request named none. */
  readonly portBindings: ReadonlyMap<string, readonly PortBinding[] | null> | null;
  /** Where the bindings stood: `HostConfig.PortBindings`, or `PortBindings` at the top of the body. */
  readonly bindingsPath: string;
  readonly publishAllPorts: boolean;
  readonly networkMode: string;
}

/**
 * Checks the JSON types of a create body's ports. `null` counts as absent everywhere, as in Go.
 *
 * @returns the typed parts, or the first value of a wrong type, with its path and dockerd's message.
 */
export function readCreatePorts(body: CreatePortsRequest): Result<TypedPorts, PortError> {
  const faults: PortError[] = [];
  const nested = body.HostConfig !== undefined && body.HostConfig !== null;
  const host = nested
    ? fields(body.HostConfig, place("HostConfig", "ContainerConfigWrapper.HostConfig", "container.HostConfig"), faults)
    : body;
  const path = nested ? "HostConfig." : "";
  const inHost = (name: string, type: string) => place(`${path}${name}`, `HostConfig.HostConfig.${name}`, type);
  const typed: TypedPorts = {
    exposedPorts: exposedKeys(body.ExposedPorts, faults),
    portSpecs: texts(body.PortSpecs, place("PortSpecs", "ContainerConfigWrapper.PortSpecs", "[]string"), faults),
    portBindings: bindingsByKey(host.PortBindings, inHost("PortBindings", "nat.PortMap"), faults),
    bindingsPath: `${path}PortBindings`,
    publishAllPorts: flag(host.PublishAllPorts, inHost("PublishAllPorts", "bool"), faults),
    networkMode: text(host.NetworkMode, inHost("NetworkMode", "container.NetworkMode"), faults),
  };
  const [fault] = faults;
  return fault === undefined ? ok(typed) : err(fault);
}

/** A value's path in the request, and the names Go has for the field and its type, which dockerd's messages speak in. */
interface Place {
  readonly path: string;
  readonly field: string;
  readonly type: string;
}

function place(path: string, field: string, type: string): Place {
  return { path, field, type };
}

type Fields = Readonly<Record<string, unknown>>;

function exposedKeys(value: unknown, faults: PortError[]): readonly string[] {
  const field = "ContainerConfigWrapper.ExposedPorts";
  const ports = fields(value, place("ExposedPorts", field, "nat.PortSet"), faults);
  for (const [key, nothing] of Object.entries(ports)) {
    fields(nothing, place(`ExposedPorts[${JSON.stringify(key)}]`, field, "struct {}"), faults);
  }
  return Object.keys(ports);
}

function bindingsByKey(value: unknown, at: Place, faults: PortError[]): TypedPorts["portBindings"] {
  if (value === undefined || value === null) return null;
  const lists = Object.entries(fields(value, at, faults)).map(([key, list]) => {
    const path = `${at.path}[${JSON.stringify(key)}]`;
    if (list === null) return [key, null] as const;
    return [key, bindingList(list, { ...at, path, type: "[]nat.PortBinding" }, faults)] as const;
  });
  return new Map(lists);
}

function bindingList(value: unknown, at: Place, faults: PortError[]): readonly PortBinding[] {
  return items(value, at, faults).map((item, index) => {
    const path = `${at.path}[${index}]`;
    const binding = fields(item, { ...at, path, type: "nat.PortBinding" }, faults);
    const inBinding = (name: string) =>
      place(`${path}.${name}`, `PortBinding.HostConfig.PortBindings.${name}`, "string");
    return {
      HostIp: text(binding.HostIp, inBinding("HostIp"), faults),
      HostPort: text(binding.HostPort, inBinding("HostPort"), faults),
    };
  });
}

function texts(value: unknown, at: Place, faults: PortError[]): readonly string[] {
  return items(value, at, faults).map((item, index) =>
    text(item, { ...at, path: `${at.path}[${index}]`, type: "string" }, faults),
  );
}

function fields(value: unknown, at: Place, faults: PortError[]): Fields {
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  faults.push(wrongType(value, at));
  return {};
}

function items(value: unknown, at: Place, faults: PortError[]): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  faults.push(wrongType(value, at));
  return [];
}

function text(value: unknown, at: Place, faults: PortError[]): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  faults.push(wrongType(value, at));
  return "";
}

function flag(value: unknown, at: Place, faults: PortError[]): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === "boolean") return value;
  faults.push(wrongType(value, at));
  return false;
}

function wrongType(value: unknown, { path, field, type }: Place): PortError {
  return {
    code: "wrong-type",
    input: JSON.stringify(value),
    position: 0,
    path,
    expected: type,
    message: `json: cannot unmarshal ${jsonType(value)} into Go struct field ${field} of type ${type}`,
  };
}

/** Go's name for the type of a JSON value. */
function jsonType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}
