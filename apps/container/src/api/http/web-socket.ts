import type { WebSocket } from "ws";
import { WebSocketServer } from "ws";
import { EngineError } from "../../engine/errors.ts";
import { type Exchange, isUpgraded } from "./hijack.ts";
import type { Session } from "./pump.ts";

/** A message is whole in memory before it is passed on; Go's server takes as much. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** A client that pings and does not read gets no more answers than this many bytes. */
const MAX_UNREAD_PONGS = 64 * 1024;

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  autoPong: false,
  // Input is bytes, whatever the frame says of them.
  skipUTF8Validation: true,
  maxPayload: MAX_MESSAGE_BYTES,
});

/** Says whether a request asks for a WebSocket (RFC 6455, section 4.1). */
export function asksForWebSocket(headers: Headers): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}

/** Throws `invalid` for a request that is no WebSocket's beginning, so that nothing is begun for it. */
export function requireWebSocket(headers: Headers, { incoming }: Pick<Exchange, "incoming">): void {
  if (asksForWebSocket(headers) && isUpgraded(incoming)) return;
  throw new EngineError(
    "invalid",
    "a WebSocket handshake is needed: Upgrade: websocket, Connection: Upgrade (RFC 6455)",
  );
}

/** Puts messages into the session's input; one that it cannot take yet holds the next ones up. */
function feed(socket: WebSocket, { stdin, filter }: Session): void {
  if (stdin === undefined) return;
  const input = filter ?? stdin;
  filter?.pipe(stdin);
  input.on("drain", () => socket.resume());
  // The process is gone: what still comes goes nowhere, but the client's end has to be seen.
  stdin.on("error", () => socket.resume());
  socket.on("message", (message: Buffer) => {
    if (stdin.writable && !input.write(message)) socket.pause();
  });
}

async function talk(socket: WebSocket, session: Session, frames: Frames, gone: Promise<void>): Promise<void> {
  // A message too large, a broken frame: the socket closes itself with the code that tells it.
  socket.on("error", () => undefined);
  socket.on("ping", (data) => {
    if (socket.bufferedAmount < MAX_UNREAD_PONGS) socket.pong(data);
  });
  feed(socket, session);
  for await (const bytes of session.output) {
    if (socket.readyState !== socket.OPEN) return;
    const sent = new Promise<void>((resolve) => socket.send(bytes, { binary: frames === "binary" }, () => resolve()));
    await Promise.race([sent, gone]);
  }
  // The client's close frame ends it for good, and a timer where none comes; both have to be read.
  socket.resume();
  socket.close(1000);
}

/** The kind of the messages that carry output. */
export type Frames = "binary" | "text";

/**
 * Takes the connection over as a WebSocket and moves bytes both ways until the output ends or the client is gone: a message
 * is input as it is, a chunk of output is a message. A handshake that lacks something is answered as RFC 6455 says.
 */
export async function pumpWebSocket(
  { incoming, outgoing }: Exchange,
  session: Session,
  { frames }: { readonly frames: Frames },
): Promise<void> {
  const { socket } = incoming;
  outgoing.detachSocket(socket);
  const gone = new Promise<void>((resolve) => socket.once("close", () => resolve())).then(session.close);
  try {
    await new Promise<void>((resolve, reject) => {
      // The listeners have to be there before the next turn, or the first messages are lost.
      server.handleUpgrade(incoming, socket, Buffer.alloc(0), (opened) => {
        talk(opened, session, frames, gone).then(resolve, reject);
      });
      void gone.then(resolve);
    });
  } finally {
    session.close();
  }
}
