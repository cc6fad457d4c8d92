import { connect, type Socket } from "node:net";

/** The target of a published port. */
export interface Target {
  readonly address: string;
  readonly port: number;
}

/**
 * Proxies one connection to its target, as transparently as a direct connection: it forwards half-closes, applies back-pressure, and
 * resets one side when the other fails.
 *
 * @param client accepted with `allowHalfOpen` and paused.
 * @returns ends both connections at once.
 */
export function proxyTcp(client: Socket, target: Target): () => void {
  const upstream = connect({ host: target.address, port: target.port, allowHalfOpen: true, noDelay: true });
  client.setNoDelay(true);
  const abort = () => {
    client.resetAndDestroy();
    upstream.resetAndDestroy();
  };
  client.on("error", abort);
  upstream.on("error", abort);
  // pipe() ends its destination when its source ends, and pauses the source while the destination is full.
  upstream.once("connect", () => {
    client.pipe(upstream);
    upstream.pipe(client);
  });
  // When one side is gone, nobody reads from the other; what was written to it is still sent.
  client.once("close", () => upstream.destroySoon());
  upstream.once("close", () => client.destroySoon());
  return abort;
}
