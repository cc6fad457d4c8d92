import { connect, type Socket } from "node:net";

/** Where a published port leads. */
export interface Target {
  readonly address: string;
  readonly port: number;
}

/**
 * Carries one connection to its target: each side's end is passed on by itself, a slow reader slows the writer, and a failure of
 * one side resets the other, as a direct connection would.
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
  // A side that is gone leaves nobody to read from the other; what was written to that one still goes out.
  client.once("close", () => upstream.destroySoon());
  upstream.once("close", () => client.destroySoon());
  return abort;
}
