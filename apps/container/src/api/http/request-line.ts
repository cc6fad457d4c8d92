import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Turn } from "../../engine/concurrency/turns.ts";

/** A request line whose target names a scheme and no host: `GET http:/info HTTP/1.0`. */
const WITHOUT_HOST = /^([A-Z]{3,7} )https?:(?=\/[^/])/;

/** The longest start of a connection that `WITHOUT_HOST` has to see. */
const LONGEST_START = 16;

/**
 * Makes the target of a connection's first request what Node's parser takes: Go's takes a scheme without a host, which some
 * clients send (systeminformation), and Node's does not. Everything else stays as it came.
 */
export function repairRequestLine(start: Buffer): Buffer {
  const text = start.toString("latin1", 0, LONGEST_START);
  const [line, method = ""] = WITHOUT_HOST.exec(text) ?? [];
  return line === undefined ? start : Buffer.concat([Buffer.from(method, "latin1"), start.subarray(line.length)]);
}

/**
 * Passes the first bytes of each connection through {@link repairRequestLine} before the server reads them: its parser, or its handshake.
 *
 * @param turn what a connection waits for before that, once it has sent something.
 */
export function repairRequestLines(server: Server, turn: Turn): void {
  const listeners = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    socket.once("readable", async () => {
      await turn();
      if (socket.destroyed) return;
      const start: Buffer | null = socket.read();
      if (start !== null) socket.unshift(repairRequestLine(start));
      for (const listener of listeners) Reflect.apply(listener, server, [socket]);
    });
  });
}
