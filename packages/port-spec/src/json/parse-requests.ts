import type { CreatePorts } from "../rules/create-request.ts";
import { type StartPorts, startField, validateStart } from "../rules/start-ports.ts";
import type { PortError } from "../spec/port-error.ts";
import { err, ok, type Result } from "../spec/result.ts";
import { fieldsOf, type JsonType, jsonType } from "./json-type.ts";

/**
 * Checks the JSON types of the port fields of a create body. `null` counts as absent, as in Go; other fields are ignored.
 *
 * @example
 * ```ts
 * parseCreatePorts({ PortSpecs: 80 }).ok; // => false
 * parseCreatePorts({ PortSpecs: ["80"] }); // => { ok: true, value: { PortSpecs: ["80"] } }
 * ```
 *
 * @returns the body, typed, for `resolveCreatePorts`; or the first value of a wrong type, with its path and dockerd's message.
 */
export function parseCreatePorts(body: unknown): Result<CreatePorts, PortError> {
  const [error] = createErrors(body);
  return error === undefined ? ok((body ?? {}) as CreatePorts) : err(error);
}

/**
 * Reads the ports of a start body: a HostConfig, bare or under `HostConfig`.
 *
 * @param apiVersion the API version of the request; one that rejects ports at start rejects them whatever their type.
 * @returns the ports for `startTimePorts`, which are none where the body is not an object or names none; or the first error.
 */
export function parseStartPorts(apiVersion: string, body: unknown): Result<StartPorts, PortError> {
  const bare = fieldsOf(body);
  const { PortBindings, PublishAllPorts } = jsonType(bare.HostConfig) === "object" ? fieldsOf(bare.HostConfig) : bare;
  const asked = { PortBindings, PublishAllPorts };
  const field = startField(asked);
  if (field === undefined) return ok({});
  const refused = validateStart(apiVersion, field);
  if (refused !== undefined) return err(refused);
  const [error] = hostErrors(asked, "HostConfig.");
  return error === undefined ? ok(asked as StartPorts) : err(error);
}

/** Where a value stands: its path in the request, and Go's names for its field and type, which dockerd's messages use. */
interface Place {
  readonly path: string;
  readonly field: string;
  readonly type: string;
}

type Errors = Generator<PortError, void, undefined>;

function* createErrors(body: unknown): Errors {
  yield* typeErrors("object", body, { path: "", field: "", type: "runconfig.ContainerConfigWrapper" });
  const { HostConfig, ExposedPorts, PortSpecs, ...topLevel } = fieldsOf(body);
  const inBody = (name: string, type: string) => ({ path: name, field: `ContainerConfigWrapper.${name}`, type });
  yield* typeErrors("object", HostConfig, inBody("HostConfig", "container.HostConfig"));
  yield* typeErrors("object", ExposedPorts, inBody("ExposedPorts", "nat.PortSet"));
  for (const [key, value] of Object.entries(fieldsOf(ExposedPorts))) {
    const place = inBody("ExposedPorts", "struct {}");
    yield* typeErrors("object", value, { ...place, path: `ExposedPorts[${JSON.stringify(key)}]` });
  }
  yield* typeErrors("array", PortSpecs, inBody("PortSpecs", "[]string"));
  for (const [index, value] of itemsOf(PortSpecs)) {
    yield* typeErrors("string", value, { ...inBody("PortSpecs", "string"), path: `PortSpecs[${index}]` });
  }
  if (jsonType(HostConfig) === undefined) yield* hostErrors(topLevel, "");
  else yield* hostErrors(fieldsOf(HostConfig), "HostConfig.");
}

function* hostErrors(host: Readonly<Record<string, unknown>>, path: string): Errors {
  const inHost = (name: string, type: string) => ({ path: path + name, field: `HostConfig.HostConfig.${name}`, type });
  yield* typeErrors("object", host.PortBindings, inHost("PortBindings", "nat.PortMap"));
  for (const [key, bindings] of Object.entries(fieldsOf(host.PortBindings))) {
    const place = {
      ...inHost("PortBindings", "[]nat.PortBinding"),
      path: `${path}PortBindings[${JSON.stringify(key)}]`,
    };
    yield* typeErrors("array", bindings, place);
    for (const [index, binding] of itemsOf(bindings)) yield* bindingErrors(binding, `${place.path}[${index}]`);
  }
  yield* typeErrors("bool", host.PublishAllPorts, inHost("PublishAllPorts", "bool"));
  yield* typeErrors("string", host.NetworkMode, inHost("NetworkMode", "container.NetworkMode"));
}

function* bindingErrors(binding: unknown, path: string): Errors {
  yield* typeErrors("object", binding, { path, field: "HostConfig.HostConfig.PortBindings", type: "nat.PortBinding" });
  for (const name of ["HostIp", "HostPort"]) {
    const field = `PortBinding.HostConfig.PortBindings.${name}`;
    yield* typeErrors("string", fieldsOf(binding)[name], { path: `${path}.${name}`, field, type: "string" });
  }
}

function* typeErrors(wanted: JsonType, value: unknown, { path, field, type }: Place): Errors {
  const given = jsonType(value);
  if (given === undefined || given === wanted) return;
  const target = field === "" ? "value" : `struct field ${field}`;
  yield {
    code: "wrong-type",
    input: JSON.stringify(value),
    position: 0,
    path,
    expected: type,
    message: `json: cannot unmarshal ${given} into Go ${target} of type ${type}`,
  };
}

function itemsOf(value: unknown): Iterable<readonly [number, unknown]> {
  return Array.isArray(value) ? value.entries() : [];
}
