import type { CallOptions, Connection } from "./connection.ts";
import type { Any, Timestamp } from "./protos.ts";
import { decodeAny } from "./protos.ts";

export interface EventEnvelope {
  readonly timestamp: Timestamp | null;
  readonly namespace: string;
  /** `/tasks/oom`, `/images/create`, … */
  readonly topic: string;
  /** The decoded message; undefined where it is none of the vendored ones. */
  readonly event: object | undefined;
}

/** What happens in containerd from now on. Past events and those of a gap are lost. */
export interface EventService {
  /** Of this namespace and topic alone. Ends with `unavailable` when the daemon goes away. */
  subscribe(topic: string, options?: CallOptions): AsyncIterable<EventEnvelope>;
}

export function eventService(connection: Connection): EventService {
  return {
    async *subscribe(topic, options) {
      const request = {
        filters: [`namespace==${JSON.stringify(connection.namespace)},topic==${JSON.stringify(topic)}`],
      };
      const forEver = { ...options, timeoutMs: Number.POSITIVE_INFINITY };
      type Envelope = Omit<EventEnvelope, "event"> & { readonly event: Any | null };
      for await (const envelope of connection.stream<Envelope>("events.v1.Events", "Subscribe", request, forEver)) {
        yield { ...envelope, event: envelope.event === null ? undefined : decodeAny(envelope.event) };
      }
    },
  };
}
