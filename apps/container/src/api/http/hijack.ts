import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that came by Node's `upgrade` event: their socket is free of Node's parser already. */
const upgraded = new WeakSet<IncomingMessage>();

/** Marks a request as one whose socket may be answered with `101`. */
export function markUpgraded(request: IncomingMessage): void {
  upgraded.add(request);
}

/** Says whether a request's socket is free to be answered with `101`. */
export function isUpgraded(request: IncomingMessage): boolean {
  return upgraded.has(request);
}

/** The two halves of a request on a real socket. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/**
 * Takes the connection over, as dockerd's hijack does: writes the head of the response (`101 UPGRADED` where the client
 * asked for an upgrade, else a bare `200` without a length) and answers the socket. From then on it is a raw duplex
 * stream: its read side ends when the client closes its half, its write side when we do.
 */
export function hijack({ incoming, outgoing }: Exchange, headers: Readonly<Record<string, string>>): Socket {
  const { socket } = incoming;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  outgoing.detachSocket(socket);
  const upgraded = isUpgraded(incoming);
  if (!upgraded) {
    // Node's parser listens for these; with it gone the bytes are the caller's, and an end is only the read side's.
    for (const event of ["data", "end", "timeout", "drain"]) socket.removeAllListeners(event);
    socket.setTimeout(0);
  }
  // Node wants a `Connection` header beside `Upgrade`; Go does not, and some clients send none.
  const head =
    upgraded || incoming.headers.upgrade === "tcp"
      ? "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n"
      : "HTTP/1.1 200 OK\r\n";
  socket.write(`${head}${lines.join("")}\r\n`);
  return socket;
}
