import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How long a connection may stay without an identified sender. */
const PATIENCE_MS = 30_000;

/** How many such connections one listener keeps. */
const MAX_STRANGERS = 256;

/** Over TLS a request's socket is another object than the connection's, with the same addresses. */
function keyOf({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">): string {
  return `${remoteAddress} ${remotePort}`;
}

interface Stranger {
  readonly socket: Socket;
  readonly timer: NodeJS.Timeout;
  /** How many of its requests wait for an answer. */
  asking: number;
}

/**
 * The connections of a listener that have sent no request of an identified sender yet, whatever else they do. Each is closed after a
 * while; past the limit a new one takes the place of the oldest that waits for no answer, so that a flood never locks out those who identify
 * themselves, even while the directory is slow to say who they are.
 */
export class Strangers {
  /** In the order of arrival. */
  readonly #open = new Map<string, Stranger>();
  readonly #max: number;
  readonly #patienceMs: number;

  constructor({ max = MAX_STRANGERS, patienceMs = PATIENCE_MS } = {}) {
    this.#max = max;
    this.#patienceMs = patienceMs;
  }

  /** Counts a new connection. */
  add(socket: Socket): void {
    const key = keyOf(socket);
    const timer = setTimeout(() => socket.destroy(), this.#patienceMs).unref();
    this.#open.set(key, { socket, timer, asking: 0 });
    socket.once("close", () => {
      clearTimeout(timer);
      if (this.#open.get(key)?.socket === socket) this.#open.delete(key);
    });
    if (this.#open.size > this.#max) this.#evict();
  }

  #evict(): void {
    const [key, victim] = this.#oldest() ?? [];
    if (key === undefined) return;
    this.#open.delete(key);
    victim?.socket.destroy();
  }

  /** The oldest that waits for no answer, or else the oldest of all. */
  #oldest(): readonly [key: string, stranger: Stranger] | undefined {
    for (const entry of this.#open) if (entry[1].asking === 0) return entry;
    return this.#open.entries().next().value;
  }

  /** Counts a request on the connection until it is answered. */
  asks(socket: Socket, response: Pick<ServerResponse, "once">): void {
    const stranger = this.#open.get(keyOf(socket));
    if (stranger === undefined) return;
    stranger.asking += 1;
    response.once("close", () => {
      stranger.asking -= 1;
    });
  }

  /** Stops counting a connection once a request's sender is identified. */
  remove(socket: Pick<Socket, "remoteAddress" | "remotePort">): void {
    const key = keyOf(socket);
    clearTimeout(this.#open.get(key)?.timer);
    this.#open.delete(key);
  }
}
