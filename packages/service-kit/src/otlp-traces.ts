import { context, propagation, ROOT_CONTEXT, SpanKind, type Tracer, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import { endSpan } from "./end-span.ts";
import { FetchSpans } from "./fetch-spans.ts";
import { routeOf } from "./route-of.ts";
import type { TracedStep, Traces } from "./traced.ts";

const CLOSE_MS = 2_000;
/** A collector that is away fails every few seconds; the log says so once a minute. */
const TOLD_AGAIN_MS = 60_000;

/** Sends spans over OTLP/HTTP with protobuf. The exporter and the sampler read their own settings from the environment. */
export class OtlpTraces implements Traces {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;
  readonly #fetches: FetchSpans;

  constructor(service: string, log: Pick<Logger, "warn">) {
    tellOfFaults(log);
    const resource = defaultResource()
      .merge(resourceFromAttributes({ "service.name": service, "service.namespace": "berth" }))
      .merge(detectResources({ detectors: [envDetector] }));
    this.#provider = new BasicTracerProvider({
      resource,
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    this.#tracer = this.#provider.getTracer("berth");
    this.#fetches = new FetchSpans(this.#tracer);
  }

  get requests(): MiddlewareHandler {
    const tracer = this.#tracer;
    return async (c, next) => {
      const { method } = c.req;
      const caller = propagation.extract(ROOT_CONTEXT, c.req.raw.headers, HEADERS);
      const span = tracer.startSpan(
        method,
        { kind: SpanKind.SERVER, attributes: { "http.request.method": method } },
        caller,
      );
      try {
        await context.with(trace.setSpan(caller, span), next);
      } finally {
        const route = routeOf(c);
        span.updateName(`${method} ${route}`);
        endSpan(span, { status: c.res.status, faulty: 500, attributes: { "http.route": route } });
      }
    };
  }

  step({ name, begun, ended, attributes }: TracedStep): void {
    this.#tracer.startSpan(name, { startTime: begun, attributes: { ...attributes } }).end(ended);
  }

  traceFetches(origin: string): void {
    this.#fetches.listen(origin);
  }

  async close(): Promise<void> {
    this.#fetches.close();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    await Promise.race([this.#provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
    for (const api of [context, propagation]) api.disable();
  }
}

const HEADERS = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
};

function tellOfFaults(log: Pick<Logger, "warn">): void {
  let toldAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((fault) => {
    const now = performance.now();
    if (now - toldAt < TOLD_AGAIN_MS) return;
    toldAt = now;
    log.warn({ err: fault }, "failed to send traces");
  });
}
