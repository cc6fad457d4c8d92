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

/** Where to listen, and what else that takes. */
export type ListenAt =
  /** 0660 where no mode is given. */
  | (Of<"unix"> & { readonly mode?: number })
  | (Of<"user"> & { readonly owner: { readonly uid: number; readonly gid: number } })
  | Of<"tcp">
  | (Of<"tls"> & { readonly credentials: TlsCredentials });

export interface Listening {
  /** The port where the system chose one; undefined for a unix socket. */
  readonly port: number | undefined;
  /** Takes no new connection, gives open requests `graceMilliseconds`, then ends them. */
  close(options: { readonly graceMilliseconds: number }): Promise<void>;
}

const SETTINGS = {
  /** dockerd takes about this much of headers, and dockerode puts whole create bodies into the query. */
  maxHeaderSize: 1024 * 1024,
  requestTimeout: 0,
  /** Finds peers that vanished without a word behind streams that are silent for hours. */
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
  /** Longer than clients keep idle connections, so that it is they who close them. */
  keepAliveTimeout: 120_000,
  /** The end of a client's input is not the end of our output. Node sets it for HTTP and forgets it for HTTPS. */
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
 * An HTTP server for the app with Docker's ways: large headers, no limit on how long a request or a stream takes, and
 * connections that can be taken over. Every request comes to the app with the listener that it came in by.
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
    // Whoever failed at the handshake would not read what comes in the clear.
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

/** Opens the listener. Refuses a unix socket that a live server answers on; a dead one's file is replaced. */
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
