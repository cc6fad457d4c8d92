import { type Attributes, type Span, SpanStatusCode } from "@opentelemetry/api";

interface Answer {
  readonly status: number;
  /** The lowest status that is an error: 500 at a server, 400 at a client. */
  readonly faulty: 400 | 500;
  readonly attributes?: Attributes;
}

/** Ends the span of a request that was answered. */
export function endSpan(span: Span, { status, faulty, attributes = {} }: Answer): void {
  span.setAttributes({ ...attributes, "http.response.status_code": status });
  if (status >= faulty) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
