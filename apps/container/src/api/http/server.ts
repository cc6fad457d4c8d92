import { createServer, type RequestListener, type Server, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import type { TlsCredentials } from "@berth/service-kit";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { Edge, Listener } from "./edge.ts";
import { reassemble } from "./reassemble.ts";
import { repairRequestLines } from "./request-line.ts";
import { listenOnSocket } from "./unix-socket.ts";

type Of<Kind extends Listener["kind"]> = Extract<Listener, { readonly kind: Kind }>;

/** An address to listen on, with its options. */
export type ListenAt =
  /** The mode defaults to 0660. */
  | (Of<"unix"> & { readonly mode?: number })
  | (Of<"user"> & { readonly owner: { readonly uid: number; readonly gid: number } })
  | Of<"tcp">
  | (Of<"tls"> & { readonly credentials: TlsCredentials });

export interface Listening {
  /** The port, also if the system chose it; undefined for a unix socket. */
  readonly port: number | undefined;
  /** Stops accepting connections, gives open requests `graceMilliseconds`, then ends them. */
  close(options: { readonly graceMilliseconds: number }): Promise<void>;
}

const SETTINGS = {
  /** dockerd accepts about this much of headers, and dockerode puts whole create bodies into the query. */
  maxHeaderSize: 1024 * 1024,
  requestTimeout: 0,
  /** Detects vanished peers of streams that are silent for hours. */
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
  /** Longer than clients keep idle connections, so that the client closes them. */
  keepAliveTimeout: 120_000,
  /** The client may end its input while output continues. Node sets this for HTTP but not for HTTPS. */
  allowHalfOpen: true,
};

const BAD_REQUEST =
  "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request";

function createHttpServer(at: ListenAt, listener: RequestListener): Server {
  return at.kind === "tls"
    ? createTlsServer({ ...SETTINGS, ...at.credentials }, listener)
    : createServer(SETTINGS, listener);
}

/**
 * An HTTP server for the app with Docker's behaviour: large headers, no time limits for requests and streams, and connections that can be
 * taken over. Every request carries its listener.
 */
function createEngineServer(app: Hono<Edge>, at: ListenAt): Server {
  const listen = getRequestListener(
    (request, bindings) => app.fetch(request, { ...bindings, listener: at } as Edge["Bindings"]),
    // The docker CLI up to 20.10 attaches over a unix socket with an empty `Host`.
    { hostname: "localhost" },
  );
  const server = createHttpServer(at, (request, response) => {
    void listen(request, response);
  });
  if (at.kind !== "tls") repairRequestLines(server);
  server.on("upgrade", (request, duplex, head) => {
    const socket = duplex as Socket;
    socket.on("error", () => undefined);
    reassemble(request, socket, head).then(
      (whole) => {
        if (whole === undefined) return void socket.end(BAD_REQUEST);
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
    // A client that failed the handshake would not understand a plain-text response.
    const isUnreadable = fault.code === "ECONNRESET" || /^ERR_(SSL|TLS)_/.test(fault.code ?? "");
    if (!socket.writable || isUnreadable) return void socket.destroy();
    const tooLarge = fault.code === "HPE_HEADER_OVERFLOW";
    socket.end(
      tooLarge ? BAD_REQUEST.replaceAll("400 Bad Request", "431 Request Header Fields Too Large") : BAD_REQUEST,
    );
  });
  return server;
}

function listenOnPort(server: Server, { host, port }: { readonly host: string; readonly port: number }) {
  return new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Opens the listener. Rejects a unix socket with a live server; replaces the file of a dead one. */
export async function serve(app: Hono<Edge>, at: ListenAt): Promise<Listening> {
  const server = createEngineServer(app, at);
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  if (at.kind === "unix") await listenOnSocket(server, { path: at.path, mode: at.mode ?? 0o660 });
  else if (at.kind === "user") await listenOnSocket(server, { path: at.path, mode: 0o600, owner: at.owner });
  else await listenOnPort(server, at);
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
}
