import { setTimeout as delay } from "node:timers/promises";
import type { RuntimeEvent } from "../../../containers/records/runtime.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import { NoAnswer } from "../client/connection.ts";
import type { TaskService } from "../client/tasks.ts";

const RECHECK_MS = 5_000;

/** Knows whose calls containerd, a shim or runc leaves unanswered, and tells when that begins and ends. */
export class Answers {
  readonly #tasks: Pick<TaskService, "get" | "patience">;
  readonly #closing: AbortSignal;
  readonly #hung = new Map<ContainerId, string>();
  /** Those that left a call unanswered since their task began. */
  readonly #haveHung = new Set<ContainerId>();
  readonly #listeners = new Set<(event: RuntimeEvent) => void>();

  constructor(tasks: Pick<TaskService, "get" | "patience">, closing: AbortSignal) {
    this.#tasks = tasks;
    this.#closing = closing;
  }

  isHung(id: ContainerId): boolean {
    return this.#hung.has(id);
  }

  /** The call's own answer, which is noted. */
  async of<T>(id: ContainerId, call: Promise<T>): Promise<T> {
    try {
      const answer = await call;
      this.settle(id);
      return answer;
    } catch (thrown) {
      if (thrown instanceof NoAnswer) this.hang(id, thrown.message);
      throw thrown;
    }
  }

  /** The container's task does not answer. */
  hang(id: ContainerId, reason: string): void {
    if (this.#hung.has(id)) return;
    this.#hung.set(id, reason);
    this.#haveHung.add(id);
    this.#tell({ kind: "unresponsive", id, reason });
    void this.#recheck(id);
  }

  /** The container's task answers, or is gone. */
  settle(id: ContainerId): void {
    if (this.#hung.delete(id)) this.#tell({ kind: "responsive", id });
  }

  /** Whether it left a call unanswered since the last time that this was asked. */
  takeHung(id: ContainerId): boolean {
    return this.#haveHung.delete(id);
  }

  /** Hears of all that hang now, then of each change; answers how to stop. */
  listen(listener: (event: RuntimeEvent) => void): () => void {
    for (const [id, reason] of this.#hung) listener({ kind: "unresponsive", id, reason });
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(event: RuntimeEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  async #recheck(id: ContainerId): Promise<void> {
    while (this.#hung.has(id)) {
      try {
        await delay(this.#tasks.patience(RECHECK_MS), undefined, { signal: this.#closing, ref: false });
      } catch {
        return;
      }
      const answers = await this.#tasks.get(id).then(
        () => true,
        (thrown) => !(thrown instanceof NoAnswer),
      );
      if (answers) this.settle(id);
    }
  }
}
