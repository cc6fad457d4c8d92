import type { CallOptions, Connection } from "./connection.ts";
import type { ResponseOf } from "./protos.ts";

const SERVICE = "events.v1.Events";

export type EventEnvelope = ResponseOf<typeof SERVICE, "Subscribe">;

/** What happens in containerd from now on. Past events and those of a gap are lost. */
export class EventService {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * The events of this namespace and topic alone. Ends with `unavailable` when the daemon goes away.
   * @param topic `/tasks/oom`, `/images/create`, …
   */
  subscribe(topic: string, options?: CallOptions): AsyncIterable<EventEnvelope> {
    const filter = `namespace==${JSON.stringify(this.#connection.namespace)},topic==${JSON.stringify(topic)}`;
    const endless = { ...options, timeoutMs: Number.POSITIVE_INFINITY };
    return this.#connection.stream(SERVICE, "Subscribe", { filters: [filter] }, endless);
  }
}
