import type { WebSocket } from "ws";
import { WebSocketServer } from "ws";
import { orEnd } from "../../engine/concurrency/or-end.ts";
import { EngineError } from "../../engine/errors.ts";
import { type Exchange, isUpgraded } from "./hijack.ts";
import type { Session } from "./pump.ts";

/** Limit of a message, which is buffered whole; the same as Go's server. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** How many bytes may be queued for a client that pings and does not read. */
const MAX_UNREAD_PONGS = 64 * 1024;

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  autoPong: false,
  // Input is bytes, whatever the frame's type.
  skipUTF8Validation: true,
  maxPayload: MAX_MESSAGE_BYTES,
});

/** Whether a request asks for a WebSocket (RFC 6455, section 4.1). */
export function asksForWebSocket(headers: Headers): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}

/** Throws `invalid` for a malformed WebSocket request, before anything starts for it. */
export function requireWebSocket(headers: Headers, { incoming }: Pick<Exchange, "incoming">): void {
  if (asksForWebSocket(headers) && isUpgraded(incoming)) return;
  throw new EngineError(
    "invalid",
    "a WebSocket handshake is needed: Upgrade: websocket, Connection: Upgrade (RFC 6455)",
  );
}

/** Writes messages to the session's input; pauses the socket while the input is full. */
function feed(socket: WebSocket, { stdin, filter }: Session): void {
  if (stdin === undefined) return;
  const input = filter ?? stdin;
  filter?.pipe(stdin);
  input.on("drain", () => socket.resume());
  // The process is gone: discard what still arrives, but keep reading to see the client's end.
  stdin.on("error", () => socket.resume());
  socket.on("message", (message: Buffer) => {
    if (stdin.writable && !input.write(message)) socket.pause();
  });
}

async function talk(socket: WebSocket, session: Session, frames: Frames, gone: Promise<void>): Promise<void> {
  // For an oversized message or a broken frame the socket closes itself with the right code.
  socket.on("error", () => undefined);
  socket.on("ping", (data) => {
    if (socket.bufferedAmount < MAX_UNREAD_PONGS) socket.pong(data);
  });
  feed(socket, session);
  const orGone = orEnd(gone);
  for await (const bytes of session.output) {
    if (socket.readyState !== socket.OPEN) return;
    const sent = new Promise<void>((resolve) => socket.send(bytes, { binary: frames === "binary" }, () => resolve()));
    await orGone(sent);
  }
  // Wait for the client's close frame, or else a timer; both need a reader.
  socket.resume();
  socket.close(1000);
}

/** The type of messages with output. */
export type Frames = "binary" | "text";

/**
 * Takes over the connection as a WebSocket and moves bytes both ways until the output ends or the client leaves: each message is input,
 * each chunk of output a message. Answers an incomplete handshake as RFC 6455 requires.
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
      // Attach the listeners in this turn, or the first messages are lost.
      server.handleUpgrade(incoming, socket, Buffer.alloc(0), (opened) => {
        talk(opened, session, frames, gone).then(resolve, reject);
      });
      void gone.then(resolve);
    });
  } finally {
    session.close();
  }
}
