import { setMaxListeners } from "node:events";
import type { ContainerId } from "../../engine/ids.ts";
import type { Exit, Runtime } from "../records/runtime.ts";

/** Whether the awaited process started, or never will. */
export type Begun = "started" | "given-up";

/** Watches every running process. Calls `handleExit` for each exit (release, record, restart or remove) and notifies waiters after it. */
export class Supervisor {
  readonly #runtime: Pick<Runtime, "wait">;
  readonly #handleExit: (id: ContainerId, exit: Exit) => Promise<void>;
  readonly #onFault: (id: ContainerId, fault: unknown) => void;
  readonly #closing = new AbortController();
  readonly #exitWaiters = new Map<ContainerId, Set<(exit: Exit) => void>>();
  readonly #removalWaiters = new Map<ContainerId, Set<(exitCode: number) => void>>();
  readonly #startWaiters = new Map<ContainerId, Set<(begun: Begun) => void>>();
  readonly #timers = new Map<ContainerId, NodeJS.Timeout>();
  readonly #retries = new Set<NodeJS.Timeout>();
  readonly #watched = new Set<Promise<void>>();

  constructor(
    runtime: Pick<Runtime, "wait">,
    on: {
      readonly exit: (id: ContainerId, exit: Exit) => Promise<void>;
      readonly fault: (id: ContainerId, fault: unknown) => void;
    },
  ) {
    // Every watched process adds a listener.
    setMaxListeners(0, this.#closing.signal);
    this.#runtime = runtime;
    this.#handleExit = on.exit;
    this.#onFault = on.fault;
  }

  /** Starts watching the container's current process. */
  watch(id: ContainerId): void {
    this.#tellStart(id, "started");
    const watching = this.#watch(id).finally(() => this.#watched.delete(watching));
    this.#watched.add(watching);
  }

  async #watch(id: ContainerId): Promise<void> {
    try {
      const exit = await this.#runtime.wait(id, this.#closing.signal);
      await this.#handleExit(id, exit);
      this.#tell(id, exit);
    } catch (fault) {
      if (!this.#closing.signal.aborted) this.#onFault(id, fault);
    }
  }

  #tell(id: ContainerId, exit: Exit): void {
    const waiters = this.#exitWaiters.get(id);
    this.#exitWaiters.delete(id);
    for (const waiter of waiters ?? []) waiter(exit);
  }

  #tellStart(id: ContainerId, begun: Begun): void {
    const waiters = this.#startWaiters.get(id);
    this.#startWaiters.delete(id);
    for (const waiter of waiters ?? []) waiter(begun);
  }

  /** Resolves everyone who waits for a start that has failed, such as an earlier attach. */
  tellStartFailed(id: ContainerId): void {
    this.#tellStart(id, "given-up");
  }

  /** Settles when the container starts, when its start fails, or when `signal` aborts. */
  nextStart(id: ContainerId, signal: AbortSignal): Promise<Begun> {
    return new Promise((resolve) => {
      const waiters = this.#startWaiters.get(id) ?? new Set();
      this.#startWaiters.set(id, waiters.add(resolve));
      signal.addEventListener(
        "abort",
        () => {
          waiters.delete(resolve);
          resolve("given-up");
        },
        { once: true },
      );
    });
  }

  /** Resolves with the next exit, whatever follows it. */
  nextExit(id: ContainerId): Promise<Exit> {
    return new Promise((resolve) => {
      const waiters = this.#exitWaiters.get(id) ?? new Set();
      this.#exitWaiters.set(id, waiters.add(resolve));
    });
  }

  /** Resolves with the last exit code once the container is removed. */
  removed(id: ContainerId): Promise<number> {
    return new Promise((resolve) => {
      const waiters = this.#removalWaiters.get(id) ?? new Set();
      this.#removalWaiters.set(id, waiters.add(resolve));
    });
  }

  tellRemoved(id: ContainerId, exit: Exit): void {
    const waiters = this.#removalWaiters.get(id);
    this.#removalWaiters.delete(id);
    for (const waiter of waiters ?? []) waiter(exit.exitCode);
    // No exit or start follows a removal, so resolve everyone who waits for one.
    this.#tell(id, exit);
    this.#tellStart(id, "given-up");
  }

  /** Runs `work`, such as a restart, after the delay unless cancelled. */
  later(id: ContainerId, delayMs: number, work: () => void): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.set(
      id,
      setTimeout(() => {
        this.#timers.delete(id);
        work();
      }, delayMs),
    );
  }

  /** Tries again what a failure left to do, after the delay; nothing calls it off. */
  retry(delayMs: number, work: () => void): void {
    if (this.#closing.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#retries.delete(timer);
      work();
    }, delayMs);
    this.#retries.add(timer);
  }

  /** Cancels what waits to run, if anything does. */
  callOffRestart(id: ContainerId): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** Stops watching; the processes keep running. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    for (const timer of this.#retries) clearTimeout(timer);
    this.#retries.clear();
    await Promise.all(this.#watched);
  }
}
