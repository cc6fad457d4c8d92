import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex, PassThrough, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { connectHttp2, serveHttp2 } from "./client-session.ts";
import { type BuildKitAddress, dialControl, dialSession } from "./dial.ts";
import { callHeaders, callUnary, readMessage, sendAnswer } from "./grpc.ts";

/** A gRPC server of another library with two of buildkitd's methods. Session gives `take` the session's id and a connection to its client. */
function startDaemon(take: (id: string, connection: Duplex) => void): grpc.Server {
  const server = new grpc.Server();
  const definitions = loadSync("github.com/moby/buildkit/api/services/control/control.proto", {
    includeDirs: [fileURLToPath(new URL("../../../protos", import.meta.url))],
  });
  server.addService(definitions["moby.buildkit.v1.Control"] as grpc.ServiceDefinition, {
    Info: (_call: unknown, answer: grpc.sendUnaryData<object>) => answer(null, {}),
    Session: (call: grpc.ServerDuplexStream<{ data: Buffer }, { data: Buffer }>) => {
      const fromClient = new PassThrough();
      call.on("data", ({ data }: { data: Buffer }) => fromClient.write(data));
      call.on("end", () => fromClient.end());
      const toClient = new Writable({
        write: (data: Buffer, _encoding, done) => {
          call.write({ data });
          done();
        },
      });
      call.on("error", () => fromClient.destroy());
      take(
        String(call.metadata.get("x-docker-expose-session-uuid")),
        Duplex.from({ readable: fromClient, writable: toClient }),
      );
    },
  });
  return server;
}

const folder = mkdtempSync(join(tmpdir(), "berth-dial-"));
const path = join(folder, "buildkitd.sock");
const sessions = new Map<string, Duplex>();
let daemon: grpc.Server;
const addresses: BuildKitAddress[] = [{ kind: "socket", path }];

beforeAll(async () => {
  daemon = startDaemon((id, connection) => sessions.set(id, connection));
  const bind = (address: string) =>
    new Promise<number>((resolve, reject) =>
      daemon.bindAsync(address, grpc.ServerCredentials.createInsecure(), (fault, port) =>
        fault ? reject(fault) : resolve(port),
      ),
    );
  await bind(`unix://${path}`);
  addresses.push({ kind: "tcp", host: "127.0.0.1", port: await bind("127.0.0.1:0") });
});
afterAll(() => {
  daemon.forceShutdown();
  rmSync(folder, { recursive: true });
});

describe("a buildkitd", () => {
  test.each([0, 1])("answers calls: %#", async (at) => {
    const connection = await dialControl(addresses[at] as BuildKitAddress);
    const headers = callHeaders("/moby.buildkit.v1.Control/Info");
    const answer = await callUnary(connectHttp2(connection), headers, Buffer.alloc(0), AbortSignal.timeout(10_000));
    expect(answer.trailers["grpc-status"]).toBe("0");
    connection.destroy();
  });

  test.each([0, 1])("calls by a session, and ends with it: %#", async (at) => {
    const id = `session${at}`;
    const connection = await dialSession(addresses[at] as BuildKitAddress, { "x-docker-expose-session-uuid": [id] });
    serveHttp2(connection, async ({ stream }) => {
      const asked = await readMessage(stream);
      sendAnswer(stream, { message: asked, trailers: { "grpc-status": "0" } });
    });
    const buildKit = await vi.waitUntil(() => sessions.get(id), { timeout: 20_000 });
    const much = Buffer.alloc(1 << 20, "0123456789");
    const call = () => callUnary(connectHttp2(buildKit), callHeaders("/x/Y"), much, AbortSignal.timeout(10_000));
    const answer = await call();
    expect(answer.message?.equals(much)).toBe(true);
    const closed = once(buildKit, "close");
    connection.destroy();
    await closed;
  });
});

describe("what is no BuildKit", () => {
  let other: Server;
  const port = () => (other.address() as { readonly port: number }).port;
  test.each([
    ["ends connections", (): Server => createServer((socket) => socket.destroy())],
    [
      "refuses in HTTP",
      (): Server =>
        createServer((socket) => socket.once("data", () => socket.end("HTTP/1.1 404 no\r\ncontent-length: 0\r\n\r\n"))),
    ],
  ])("%s: unavailable", async (_, start) => {
    other = start().listen(join(folder, "other.sock"));
    await once(other, "listening");
    const unavailable = { kind: "unavailable", message: expect.stringContaining("BERTH_BUILDKIT") };
    await expect(dialControl({ kind: "socket", path: join(folder, "other.sock") })).rejects.toMatchObject(unavailable);
    other.close();
  });

  test("nothing listens: unavailable", async () => {
    other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = { kind: "tcp", host: "127.0.0.1", port: port() } as const;
    await new Promise((resolve) => other.close(resolve));
    await expect(dialControl(address)).rejects.toMatchObject({ kind: "unavailable" });
  });
});
