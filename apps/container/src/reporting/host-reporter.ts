import { setTimeout as delay } from "node:timers/promises";
import { noFilters } from "../engine/filters.ts";
import type { HostReport, ReportHost } from "../engine/host-report.ts";
import type { Log } from "../engine/log.ts";
import type { EventSource } from "../events/events.ts";

/** Lets what belongs together become one report. */
const GATHER_MS = 250;
/** Reports take at most one part in so many of the time, as long as that is no longer than this. */
const REST_FACTOR = 20;
const LONGEST_REST_MS = 5_000;
const HEARTBEAT_MS = 30_000;
const RETRY_MS = 5_000;

export interface ReporterOptions {
  readonly report: () => Promise<HostReport>;
  readonly send: ReportHost;
  readonly events: EventSource;
  readonly log: Log;
}

/**
 * Keeps the directory's report of this host up to date: a moment after anything happens to a container, and twice a minute all the same.
 * A report that cannot be sent is tried again, and nothing waits for it.
 */
export class HostReporter {
  readonly #options: ReporterOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<unknown>;
  #wake = () => {};
  #isStale = true;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#running = Promise.all([this.#follow(), this.#work()]);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake();
    await this.#running;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    // A reader that events overtake is ended, and starts with what happens now.
    while (!signal.aborted) {
      for await (const _ of this.#options.events.read({ filters: noFilters, sees: () => true, signal })) {
        this.#isStale = true;
        this.#wake();
      }
    }
  }

  async #work(): Promise<void> {
    const { log } = this.#options;
    let hasFailed = false;
    while (!this.#closing.signal.aborted) {
      this.#isStale = false;
      const begun = performance.now();
      try {
        await this.#options.send(await this.#options.report());
        hasFailed = false;
        await this.#pause(Math.min((performance.now() - begun) * REST_FACTOR, LONGEST_REST_MS));
        if (!this.#isStale) await this.#untilWoken(HEARTBEAT_MS);
        await this.#pause(GATHER_MS);
      } catch (fault) {
        // Once for an outage, not at every try.
        if (!hasFailed) log.warn({ err: fault }, "failed to report this host; trying again");
        hasFailed = true;
        await this.#pause(RETRY_MS);
      }
    }
  }

  async #untilWoken(milliseconds: number): Promise<void> {
    // What closes it wakes nobody during a pause before.
    if (this.#closing.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => {};
  }

  async #pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
  }
}
