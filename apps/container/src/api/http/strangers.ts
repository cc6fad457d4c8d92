import type { Socket } from "node:net";

/** How long a connection may stay without an identified sender. */
const PATIENCE_MS = 30_000;

/** How many such connections one listener keeps. */
const MAX_STRANGERS = 256;

/** Over TLS a request's socket is another object than the connection's, with the same addresses. */
function keyOf({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">): string {
  return `${remoteAddress} ${remotePort}`;
}

/**
 * The connections of a listener that have sent no request of an identified sender yet, whatever else they do. Each is closed after a
 * while; past the limit a new one takes the place of the oldest, so that a flood never locks out those who identify themselves.
 */
export class Strangers {
  /** In the order of arrival. */
  readonly #open = new Map<string, { readonly socket: Socket; readonly timer: NodeJS.Timeout }>();
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
    this.#open.set(key, { socket, timer });
    socket.once("close", () => {
      clearTimeout(timer);
      if (this.#open.get(key)?.socket === socket) this.#open.delete(key);
    });
    const [oldest] = this.#open;
    if (oldest !== undefined && this.#open.size > this.#max) {
      this.#open.delete(oldest[0]);
      oldest[1].socket.destroy();
    }
  }

  /** Stops counting a connection once a request's sender is identified. */
  remove(socket: Pick<Socket, "remoteAddress" | "remotePort">): void {
    const key = keyOf(socket);
    clearTimeout(this.#open.get(key)?.timer);
    this.#open.delete(key);
  }
}
