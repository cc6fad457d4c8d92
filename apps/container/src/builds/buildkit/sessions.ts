import type { Duplex } from "node:stream";
import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import type { RegistryAuth } from "../../images/images.ts";
import type { HeldRights } from "../../policy/held-rights.ts";
import { authFrom } from "../base-images.ts";
import type { DoorKey } from "../door/door.ts";
import type { DoorResult } from "../door/session.ts";
import type { WorkContext } from "../work-context.ts";
import { Arrivals } from "./arrivals.ts";
import { ClientSession } from "./client-session.ts";
import type { OpenSolve } from "./control.ts";
import { sessionImages } from "./session-images.ts";

/** How long a build waits for its client's session, which comes by a connection of its own. */
const SESSION_MS = 10_000;

/** A client's session with what its builds see of the store. */
export interface OpenSession {
  readonly session: ClientSession;
  readonly key: DoorKey;
  readonly want: OpenSolve["want"];
  /** Aborts once one of its ends has closed. */
  readonly gone: AbortSignal;
}

/** What an actor gave an id. */
export function keyOf(actor: Actor, id: string): string {
  return `${actor.id ?? ""}/${id}`;
}

/** The sessions of clients, and what each may read of the store and put into it. */
export class Sessions {
  readonly #options: Pick<WorkContext, "door" | "images" | "imageContext" | "storageOf" | "log">;
  readonly #sessions = new Arrivals<OpenSession>("no session of yours has the id that the build names");
  readonly #expected = new Map<string, (result: DoorResult) => Promise<void>>();

  constructor(options: Pick<WorkContext, "door" | "images" | "imageContext" | "storageOf" | "log">) {
    this.#options = options;
  }

  /** Throws `invalid` and `conflict` where a session cannot have the id. */
  assertFree(actor: Actor, id: string): void {
    if (id === "") throw new EngineError("invalid", "the session has no id");
    if (this.#sessions.has(keyOf(actor, id))) throw new EngineError("conflict", `session ${id} already exists`);
  }

  /** The actor's session, once it is there. Throws `not-found` if it does not come. */
  get(actor: Actor, id: string): Promise<OpenSession> {
    return this.#sessions.get(keyOf(actor, id), SESSION_MS);
  }

  /** From now on `accept` is told of what is put into the repository, before that becomes an image. */
  expect(repository: string, accept: (result: DoorResult) => Promise<void>): void {
    this.#expected.set(repository, accept);
  }

  forget(repository: string): void {
    this.#expected.delete(repository);
  }

  /** Offers a session to builds until one of its ends closes. */
  hold(
    rights: HeldRights,
    id: string,
    { client, buildKit }: { readonly client: Duplex | undefined; readonly buildKit: Duplex },
    auths: Readonly<Record<string, RegistryAuth>>,
  ): void {
    const { door, log } = this.#options;
    const name = keyOf(rights.actor, id);
    const held = client ?? buildKit;
    const gone = new AbortController();
    const closed = new Promise<void>((resolve) => held.once("close", resolve));
    held.once("close", () => gone.abort(new EngineError("failed", "the client left")));
    let session: ClientSession | undefined;
    const { doorOptions, want } = sessionImages(this.#options, rights, {
      authFor: async (domain) => (await session?.credentials(domain)) ?? authFrom(auths, domain),
      signal: gone.signal,
      accept: async (result, repository) => await this.#expected.get(repository)?.(result),
    });
    void door
      .during(doorOptions, async (key) => {
        session = new ClientSession(id, { client, buildKit }, { door: key, log });
        this.#sessions.add(name, { session, key, want, gone: gone.signal });
        await closed;
      })
      .catch((thrown: unknown) => log.error({ err: thrown }, "failed to hold a session"))
      .finally(() => {
        this.#sessions.delete(name);
        held.destroy();
      });
  }
}
