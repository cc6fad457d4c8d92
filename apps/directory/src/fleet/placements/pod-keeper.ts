import { setTimeout as delay } from "node:timers/promises";
import { placeOfTopic, type Signal, type Signals } from "../signals.ts";
import type { Placings } from "./placings.ts";
import { type Pods, podTopic } from "./pods.ts";
import { verdictOn } from "./verdict.ts";

/** What no signal told of is found so often. */
const RESYNC_MS = 60_000;
const RETRY_MS = 2_000;

export interface PodKeeperOptions {
  readonly pods: Pods;
  readonly placings: Placings;
  readonly signals: Signals;
  readonly log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
}

/**
 * Keeps places and their Pods together, by their ids: a Pod without a place is deleted, a place without its Pod ends. Everything is
 * compared at the start, after each gap of the watch and once a minute. Any number of directories may do so at once.
 */
export class PodKeeper {
  readonly #options: PodKeeperOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<unknown>;
  readonly #due = new Set<number>();
  #isAllDue = true;
  #hasFailed = false;
  #wake = () => {};

  constructor(options: PodKeeperOptions) {
    this.#options = options;
    const listener = {
      changed: (id: number) => {
        options.signals.publish({ topic: podTopic(id) });
        this.#add(id);
      },
      connected: () => {
        options.signals.missed();
        this.missed();
      },
      failed: (fault: unknown) => options.log.warn({ err: fault }, "lost sight of Kubernetes' Pods; trying again"),
    };
    this.#running = Promise.all([options.pods.follow(listener, this.#closing.signal), this.#work()]);
  }

  /** What the database says of the fleet. */
  hear({ topic }: Signal): void {
    const id = placeOfTopic(topic);
    if (id !== undefined) this.#add(id);
  }

  /** Signals may have been missed. */
  missed(): void {
    this.#isAllDue = true;
    this.#wake();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake();
    await this.#running;
  }

  #add(id: number): void {
    this.#due.add(id);
    this.#wake();
  }

  async #work(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        if (this.#isAllDue) await this.#checkAll();
        else await this.#checkDue();
        this.#hasFailed = false;
      } catch (fault) {
        // Once for an outage, not at every try.
        if (!this.#hasFailed) this.#options.log.warn({ err: fault }, "failed to compare places and Pods; trying again");
        this.#hasFailed = true;
        this.#isAllDue = true;
        await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
      if (!this.#isAllDue && this.#due.size === 0) await this.#news();
    }
  }

  /** Waits until something is due, which everything is after a minute. */
  async #news(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.missed(), RESYNC_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#closing.signal.aborted) this.#wake();
    });
    this.#wake = () => {};
  }

  /** Pods first: the row of each is older than it. */
  async #checkAll(): Promise<void> {
    const { pods, placings } = this.#options;
    this.#isAllDue = false;
    this.#due.clear();
    await placings.cancelAbandoned();
    const found = await pods.all();
    const rows = await placings.rows();
    for (const id of new Set([...found.map((pod) => pod.id), ...rows.keys()])) this.#due.add(id);
    const known = new Map(found.map((pod) => [pod.id, pod]));
    // What looks settled needs no further look.
    for (const [id, row] of rows) {
      const pod = known.get(id);
      if (pod !== undefined && verdictOn(row, pod) === "keep") this.#due.delete(id);
    }
    await this.#checkDue();
  }

  async #checkDue(): Promise<void> {
    for (const id of this.#due) {
      if (this.#closing.signal.aborted) return;
      this.#due.delete(id);
      await this.#check(id);
    }
  }

  /** The Pod first, and as it is now: the row of a Pod is older than it, and a place has its Pod before it has a host. */
  async #check(id: number): Promise<void> {
    const { pods, placings, log } = this.#options;
    const before = (await placings.rows([id])).get(id);
    const pod = await pods.get(id);
    const row = (await placings.rows([id])).get(id);
    const verdict = verdictOn(row, pod);
    if (verdict === "delete" && pod !== undefined) {
      await pods.delete(id, pod);
      if (pod.state.kind !== "leaving") log.info({ place: id }, "deleted the Pod of a place that is gone");
    }
    // A Pod that was not there yet when it was asked for may be there by now.
    if (verdict === "lose" && before?.pod === row?.pod) {
      await placings.lose(id);
      log.warn({ place: id, pod: row?.pod }, "ended a place whose Pod is gone");
    } else if (verdict === "lose") this.#add(id);
  }
}
