import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import { connect as connectSocket, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { connectHttp2, type IncomingCall, serveHttp2 } from "./client-session.ts";
import { callHeaders, callStream } from "./grpc.ts";
import { relayCall } from "./relay.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-relay-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Both ends of a new connection. */
async function connection(): Promise<readonly [Socket, Socket]> {
  const path = join(folder, `${Math.random()}.sock`);
  const server = createServer();
  server.listen(path);
  await once(server, "listening");
  const near = connectSocket(path);
  const [far] = (await once(server, "connection")) as [Socket];
  server.close();
  for (const socket of [near, far]) {
    socket.on("error", () => undefined);
    closing.push(() => socket.destroy());
  }
  return [near, far];
}

let client: ClientHttp2Session;
let clientSocket: Socket;
let backendSocket: Socket;
let serve: (call: IncomingCall) => void;

/** A client, a relay and a server behind it. */
beforeEach(async () => {
  const [near, far] = await connection();
  const [out, back] = await connection();
  [clientSocket, backendSocket] = [near, back];
  serveHttp2(back, (call) => serve(call));
  const to = connectHttp2(out);
  serveHttp2(far, ({ stream, rawHeaders }) => relayCall(stream, rawHeaders, to));
  client = connect("http://x", { createConnection: () => near });
  client.on("error", () => undefined);
});

function call() {
  const stream = client.request({ ":method": "POST", ":path": "/a.B/C", te: "trailers", many: ["1", "2"] });
  stream.on("error", () => undefined);
  return stream;
}

test("a call is relayed with several headers of one name, its bytes and its trailers", async () => {
  const seen: string[] = [];
  serve = ({ stream, path, rawHeaders }) => {
    seen.push(path, ...rawHeaders.filter((_, at) => rawHeaders[at - 1] === "many"));
    stream.respond({ ":status": 200 }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.pipe(stream);
  };
  const asked = call();
  const trailers = once(asked, "trailers");
  asked.end("bytes");
  const parts: Buffer[] = [];
  for await (const part of asked) parts.push(part as Buffer);
  expect(seen).toEqual(["/a.B/C", "1", "2"]);
  expect(Buffer.concat(parts).toString()).toBe("bytes");
  expect((await trailers)[0]).toMatchObject({ "grpc-status": "0" });
});

test("a client that leaves ends the call behind, and so does a server that leaves", async () => {
  let arrived = (_: IncomingCall): void => undefined;
  const first = new Promise<IncomingCall>((resolve) => {
    arrived = resolve;
  });
  serve = (incoming) => arrived(incoming);
  const asked = call();
  asked.write("x");
  const { stream } = await first;
  const ended = once(stream, "close");
  asked.close(constants.NGHTTP2_CANCEL);
  await ended;
  const second = call();
  const over = once(second, "close");
  serve = () => backendSocket.destroy();
  second.write("x");
  await over;
  const third = call();
  await once(third, "close");
  clientSocket.destroy();
});

test("an answer of several messages is read one by one, however they are cut", async () => {
  const frames = ["one", "", "three"].map((text) => {
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(text.length, 1);
    return Buffer.concat([prefix, Buffer.from(text)]);
  });
  const bytes = Buffer.concat(frames);
  serve = ({ stream }) => {
    stream.respond({ ":status": 200 }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    for (const byte of bytes) stream.write(Buffer.from([byte]));
    stream.end();
  };
  const read: string[] = [];
  const { signal } = new AbortController();
  for await (const message of callStream(client, callHeaders("/a.B/C"), Buffer.alloc(0), signal))
    read.push(message.toString());
  expect(read).toEqual(["one", "", "three"]);
});

test("who stops reading messages ends the call", async () => {
  const closed = new Promise((resolve) => {
    serve = ({ stream }) => {
      stream.once("close", resolve);
      stream.respond({ ":status": 200 });
      stream.write(Buffer.alloc(5));
    };
  });
  for await (const _ of callStream(client, callHeaders("/a.B/C"), Buffer.alloc(0), new AbortController().signal)) break;
  await closed;
});
