import { compareApiVersions } from "./api-version.ts";
import { type ImagePorts, type ResolvedPorts, resolveCreatePorts } from "./create-ports.ts";
import type { CreatePortsRequest } from "./create-request.ts";
import { isObject } from "./json.ts";
import type { PortError } from "./port-error.ts";
import { err, ok, type Result } from "./result.ts";

/** What a `HostConfig` in the body of `POST /containers/{id}/start` may do to ports, from an API version on. */
export interface StartPortsRule {
  readonly from: string;
  readonly ports: "honoured" | "honoured-with-warning" | "refused";
}

/** The rules, oldest first; each holds until the next begins. */
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

/**
 * Applies the start-time rule to a container.
 *
 * @param apiVersion of the start request, such as `1.9`.
 * @param body the start body as JSON gave it: a HostConfig, bare or under `HostConfig`; `undefined` where there was none.
 * @param created the create request of the container; the start body's bindings replace its own.
 * @param image the image whose `EXPOSE` joins in.
 * @returns the ports to start with instead of those settled at create, `undefined` where the body names none, or the
 * fault to answer 400 with, and the container stays as it was.
 */
export function startTimePorts(
  apiVersion: string,
  body: unknown,
  created: CreatePortsRequest,
  image: ImagePorts = {},
): Result<ResolvedPorts | undefined, PortError> {
  const { bindings, publishAll } = startBindings(body);
  const field = isNamed(bindings) ? "PortBindings" : "PublishAllPorts";
  if (!isNamed(bindings) && !isNamed(publishAll)) return ok(undefined);
  const rule = startPortsRule(apiVersion);
  if (rule === "refused") {
    return err({
      code: "ports-at-start",
      input: field,
      position: 0,
      path: `HostConfig.${field}`,
      expected: "ports in the create request",
      message: `${refusal(apiVersion)}: give HostConfig.${field} in the create request`,
    });
  }
  const HostConfig = { ...hostConfigOf(created), PortBindings: bindings, PublishAllPorts: publishAll };
  const resolved = resolveCreatePorts({ ...created, HostConfig }, image);
  if (!resolved.ok || rule === "honoured") return resolved;
  const warning = `HostConfig.${field} at container start is deprecated and refused from API version 1.12 on: give it in the create request`;
  return ok({ ...resolved.value, warnings: [...resolved.value.warnings, warning] });
}

/** From 1.24 on dockerd refuses every body at start, in these words; before, ports at start are refused by Berth alone. */
function refusal(apiVersion: string): string {
  return compareApiVersions(apiVersion, "1.24") < 0
    ? "ports are not accepted at container start from API version 1.12 on"
    : "starting container with non-empty request body was deprecated since API v1.22 and removed in v1.24";
}

/** Whether a value asks for something: an absent, null, false or empty one does not. */
function isNamed(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false;
}

function startBindings(body: unknown) {
  const bare = isObject(body) ? body : {};
  const host = isObject(bare.HostConfig) ? bare.HostConfig : bare;
  return { bindings: host.PortBindings, publishAll: host.PublishAllPorts };
}

/** The HostConfig of a create request, wherever it stood. */
function hostConfigOf(created: CreatePortsRequest): object {
  if (isObject(created.HostConfig)) return created.HostConfig;
  return { NetworkMode: created.NetworkMode };
}
