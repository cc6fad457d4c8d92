import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Actor } from "../../engine/actor.ts";
import { createTurns, inPieces } from "../../engine/concurrency/turns.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";

/** With the half second that the directory's answers are cached for, a stream outlives its rights by less than a second. */
const RECHECK_MS = 400;

/** How long open requests survive a directory that does not answer. New requests are refused at once. */
const OUTAGE_MS = 60_000;

/** Limit of one user's open requests, far above what clients such as `docker compose` need; administrators have none. */
const MAX_PER_USER = 256;

/** How long a client may leave its answer unread; a pager may do so for a while. */
const STALLED_MS = 600_000;

/** A request that passed its checks, and how to identify its sender again. */
export interface OpenRequest {
  readonly actor: Actor;
  readonly identify: () => Promise<Actor | undefined>;
  /** Throws once the sender may no longer do what it asked for. */
  readonly allows?: (actor: Actor) => void;
  readonly socket: Pick<Socket, "destroyed" | "destroy" | "bytesWritten" | "writableLength">;
  readonly response: Pick<ServerResponse, "once">;
}

interface Entry extends OpenRequest {
  identifiedAt: number;
  isAsking: boolean;
  /** How many bytes the client had taken when it last took any, and when that was. */
  taken: number;
  takenAt: number;
}

/** Whether a request that `before` was allowed to send may go on for `now`. */
function keepsRights(before: Actor, now: Actor): boolean {
  return now.id === before.id && (before.kind === "user" || now.kind === "administrator");
}

function takenOf({ socket }: OpenRequest): number {
  return socket.bytesWritten - socket.writableLength;
}

/**
 * The requests in progress, streams above all. Identifies their senders over and over, and closes the connections of those whose token
 * is revoked, who are disabled or who are no longer administrators, of those who may no longer do what they asked for, and of those who
 * leave an answer unread.
 */
export class OpenRequests {
  readonly #entries = new Set<Entry>();
  /** The same by their sender's id. */
  readonly #bySender = new Map<Actor["id"], Set<Entry>>();
  readonly #now: () => number;
  readonly #takeTurn = createTurns();
  #isChecking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ now = () => performance.now() }: { readonly now?: () => number } = {}) {
    this.#now = now;
  }

  /** Watches a request until its response or its connection closes. Throws `too-many` if its user has the most it may have. */
  add(request: OpenRequest): void {
    this.#assertRoom(request.actor);
    const now = this.#now();
    const entry: Entry = { ...request, identifiedAt: now, isAsking: false, taken: takenOf(request), takenAt: now };
    this.#entries.add(entry);
    const { id } = request.actor;
    this.#bySender.set(id, (this.#bySender.get(id) ?? new Set()).add(entry));
    // A hijacked response does not close; the next check finds its socket destroyed.
    request.response.once("close", () => this.#remove(entry));
    this.#timer ??= setInterval(() => void this.#checkAll(), RECHECK_MS).unref();
  }

  /** False if it was removed before. */
  #remove(entry: Entry): boolean {
    const { id } = entry.actor;
    const own = this.#bySender.get(id);
    own?.delete(entry);
    if (own?.size === 0) this.#bySender.delete(id);
    return this.#entries.delete(entry);
  }

  #assertRoom({ kind, id, login }: Actor): void {
    const own = this.#bySender.get(id);
    if (kind === "administrator" || own === undefined || own.size < MAX_PER_USER) return;
    for (const entry of own) if (entry.socket.destroyed) this.#remove(entry);
    if (own.size < MAX_PER_USER) return;
    throw new EngineError(
      "too-many",
      `the user ${login} has ${own.size} open requests and streams, the most that one user may have: close some and try again`,
    );
  }

  #isStalled(entry: Entry): boolean {
    const taken = takenOf(entry);
    if (entry.socket.writableLength > 0 && taken === entry.taken) return this.#now() - entry.takenAt > STALLED_MS;
    entry.taken = taken;
    entry.takenAt = this.#now();
    return false;
  }

  /** In pieces: to identify hundreds at once takes longer than another request should wait. */
  async #checkAll(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    await inPieces([...this.#entries], this.#takeTurn, (entry) => {
      if (entry.socket.destroyed) this.#remove(entry);
      else if (this.#now() - entry.identifiedAt > OUTAGE_MS || this.#isStalled(entry)) this.#end(entry);
      // Not waited for: the directory may not answer.
      else if (!entry.isAsking) void this.#check(entry);
    });
    this.#isChecking = false;
    if (this.#entries.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #check(entry: Entry): Promise<void> {
    entry.isAsking = true;
    try {
      const now = await entry.identify();
      if (now === undefined || !keepsRights(entry.actor, now)) return this.#end(entry);
      entry.allows?.(now);
      entry.identifiedAt = this.#now();
    } catch (thrown) {
      if (!isEngineError(thrown, "unavailable")) this.#end(entry);
    } finally {
      entry.isAsking = false;
    }
  }

  #end(entry: Entry): void {
    // The response may have closed, and the connection may serve another request.
    if (this.#remove(entry)) entry.socket.destroy();
  }
}
