import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { context, propagation, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { endSpan } from "./end-span.ts";

/** A request of Node's `fetch`, as its diagnostics channels show it. */
interface Fetched {
  readonly origin: string | URL;
  readonly method: string;
  addHeader(name: string, value: string): void;
}

/**
 * Spans of `fetch`, over the channels of Node's own client: no caller has to know of them. Only origins that were named are told of a trace:
 * ids of traces are nobody else's business.
 */
export class FetchSpans {
  readonly #tracer: Tracer;
  readonly #origins = new Set<string>();
  readonly #open = new WeakMap<object, Span>();
  readonly #listeners: Readonly<Record<string, (message: unknown) => void>> = {
    "undici:request:create": (message) => this.#begin((message as { request: Fetched }).request),
    "undici:request:headers": (message) => {
      const { request, response } = message as { request: Fetched; response: { statusCode: number } };
      this.#take(request, (span) => endSpan(span, { status: response.statusCode, faulty: 400 }));
    },
    "undici:request:error": (message) => {
      this.#take((message as { request: Fetched }).request, (span) => {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
    },
  };

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /** Makes spans of requests to an origin too. */
  listen(origin: string): void {
    if (this.#origins.size === 0)
      for (const [channel, listener] of Object.entries(this.#listeners)) subscribe(channel, listener);
    this.#origins.add(origin);
  }

  close(): void {
    this.#origins.clear();
    for (const [channel, listener] of Object.entries(this.#listeners)) unsubscribe(channel, listener);
  }

  #begin(request: Fetched): void {
    if (!this.#origins.has(String(request.origin))) return;
    const { method } = request;
    const span = this.#tracer.startSpan(method, {
      kind: SpanKind.CLIENT,
      attributes: { "http.request.method": method, "server.address": new URL(request.origin).host },
    });
    this.#open.set(request, span);
    propagation.inject(trace.setSpan(context.active(), span), request, {
      set: (to, name, value) => to.addHeader(name, value),
    });
  }

  #take(request: Fetched, end: (span: Span) => void): void {
    const span = this.#open.get(request);
    this.#open.delete(request);
    if (span !== undefined) end(span);
  }
}
