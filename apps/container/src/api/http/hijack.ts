import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests from Node's `upgrade` event: Node's parser no longer reads their socket. */
const upgraded = new WeakSet<IncomingMessage>();

/** Marks a request whose socket may be answered with `101`. */
export function markUpgraded(request: IncomingMessage): void {
  upgraded.add(request);
}

/** Whether a request's socket may be answered with `101`. */
export function isUpgraded(request: IncomingMessage): boolean {
  return upgraded.has(request);
}

/** The request and response of a real socket. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/**
 * Takes over the connection, as dockerd's hijack does: writes the response head (`101 UPGRADED` if the client asked for an upgrade,
 * otherwise a bare `200` without a length) and returns the socket. From then on it is a raw duplex stream: the read side ends when the
 * client closes its half, the write side when the caller ends it.
 */
export function hijack(
  { incoming, outgoing }: Exchange,
  headers: Readonly<Record<string, string>>,
  protocol: "tcp" | "h2c" = "tcp",
): Socket {
  const { socket } = incoming;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  outgoing.detachSocket(socket);
  const upgraded = isUpgraded(incoming);
  if (!upgraded) {
    // Node's parser listens for these. Without it the caller gets the bytes, and an end concerns only the read side.
    for (const event of ["data", "end", "timeout", "drain"]) socket.removeAllListeners(event);
    socket.setTimeout(0);
  }
  // Node wants a `Connection` header beside `Upgrade`; Go does not, and some clients send none.
  const head =
    upgraded || incoming.headers.upgrade === "tcp"
      ? `HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n`
      : "HTTP/1.1 200 OK\r\n";
  socket.write(`${head}${lines.join("")}\r\n`);
  return socket;
}
