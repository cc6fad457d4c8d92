import { setTimeout as delay } from "node:timers/promises";
import { isEngineError } from "../engine/errors.ts";
import type { PlacesReport, ReportPlaces, WantedPlace } from "../engine/fleet-report.ts";
import type { Log } from "../engine/log.ts";
import type { Lease } from "../places/lease.ts";
import type { Place, Places } from "../places/place.ts";
import { type HostSize, roomLeft } from "../places/room.ts";
import { planOf, secondsLeft } from "./plan.ts";

const RETRY_MS = 2_000;
/** One report may be overtaken by this host's own; more come from another host of the same name. */
const MOST_STALE = 3;

export interface FollowerOptions {
  /** Where Docker clients reach this host. */
  readonly address: string;
  readonly host: HostSize;
  readonly places: Pick<Places, "all" | "take" | "extend" | "give"> & { watch(listener: () => void): void };
  readonly countIn: (place: string) => number;
  readonly report: ReportPlaces;
  readonly lease: Pick<Lease, "renew">;
  readonly log: Log;
}

type FleetPlace = Place & { readonly grant: number };

/** Keeps the places of this host those that the fleet's directory says, and tells it what there is. */
export class FleetFollower {
  readonly #options: FollowerOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  readonly #taking = new Set<number>();
  #refused: readonly { readonly grant: number; readonly reason: string }[] = [];
  #turn: number | undefined;
  #asking = new AbortController();

  constructor(options: FollowerOptions) {
    this.#options = options;
    options.places.watch(() => this.#news());
    this.#running = this.#follow();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#asking.abort();
    await this.#running;
  }

  async #follow(): Promise<void> {
    const { report, lease, log } = this.#options;
    let [stale, hasFailed] = [0, false];
    while (!this.#closing.signal.aborted) {
      this.#asking = new AbortController();
      const { signal } = this.#asking;
      const sent = this.#report();
      try {
        const answer = await report(sent, signal);
        hasFailed = false;
        stale = answer.outcome === "stale" ? stale + 1 : 0;
        this.#turn = answer.outcome === "unknown" ? undefined : answer.turn;
        if (answer.outcome !== "stale") {
          this.#refused = this.#refused.filter((one) => !sent.refused.includes(one));
          if (answer.outcome === "accepted") lease.renew();
          this.#apply(answer.outcome === "accepted" ? answer.places : []);
        }
        if (answer.outcome === "unknown") await this.#pause(RETRY_MS, signal);
        if (stale < MOST_STALE) continue;
        log.warn({}, "another host reports its places by this host's name");
      } catch (fault) {
        // What changes here cuts the waiting for an answer short.
        if (signal.aborted) continue;
        // Once for an outage, not at every try.
        if (!hasFailed) log.warn({ err: fault }, "failed to report the fleet's places; trying again");
        hasFailed = true;
      }
      await this.#pause(RETRY_MS, this.#closing.signal);
    }
  }

  #own(): readonly FleetPlace[] {
    return this.#options.places.all().filter((place): place is FleetPlace => place.grant !== undefined);
  }

  #report(): PlacesReport {
    const { address, host, places, countIn } = this.#options;
    const now = Date.now();
    const own = this.#own();
    const begun = [...this.#taking].filter((grant) => !own.some((place) => place.grant === grant));
    return {
      ...{ turn: this.#turn, address, refused: this.#refused },
      size: roomLeft(
        host,
        places.all().filter(({ grant }) => grant === undefined),
      ),
      places: [
        ...own.map((place) => ({
          ...{ grant: place.grant, state: place.state, containers: countIn(place.id) },
          secondsLeft: place.state === "ready" ? secondsLeft(place, now) : undefined,
        })),
        ...begun.map((grant) => ({ grant, state: "taken", secondsLeft: undefined, containers: 0 }) as const),
      ],
    };
  }

  /** Nothing waits for what it begins here: each change to a place is reported when it has happened. */
  #apply(wanted: readonly WantedPlace[]): void {
    const { places, log } = this.#options;
    const failed = (fault: unknown) => log.warn({ err: fault }, "failed to change a place of the fleet; trying again");
    const { take, extend, give } = planOf(wanted, this.#own(), this.#taking, Date.now());
    for (const place of take) void this.#take(place);
    for (const { id, seconds } of extend) places.extend(id, seconds).catch(failed);
    for (const id of give) places.give(id).catch(failed);
  }

  async #take({ secondsLeft: seconds, ...place }: WantedPlace): Promise<void> {
    this.#taking.add(place.grant);
    try {
      await this.#options.places.take({ ...place, seconds });
    } catch (thrown) {
      this.#options.log.warn({ err: thrown, grant: place.grant }, "refused a place of the fleet");
      const reason = isEngineError(thrown) ? thrown.message : "internal error: the container service's log tells more";
      this.#refused = [...this.#refused, { grant: place.grant, reason }];
    } finally {
      this.#taking.delete(place.grant);
      this.#news();
    }
  }

  #news(): void {
    this.#asking.abort();
  }

  async #pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    await delay(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
