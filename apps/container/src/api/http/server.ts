import { createServer, type IncomingMessage, type RequestListener, type Server, ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TlsCredentials } from "@berth/service-kit";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { createTurns, type Turn } from "../../engine/concurrency/turns.ts";
import type { Edge, Listener } from "./edge.ts";
import type { Answers } from "./gate.ts";
import { reassemble } from "./reassemble.ts";
import { repairRequestLines } from "./request-line.ts";
import { Strangers } from "./strangers.ts";
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
  /** Uses these for the connections from now on; for a TLS listener only. */
  renew(credentials: TlsCredentials): void;
  /** Stops accepting connections, gives open requests `graceMilliseconds`, then ends them. */
  close(options: { readonly graceMilliseconds: number }): Promise<void>;
}

const SETTINGS = {
  /** dockerd accepts about this much of headers, and dockerode puts whole create bodies into the query. */
  maxHeaderSize: 1024 * 1024,
  /** A body may take hours, as may a `build` or `load`; JSON bodies have a limit of their own. */
  requestTimeout: 0,
  /** Node would derive none from `requestTimeout`. */
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5_000,
  /** Detects vanished peers of streams that are silent for hours. */
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
  /** Longer than clients keep idle connections, so that the client closes them. */
  keepAliveTimeout: 120_000,
  /** The client may end its input while output continues. Node sets this for HTTP but not for HTTPS. */
  allowHalfOpen: true,
};

/** How many requests a connection may send before the first is answered. Docker's clients wait for each answer. */
const MOST_PIPELINED = 8;

/** Shared by the listeners of users: however many connections and requests arrive at once, the event loop begins one in each round. */
const takeTurn = createTurns();

/** The administrators' socket waits for nobody. */
function turnOf({ kind }: ListenAt): Turn {
  return kind === "unix" ? async () => undefined : takeTurn;
}

/** Answers to requests that never reach the app, by Node's code of the fault. */
const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** How long a client has to read an answer and close, before the connection is closed under it. */
const LINGER_MS = 1_000;

/**
 * Ends a connection, also if the client keeps its half open. What the client still sends is read for a while: unread, it would reset
 * the connection, and the client lose the answer (RFC 9112, section 9.6).
 */
function endSoon(socket: Duplex, text?: string): void {
  socket.end(text, () => {
    const linger = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(linger));
  });
  socket.resume();
}

function refuse(socket: Duplex, fault: string | undefined): void {
  const status = STATUS_LINES[fault ?? ""] ?? "400 Bad Request";
  const headers = "Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n";
  endSoon(socket, `HTTP/1.1 ${status}\r\n${headers}\r\n${status}`);
}

function createHttpServer(at: ListenAt, listener: RequestListener): Server {
  return at.kind === "tls"
    ? createTlsServer({ ...SETTINGS, ...at.credentials }, listener)
    : createServer(SETTINGS, listener);
}

/**
 * An HTTP server for the app with Docker's behaviour: large headers, no time limits for long bodies and streams, and connections that can
 * be taken over. Every request carries its listener.
 */
function createEngineServer(app: Answers, at: ListenAt, strangers: Strangers): Server {
  const listen = getRequestListener(
    (request, bindings) => {
      const identified = () => strangers.remove((bindings as HttpBindings).incoming.socket);
      return app.fetch(request, { ...bindings, listener: at, identified } as Edge["Bindings"]);
    },
    // The docker CLI up to 20.10 attaches over a unix socket with an empty `Host`.
    { hostname: "localhost" },
  );
  const turn = turnOf(at);
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    void turn().then(() => {
      if (!request.socket.destroyed) return listen(request, response);
    });
  };
  const pipelined = new WeakMap<Socket, number>();
  const server = createHttpServer(at, (request, response) => {
    const { socket } = request;
    const count = (pipelined.get(socket) ?? 0) + 1;
    if (count > MOST_PIPELINED) return void socket.destroy();
    pipelined.set(socket, count);
    strangers.asks(socket, response);
    response.once("close", () => pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1));
    begin(request, response);
  });
  repairRequestLines(server, turn);
  server.on("upgrade", (request, duplex, head) => {
    const socket = duplex as Socket;
    socket.on("error", () => undefined);
    const whole = reassemble(request, socket, head);
    if (whole === undefined) return refuse(socket, undefined);
    const response = new ServerResponse(whole);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on("finish", () => endSoon(socket));
    begin(whole, response);
  });
  server.on("clientError", (fault: NodeJS.ErrnoException, socket) => {
    // A client that failed the handshake would not understand a plain-text response.
    const isUnreadable = fault.code === "ECONNRESET" || /^ERR_(SSL|TLS)_/.test(fault.code ?? "");
    if (!socket.writable || isUnreadable) return void socket.destroy();
    refuse(socket, fault.code);
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
export async function serve(app: Answers, at: ListenAt, strangers = new Strangers()): Promise<Listening> {
  const server = createEngineServer(app, at, strangers);
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    // Node calls it behind the last answer, and would close at once.
    socket.destroySoon = () => endSoon(socket);
    // A unix socket's file decides who connects.
    if (at.kind === "tcp" || at.kind === "tls") strangers.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  if (at.kind === "unix") await listenOnSocket(server, { path: at.path, mode: at.mode ?? 0o660 });
  else if (at.kind === "user") await listenOnSocket(server, { path: at.path, mode: 0o600, owner: at.owner });
  else await listenOnPort(server, at);
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : undefined,
    renew: (credentials) => (server as TlsServer).setSecureContext(credentials),
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
