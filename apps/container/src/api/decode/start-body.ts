import { EngineError } from "../../engine/errors.ts";

/** Fields that the rules of `@berth/port-spec` handle, or that only concern the client. */
const PASSED: ReadonlySet<string> = new Set(["PortBindings", "PublishAllPorts", "ContainerIDFile"]);

/** Fields that old clients always send and no start uses. */
const DEFAULTS: Readonly<Record<string, readonly unknown[]>> = {
  NetworkMode: ["default", "bridge"],
  RestartPolicy: ["no"],
  LogConfig: ["json-file"],
};

/** Whether a value, or anything inside it, differs from Go's zero value. */
function asks(value: unknown, named: readonly unknown[]): boolean {
  return typeof value === "object" && value !== null
    ? Object.values(value).some((inner) => asks(inner, named))
    : ![undefined, null, false, 0, "", ...named].includes(value as never);
}

/**
 * Rejects a start body (API before 1.24) with anything but ports: other HostConfig fields belong to create, and ignoring them silently
 * would surprise the client. The body is a HostConfig, bare or under `HostConfig`. Throws `invalid`.
 */
export function requirePortsAlone(body: unknown): void {
  if (typeof body !== "object" || body === null) return;
  const { HostConfig = body } = body as { readonly HostConfig?: unknown };
  const field = Object.entries(HostConfig ?? {}).find(
    ([name, value]) => !PASSED.has(name) && asks(value, DEFAULTS[name] ?? []),
  )?.[0];
  if (field !== undefined)
    throw new EngineError(
      "invalid",
      `HostConfig.${field} is not accepted at container start: give it in the create request`,
    );
}
