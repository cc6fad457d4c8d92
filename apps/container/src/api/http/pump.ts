import type { Socket } from "node:net";
import type { Transform, Writable } from "node:stream";

/** What a hijacked connection carries. */
export interface Session {
  readonly output: AsyncIterable<Uint8Array>;
  readonly stdin: Writable | undefined;
  /** Stands between client and stdin: the detach keys of a terminal. */
  readonly filter: Transform | undefined;
  /** Lets go of both; called once, when output or client has ended. */
  close(): void;
}

/**
 * How long a session that is over still takes what the client sends, to nowhere: closing over unread bytes would reset the
 * connection, and the client could lose the output's end.
 */
const LINGER_MS = 200;

/** Unlike `events.once` it takes no error for a failure of its own: a reset is told by `close`. */
function next(socket: Socket, event: "close" | "drain"): Promise<void> {
  return new Promise((resolve) => socket.once(event, () => resolve()));
}

/**
 * Moves bytes both ways until the output ends or the client is gone. The client's half-close ends stdin alone; a client
 * that does not read slows only its own output; a client that vanishes closes the session.
 */
export async function pump(socket: Socket, { output, stdin, filter, close }: Session): Promise<void> {
  // A reset is an end like any other: `close` follows it.
  socket.on("error", () => undefined);
  stdin?.on("error", () => socket.unpipe());
  const gone = next(socket, "close").then(close);
  if (stdin === undefined) socket.resume();
  else if (filter === undefined) socket.pipe(stdin);
  else socket.pipe(filter).pipe(stdin);
  try {
    for await (const bytes of output) {
      if (socket.destroyed) break;
      if (!socket.write(bytes)) await Promise.race([next(socket, "drain"), gone]);
    }
  } finally {
    socket.end(() => {
      const linger = setTimeout(() => socket.destroy(), LINGER_MS);
      socket.once("close", () => clearTimeout(linger));
    });
    // What the client still sends has no reader now; without one its end would never be seen.
    socket.unpipe();
    socket.resume();
    close();
  }
}
