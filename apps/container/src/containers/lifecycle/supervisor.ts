import { setMaxListeners } from "node:events";
import type { ContainerId } from "../../engine/ids.ts";
import type { Exit, Runtime } from "../records/runtime.ts";

/** Whether the process began that was waited for, or never will. */
export type Begun = "started" | "given-up";

/**
 * Watches every running process and tells those who wait. `handleExit` does what an exit asks for — ports back, state written,
 * restart or removal; waiters hear only after it is done.
 */
export class Supervisor {
  readonly #runtime: Pick<Runtime, "wait">;
  readonly #handleExit: (id: ContainerId, exit: Exit) => Promise<void>;
  readonly #onFault: (id: ContainerId, fault: unknown) => void;
  readonly #closing = new AbortController();
  readonly #exitWaiters = new Map<ContainerId, Set<(exit: Exit) => void>>();
  readonly #removalWaiters = new Map<ContainerId, Set<(exitCode: number) => void>>();
  readonly #startWaiters = new Map<ContainerId, Set<(begun: Begun) => void>>();
  readonly #timers = new Map<ContainerId, NodeJS.Timeout>();
  readonly #watched = new Set<Promise<void>>();

  constructor(
    runtime: Pick<Runtime, "wait">,
    on: {
      readonly exit: (id: ContainerId, exit: Exit) => Promise<void>;
      readonly fault: (id: ContainerId, fault: unknown) => void;
    },
  ) {
    // Every watch listens to it.
    setMaxListeners(0, this.#closing.signal);
    this.#runtime = runtime;
    this.#handleExit = on.exit;
    this.#onFault = on.fault;
  }

  /** Begins to watch the process that runs now. */
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

  /** A start failed: whoever waits for it, as one who attached before it, is let go. */
  tellStartFailed(id: ContainerId): void {
    this.#tellStart(id, "given-up");
  }

  /** Settles when a process of the container begins, when its start fails, or when `signal` gives up on it. */
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

  /** The next exit, whatever follows it. */
  nextExit(id: ContainerId): Promise<Exit> {
    return new Promise((resolve) => {
      const waiters = this.#exitWaiters.get(id) ?? new Set();
      this.#exitWaiters.set(id, waiters.add(resolve));
    });
  }

  /** The last exit code of a container, once it is removed. */
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
    // Neither exit nor start follows a removal: whoever waits for one is let go.
    this.#tell(id, exit);
    this.#tellStart(id, "given-up");
  }

  /** Runs `restart` after a while unless called off. */
  restartLater(id: ContainerId, delayMs: number, restart: () => void): void {
    this.#timers.set(
      id,
      setTimeout(() => {
        this.#timers.delete(id);
        restart();
      }, delayMs),
    );
  }

  /** Calls off the restart that is waiting, if one is. */
  callOffRestart(id: ContainerId): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** Stops watching; the processes go on. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await Promise.all(this.#watched);
  }
}
