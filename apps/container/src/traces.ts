import type { Opened, Traces } from "@berth/service-kit";
import type { MiddlewareHandler } from "hono";
import type { Config } from "./config.ts";
import { START_STEPS } from "./engine/telemetry.ts";

/** Has the steps of starts and the questions to the directory traced, and returns what traces requests; nothing without traces. */
export function traceContainers(
  traces: Traces | undefined,
  { directoryUrl }: Pick<Config, "directoryUrl">,
  opened: Opened,
): MiddlewareHandler | undefined {
  if (traces === undefined) return undefined;
  opened.keep(traces, (traces) => traces.close());
  traces.traceFetches(new URL(directoryUrl).origin);
  // Told in the course of the request that starts the container, whose trace the step then belongs to.
  START_STEPS.listen(({ step, containerId, begun, ended }) =>
    traces.step({ name: `start ${step}`, begun, ended, attributes: { "container.id": containerId } }),
  );
  return traces.requests;
}
