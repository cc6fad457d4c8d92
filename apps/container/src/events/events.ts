import type { Filters } from "../engine/filters.ts";

/** One entry of `GET /events`, in the service's own words. */
export interface EngineEvent {
  readonly type: "container" | "image" | "network" | "volume" | "daemon";
  /** Docker's word: `create`, `start`, `die`, `exec_start: sh`, …. */
  readonly action: string;
  readonly actor: { readonly id: string; readonly attributes: Readonly<Record<string, string>> };
  /** The owner of the container it tells of: a user sees its own. */
  readonly owner: string | undefined;
  /** Nanoseconds since the epoch. */
  readonly time: bigint;
}

/** What use cases need: tell. */
export interface EventSink {
  emit(event: Omit<EngineEvent, "time">): void;
}

/** What the route needs: hear. A reader that falls too far behind is told so and ends; it never holds the others up. */
export interface EventSource {
  /** Bounds are nanoseconds since the epoch. With `until` in the past only what is kept is given. */
  read(options: {
    readonly since?: bigint;
    readonly until?: bigint;
    readonly filters: Filters;
    readonly sees: (event: EngineEvent) => boolean;
    readonly signal: AbortSignal;
  }): AsyncIterable<EngineEvent>;
}
