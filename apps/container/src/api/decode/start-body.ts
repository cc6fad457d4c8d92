import { EngineError } from "../../engine/errors.ts";

/** Settled by the rules of `@berth/port-spec`, or of the client alone. */
const PASSED: ReadonlySet<string> = new Set(["PortBindings", "PublishAllPorts", "ContainerIDFile"]);

/** What old clients spell out and no start changes. */
const DEFAULTS: Readonly<Record<string, readonly unknown[]>> = {
  NetworkMode: ["default", "bridge"],
  RestartPolicy: ["no"],
  LogConfig: ["json-file"],
};

/** Whether a value, or anything in it, is more than Go's zero. */
function asks(value: unknown, named: readonly unknown[]): boolean {
  return typeof value === "object" && value !== null
    ? Object.values(value).some((inner) => asks(inner, named))
    : ![undefined, null, false, 0, "", ...named].includes(value as never);
}

/**
 * Refuses a start body of a client below API 1.24 that asks for more than ports: the rest of a HostConfig is taken at create,
 * and what is left out in silence would be missed later. The body is a HostConfig, bare or under `HostConfig`. Throws `invalid`.
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
