import type { Logger } from "pino";
import type { Traces } from "./traced.ts";

/** The settings of OpenTelemetry's own, of which the exporter and the SDK read further ones. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Whether spans have somewhere to go. */
function isWanted(env: Environment): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } =
    env;
  const hasEndpoint = Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
  return hasEndpoint && OTEL_SDK_DISABLED?.toLowerCase() !== "true" && OTEL_TRACES_EXPORTER !== "none";
}

/**
 * Opens the traces of a service if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Nothing of OpenTelemetry is loaded where it is not.
 * @param service what the spans call the service, unless `OTEL_SERVICE_NAME` says otherwise.
 */
export async function openTraces(
  service: string,
  { env, log }: { readonly env: Environment; readonly log: Pick<Logger, "warn"> },
): Promise<Traces | undefined> {
  if (!isWanted(env)) return undefined;
  const { OtlpTraces } = await import("./otlp-traces.ts");
  return new OtlpTraces(service, log);
}
