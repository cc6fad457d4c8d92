import { LRUCache } from "lru-cache";
import type { Actor } from "./records.ts";
import type { Records } from "./stores.ts";

// Bounds what one actor can add to the audit.
const ONCE_IN_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/** Audits forbidden requests, once a minute for each actor and endpoint. */
export class RefusalAudit {
  readonly #records: Pick<Records, "change">;
  readonly #recent = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: ONCE_IN_MS });

  constructor(records: Pick<Records, "change">) {
    this.#records = records;
  }

  /** @param endpoint method and path template, such as `DELETE /api/users/{id}`. */
  async report(
    actor: Actor,
    refused: { readonly endpoint: string; readonly path: string; readonly detail: string },
  ): Promise<void> {
    const key = `${actor.userId} ${refused.endpoint}`;
    if (this.#recent.has(key)) return;
    this.#recent.set(key, true);
    const { tokenId } = actor;
    await this.#records.change(actor.userId, ({ audit }) =>
      audit.note("access.refuse", `user/${actor.userId}`, { ...refused, tokenId }, "refused"),
    );
  }
}
