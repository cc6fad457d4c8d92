import type { Actor } from "../engine/actor.ts";

/** Ends a request, or its work, once `allows` throws for its sender as the directory knows it then. */
export type EndUnless = (allows: (actor: Actor) => void) => void;

/** The rights that long work rests on: what was decided for its actor, to be decided again while it runs. */
export class HeldRights {
  readonly #needs = new Map<symbol, (actor: Actor) => void>();
  #actor: Actor;

  constructor(actor: Actor) {
    this.#actor = actor;
  }

  /** The actor as the directory last knew it: further decisions are about it. */
  get actor(): Actor {
    return this.#actor;
  }

  /** Decides now and at each renewal. Throws what `assert` throws. What it returns ends the need. */
  need(assert: (actor: Actor) => void): () => void {
    assert(this.#actor);
    const key = Symbol("need");
    this.#needs.set(key, assert);
    return () => void this.#needs.delete(key);
  }

  /** Decides again, for the actor as the directory knows it now. Throws `forbidden` where a need is no longer allowed. */
  renew(actor: Actor): void {
    this.#actor = actor;
    for (const assert of this.#needs.values()) assert(actor);
  }
}

/** Renews the rights while a request is open, and ends its work with the reason once one of them is lost. */
export function watchRights(rights: HeldRights, endUnless: EndUnless, end: AbortController): void {
  endUnless((actor) => {
    try {
      rights.renew(actor);
    } catch (thrown) {
      end.abort(thrown);
    }
  });
}
