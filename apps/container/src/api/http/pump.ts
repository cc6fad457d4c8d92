import type { Socket } from "node:net";
import type { Transform, Writable } from "node:stream";
import { takesMore } from "../../engine/concurrency/takes-more.ts";

/** The streams of a hijacked connection. */
export interface Session {
  readonly output: AsyncIterable<Uint8Array>;
  readonly stdin: Writable | undefined;
  /** Filters stdin of a terminal for the detach keys. */
  readonly filter: Transform | undefined;
  /** Releases both streams; called once, when the output or the client has ended. */
  close(): void;
}

/**
 * How long a finished session still reads and discards what the client sends: closing with unread bytes would reset the connection, and
 * the client could lose the end of the output.
 */
const LINGER_MS = 200;

/**
 * Moves bytes both ways until the output ends or the client leaves. The client's half-close ends only stdin. A client that does not read
 * blocks only its own output; a client that vanishes closes the session.
 */
export async function pump(socket: Socket, { output, stdin, filter, close }: Session): Promise<void> {
  // A reset is an ordinary end: `close` follows it.
  socket.on("error", () => undefined);
  stdin?.on("error", () => socket.unpipe());
  socket.once("close", close);
  if (stdin === undefined) socket.resume();
  else if (filter === undefined) socket.pipe(stdin);
  else socket.pipe(filter).pipe(stdin);
  try {
    for await (const bytes of output) {
      if (socket.destroyed) break;
      if (!socket.write(bytes)) await takesMore(socket);
    }
  } finally {
    socket.end(() => {
      const linger = setTimeout(() => socket.destroy(), LINGER_MS);
      socket.once("close", () => clearTimeout(linger));
    });
    // Keep reading what the client sends; otherwise its end would go unnoticed.
    socket.unpipe();
    socket.resume();
    close();
  }
}
