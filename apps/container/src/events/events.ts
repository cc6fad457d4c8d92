import type { Filters } from "../engine/filters.ts";

/** One entry of `GET /events` in the service's own terms. */
export interface EngineEvent {
  readonly type: "builder" | "container" | "image" | "network" | "volume" | "daemon";
  /** Docker's action: `create`, `start`, `die`, `exec_start: sh`, …. */
  readonly action: string;
  readonly actor: { readonly id: string; readonly attributes: Readonly<Record<string, string>> };
  /** The owner of the event's container: a user sees only its own. */
  readonly owner: string | undefined;
  /** Nanoseconds since the epoch. */
  readonly time: bigint;
}

/** The part that use cases need: emitting events. */
export interface EventSink {
  emit(event: Omit<EngineEvent, "time">): void;
}

/** The part that the route needs: reading events. A reader that falls too far behind gets an `events-cut` event and is ended. */
export interface EventSource {
  /** What there is, some at a time. Bounds are nanoseconds since the epoch. With `until` in the past, returns only stored events. */
  read(options: {
    readonly since?: bigint;
    readonly until?: bigint;
    readonly filters: Filters;
    readonly sees: (event: EngineEvent) => boolean;
    readonly signal: AbortSignal;
  }): AsyncIterable<readonly EngineEvent[]>;
}
