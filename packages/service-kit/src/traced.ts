import type { MiddlewareHandler } from "hono";

/** A part of a request's work that has ended; times are of `performance.now`. */
export interface TracedStep {
  readonly name: string;
  readonly begun: number;
  readonly ended: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Spans of what a service does, on their way to a collector. */
export interface Traces {
  /** One span for each request, in the trace that its `traceparent` names. Register it before all other handlers. */
  readonly requests: MiddlewareHandler;
  /** A span for a step, below the request that it is part of. */
  step(step: TracedStep): void;
  /** From now on, `fetch` to an origin has a span, and tells that service of the trace. */
  traceFetches(origin: string): void;
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>;
}
