import { chmod, chown, rm } from "node:fs/promises";
import { createServer, IncomingMessage, type Server, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { Edge, Listener } from "./routes/edge.ts";
import { markUpgraded } from "./wire/hijack.ts";
import { maxJsonBytes } from "./wire/json-body.ts";

/** Where to listen, and who may open the socket. */
export type ListenAt = Listener & {
  /** Of a unix socket's file; 0660 where absent. */
  readonly mode?: number;
  readonly owner?: { readonly uid: number; readonly gid: number };
};

export interface Listening {
  /** The port where the system chose one; undefined for a unix socket. */
  readonly port: number | undefined;
  /** Takes no new connection, gives open requests `graceMilliseconds`, then ends them. */
  close(options: { readonly graceMilliseconds: number }): Promise<void>;
}

/** dockerd takes about this much of headers, and dockerode puts whole create bodies into the query. */
const maxHeaderBytes = 1024 * 1024;

/** Longer than clients keep idle connections, so that it is they who close them. */
const keepAliveMilliseconds = 120_000;

/** Finds peers that vanished without a word behind streams that are silent for hours. */
const probeMilliseconds = 30_000;

const badRequest =
  "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request";

/** Reads exactly `length` bytes that begin with `head`; puts back what comes after them. */
const readExactly = async (socket: Duplex, head: Buffer, length: number): Promise<Buffer> => {
  const chunks = [head];
  let size = head.byteLength;
  while (size < length) {
    const chunk: Buffer | null = socket.read();
    if (chunk === null) {
      if (socket.readableEnded || socket.destroyed) throw new Error("the request ended before its body");
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          for (const event of ["readable", "end", "close"]) socket.off(event, wake);
          resolve();
        };
        for (const event of ["readable", "end", "close"]) socket.on(event, wake);
      });
      continue;
    }
    chunks.push(chunk);
    size += chunk.byteLength;
  }
  const bytes = Buffer.concat(chunks);
  if (size > length) socket.unshift(bytes.subarray(length));
  return bytes.subarray(0, length);
};

/** Names and values alternate. */
const withoutEncoding = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.filter((_, at) => rawHeaders[at - (at % 2)]?.toLowerCase() !== "transfer-encoding");

/**
 * Node hands an upgrade request over with its body unread. Puts the request together again, so that it takes the way of
 * every other: same routes, same checks. Undefined where its body cannot be had.
 */
const reassemble = async (
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): Promise<IncomingMessage | undefined> => {
  // Clients that say "chunked" beside an upgrade (dockerode) send no chunk: raw bytes follow once they are answered.
  const { "transfer-encoding": encoding, ...headers } = request.headers;
  const length = Number(headers["content-length"] ?? 0);
  // Both at once is what requests are smuggled with (RFC 9112, section 6.1).
  if ((encoding !== undefined && length > 0) || !Number.isInteger(length) || length > maxJsonBytes) return undefined;
  const body = await readExactly(socket, head, length);
  const whole = new IncomingMessage(socket);
  Object.assign(whole, {
    method: request.method,
    url: request.url,
    httpVersion: request.httpVersion,
    httpVersionMajor: request.httpVersionMajor,
    httpVersionMinor: request.httpVersionMinor,
    headers,
    rawHeaders: encoding === undefined ? request.rawHeaders : withoutEncoding(request.rawHeaders),
    complete: true,
  });
  if (length > 0) whole.push(body);
  whole.push(null);
  return whole;
};

/** Whether a live server answers on the socket's path; a dead one's file may be taken away. */
const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(path);
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", () => resolve(false));
  });

/**
 * An HTTP server for the app with Docker's ways: large headers, no limit on how long a request or a stream takes, and
 * connections that can be taken over. Every request comes to the app with the listener that it came in by.
 */
export const createEngineServer = (app: Hono<Edge>, listener: Listener): Server => {
  const listen = getRequestListener(
    (request, bindings) => app.fetch(request, { ...bindings, listener } as Edge["Bindings"]),
    // The docker CLI up to 20.10 attaches over a unix socket with an empty `Host`.
    { hostname: "localhost" },
  );
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      requestTimeout: 0,
      keepAlive: true,
      keepAliveInitialDelay: probeMilliseconds,
      keepAliveTimeout: keepAliveMilliseconds,
    },
    (request, response) => {
      void listen(request, response);
    },
  );
  server.on("upgrade", (request, duplex, head) => {
    const socket = duplex as Socket;
    socket.on("error", () => undefined);
    reassemble(request, socket, head).then(
      (whole) => {
        if (whole === undefined) return void socket.end(badRequest);
        markUpgraded(whole);
        const response = new ServerResponse(whole);
        response.shouldKeepAlive = false;
        response.assignSocket(socket);
        response.on("finish", () => socket.end());
        void listen(whole, response);
      },
      () => socket.destroy(),
    );
  });
  server.on("clientError", (fault: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || fault.code === "ECONNRESET") return void socket.destroy();
    const tooLarge = fault.code === "HPE_HEADER_OVERFLOW";
    socket.end(tooLarge ? badRequest.replaceAll("400 Bad Request", "431 Request Header Fields Too Large") : badRequest);
  });
  return server;
};

/** Opens the listener. Refuses a unix socket that a live server answers on; a dead one's file is replaced. */
export const serve = async (app: Hono<Edge>, at: ListenAt): Promise<Listening> => {
  const server = createEngineServer(app, at);
  if (at.kind === "unix") {
    if (await answers(at.path)) throw new Error(`${at.path} is in use: another server answers there`);
    await rm(at.path, { force: true });
  }
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // The file is made at once: nobody gets in between its making and its mode.
    const umask = process.umask(0o177);
    server.listen(at.kind === "unix" ? { path: at.path } : { host: at.host, port: at.port }, () => {
      server.off("error", reject);
      resolve();
    });
    process.umask(umask);
  });
  if (at.kind === "unix") {
    if (at.owner !== undefined) await chown(at.path, at.owner.uid, at.owner.gid);
    await chmod(at.path, at.mode ?? 0o660);
  }
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : undefined,
    close: async ({ graceMilliseconds }) => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeIdleConnections();
      const deadline = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMilliseconds);
      await closed;
      clearTimeout(deadline);
    },
  };
};
