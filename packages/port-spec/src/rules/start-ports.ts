import type { PortError } from "../spec/port-error.ts";
import { err, ok, type Result } from "../spec/result.ts";
import { compareApiVersions } from "./api-version.ts";
import { type ImagePorts, type ResolvedPorts, resolveCreatePorts } from "./create-ports.ts";
import type { CreatePorts, HostPorts } from "./create-request.ts";

/** What a `HostConfig` in the body of `POST /containers/{id}/start` may do to ports, from an API version on. */
export interface StartPortsRule {
  readonly from: string;
  readonly ports: "honoured" | "honoured-with-warning" | "refused";
}

/** The rules, oldest first; each applies until the next one starts. */
export const START_PORTS_RULES: readonly StartPortsRule[] = [
  { from: "1.0", ports: "honoured" },
  { from: "1.10", ports: "honoured-with-warning" },
  { from: "1.12", ports: "refused" },
];

/** The rule for an API version such as `1.41`. */
export function startPortsRule(apiVersion: string): StartPortsRule["ports"] {
  const rule = START_PORTS_RULES.findLast(({ from }) => compareApiVersions(from, apiVersion) <= 0);
  return rule?.ports ?? "honoured";
}

/** The ports that a start request may name. */
export type StartPorts = Pick<HostPorts, "PortBindings" | "PublishAllPorts">;

/**
 * Applies the rule for ports in a start request to a container.
 *
 * @param apiVersion the API version of the start request, such as `1.9`.
 * @param asked the ports in the start request. Read untyped JSON with `parseStartPorts` of `@berth/port-spec/json`.
 * @param created the create request of the container; the ports of the start request replace its bindings.
 * @param image the image whose `EXPOSE` is added.
 * @returns the ports to start with instead of those settled at create; `undefined` where the start request names none; or
 * the error for a 400 response, after which the container stays unchanged.
 */
export function startTimePorts(
  apiVersion: string,
  asked: StartPorts,
  created: CreatePorts,
  image: ImagePorts = {},
): Result<ResolvedPorts | undefined, PortError> {
  const field = startField(asked);
  if (field === undefined) return ok(undefined);
  const refused = validateStart(apiVersion, field);
  if (refused !== undefined) return err(refused);
  const { PortBindings, PublishAllPorts } = asked;
  const { NetworkMode } = created.HostConfig ?? created;
  const resolved = resolveCreatePorts(
    { ...created, HostConfig: { NetworkMode, PortBindings, PublishAllPorts } },
    image,
  );
  if (!resolved.ok || startPortsRule(apiVersion) === "honoured") return resolved;
  const warning = `HostConfig.${field} at container start is deprecated and rejected since API version 1.12; set it in the create request`;
  return ok({ ...resolved.value, warnings: [...resolved.value.warnings, warning] });
}

/** A field by which a start request asks for ports. */
type StartField = keyof StartPorts;

/** The field by which a start request asks for ports; absent, null, false and empty values do not. */
export function startField(asked: { readonly [Field in StartField]?: unknown }): StartField | undefined {
  if (asksForPorts(asked.PortBindings)) return "PortBindings";
  return asksForPorts(asked.PublishAllPorts) ? "PublishAllPorts" : undefined;
}

/** The error for a start request that asks for ports by this field, where the API version does not allow that. */
export function validateStart(apiVersion: string, field: StartField): PortError | undefined {
  if (startPortsRule(apiVersion) !== "refused") return undefined;
  return {
    code: "ports-at-start",
    input: field,
    position: 0,
    path: `HostConfig.${field}`,
    expected: "ports in the create request",
    message: `${refusal(apiVersion)}: set HostConfig.${field} in the create request`,
  };
}

/** From 1.24 on dockerd rejects every body at start, in these words; before that, only Berth rejects ports at start. */
function refusal(apiVersion: string): string {
  return compareApiVersions(apiVersion, "1.24") < 0
    ? "ports are not accepted at container start since API version 1.12"
    : "starting container with non-empty request body was deprecated since API v1.22 and removed in v1.24";
}

function asksForPorts(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false;
}
