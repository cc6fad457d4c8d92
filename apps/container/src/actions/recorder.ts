import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Action, type ActionSink, OWN, type RecordedAction, type ReportActions } from "../engine/action.ts";
import type { Log } from "../engine/log.ts";
import { Repeats } from "./repeats.ts";
import type { ActionStore } from "./store.ts";

const MOST_QUEUED = 10_000;
/** Rows that wait for the directory; beyond, the oldest go. */
const MOST_ROWS = 200_000;
const BATCH = 200;
/** Lets a burst become one insert, and an answer leave first. */
const GATHER_MS = 50;
const SWEEP_MS = 15_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export interface RecorderOptions {
  readonly store: ActionStore;
  readonly report: ReportActions;
  readonly log: Log;
  /** Milliseconds before a failed write or report is tried again. */
  readonly firstPauseMs?: number;
  /** How many actions wait in memory for their rows; further ones are counted as lost. */
  readonly mostQueued?: number;
}

/**
 * Takes down actions in memory, writes their rows a moment later, and sends them to the directory when it answers. A crash loses at most
 * what was recorded in the last moment; an outage of the directory loses nothing.
 */
export class ActionRecorder implements ActionSink {
  readonly #options: RecorderOptions;
  readonly #repeats = new Repeats();
  readonly #queue: RecordedAction[] = [];
  readonly #sweeping: NodeJS.Timeout;
  readonly #closing = new AbortController();
  #lost = 0;
  #writing: Promise<void> | undefined;
  #sending: Promise<void> | undefined;
  #hasRows = true;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref();
    this.#send();
  }

  record(action: Action): void {
    for (const { action: passed, count } of this.#repeats.pass(action, performance.now())) this.#add(passed, count);
  }

  /** Writes the rows of everything recorded; what the directory has not taken is sent by the next run. */
  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    for (const { action, count } of this.#repeats.flush()) this.#add(action, count);
    this.#closing.abort();
    await this.#writing;
    await this.#writeQueue().catch((fault: unknown) =>
      this.#options.log.error({ err: fault, actions: this.#queue.length }, "failed to record actions"),
    );
    await this.#sending;
  }

  #sweep(): void {
    for (const { action, count } of this.#repeats.flush(performance.now())) this.#add(action, count);
  }

  #add(action: Action, count: number | undefined): void {
    if (this.#queue.length >= (this.#options.mostQueued ?? MOST_QUEUED)) {
      this.#lost += 1;
      return;
    }
    this.#queue.push({ ...action, reportId: randomUUID(), at: new Date().toISOString(), count });
    this.#write();
  }

  #write(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      if (this.#queue.length > 0 && !this.#isClosing) this.#write();
    });
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  async #writeAll(): Promise<void> {
    await this.#pause(GATHER_MS);
    await this.#untilDone("failed to record actions; trying again", () => this.#writeQueue());
    this.#hasRows = true;
    this.#send();
  }

  async #writeQueue(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, BATCH);
      await this.#options.store.insert(batch);
      this.#queue.splice(0, batch.length);
      this.#tellLost("the database did not take them in time");
    }
  }

  /** Leaves a mark in the record where actions are missing. */
  #tellLost(reason: string): void {
    if (this.#lost === 0) return;
    const count = this.#lost;
    this.#lost = 0;
    this.#options.log.error({ actions: count }, "lost actions that could not be recorded");
    this.#add({ ...OWN, action: "engine.gap", outcome: "failed", reason }, count);
  }

  #send(): void {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.#hasRows && !this.#isClosing) this.#send();
    });
  }

  async #sendAll(): Promise<void> {
    this.#hasRows = false;
    await this.#untilDone("failed to report actions; trying again", async () => {
      for (;;) {
        const batch = await this.#options.store.oldest(BATCH);
        if (batch.length === 0 || this.#isClosing) return;
        await this.#reportBatch(batch);
      }
    });
  }

  /** A batch that the directory rejects goes one by one, so that one bad entry does not hold up the others. */
  async #reportBatch(batch: readonly RecordedAction[]): Promise<void> {
    const { store, report, log } = this.#options;
    if ((await report(batch)) === "taken") return await store.remove(batch);
    if (batch.length > 1) {
      for (const one of batch) await this.#reportBatch([one]);
      return;
    }
    const [rejected] = batch;
    log.error({ action: rejected?.action, reportId: rejected?.reportId }, "the directory rejected an action's report");
    await store.remove(batch);
  }

  /** Tries until it succeeds or the recorder closes. */
  async #untilDone(message: string, work: () => Promise<void>): Promise<void> {
    let pause = this.#options.firstPauseMs ?? FIRST_PAUSE_MS;
    let hasFailed = false;
    for (;;) {
      try {
        return await work();
      } catch (fault) {
        if (this.#isClosing) return;
        // Once for an outage, not at every try.
        if (!hasFailed) this.#options.log.warn({ err: fault }, message);
        hasFailed = true;
      }
      await this.#trim();
      await this.#pause(pause);
      if (this.#isClosing) return;
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  async #trim(): Promise<void> {
    const gone = await this.#options.store.trim(MOST_ROWS).catch(() => 0);
    this.#lost += gone;
    if (gone > 0) this.#tellLost("the directory did not take them in time");
  }

  async #pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#closing.signal, ref: false }).catch(() => undefined);
  }
}
