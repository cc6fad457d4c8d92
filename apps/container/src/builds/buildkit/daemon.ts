import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Duplex, Readable, Transform } from "node:stream";
import { connectHttp2 } from "./client-session.ts";
import { DIAL_MS } from "./engine.ts";
import { CANCELLED, callHeaders, frame, messagesOf } from "./grpc.ts";
import { decode, encode } from "./protos.ts";

const SESSION = "/moby.buildkit.v1.Control/Session";
const BYTES = "moby.buildkit.v1.BytesMessage";

/** Where a buildkitd listens. */
export type DaemonAddress = { readonly path: string } | { readonly host: string; readonly port: number };

/** Opens a connection to a buildkitd. Throws what keeps it from answering: one that hangs takes connections, and says nothing. */
export async function dialDaemon(address: DaemonAddress): Promise<Socket> {
  const socket = connect(address);
  try {
    // gRPC's servers speak first. What they say stays in the socket for its reader.
    await once(socket, "readable", { signal: AbortSignal.timeout(DIAL_MS) });
    if (socket.readableLength === 0) throw new Error("it ended the connection");
    return socket;
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  }
}

/** Opens a client's session with a buildkitd: a connection whose bytes go through a call. Throws as {@link dialDaemon} does. */
export async function openDaemonSession(
  address: DaemonAddress,
  headers: Readonly<Record<string, readonly string[]>>,
): Promise<Duplex> {
  const socket = await dialDaemon(address);
  const call = connectHttp2(socket).request({ ...callHeaders(SESSION), ...mutable(headers) });
  const sent = new Transform({
    transform: (data: Buffer, _encoding, done) => done(null, frame(encode(BYTES, { data }))),
  });
  sent.pipe(call);
  const connection = Duplex.from({ readable: Readable.from(received(call), { objectMode: false }), writable: sent });
  connection.once("close", () => {
    call.close(CANCELLED);
    socket.destroy();
  });
  socket.once("close", () => connection.destroy());
  return connection;
}

async function* received(call: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const message of messagesOf(call)) yield decode(BYTES, message).data ?? Buffer.alloc(0);
}

function mutable(headers: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [...values]]));
}
