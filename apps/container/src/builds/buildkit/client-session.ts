import {
  type ClientHttp2Session,
  connect,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { Duplex } from "node:stream";
import type { Log } from "../../engine/log.ts";
import type { RegistryAuth } from "../../images/images.ts";
import { callHeaders, callUnary, failure, isOk, readMessage, sendAnswer } from "./grpc.ts";
import { decode, encode } from "./protos.ts";
import { relayCall } from "./relay.ts";

const AUTH = "/moby.filesync.v1.Auth/";
const CREDENTIALS = `${AUTH}Credentials`;
const CREDENTIALS_MS = 30_000;
/** A client that is there is well: its connection ends with it. Not every client answers for itself. */
const HEALTH = "/grpc.health.v1.Health/Check";
const SERVING = { message: Buffer.from([8, 1]), trailers: { "grpc-status": "0" } };

const METHODS_HEADER = "x-docker-expose-session-grpc-method";
const ID_HEADER = "x-docker-expose-session-uuid";

/** HTTP/2's windows: the protocol's own make a slow link of a socket. */
const WINDOWS = { settings: { initialWindowSize: 1 << 20 }, maxSessionMemory: 64 } as const;

/** What a client says of its session, in the headers of the request that opens it. */
interface SessionOffer {
  readonly id: string;
  /** Headers for BuildKit. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

/**
 * Reads the headers of a client's session, alternating names and values. Of its methods those that give credentials are replaced by
 * Berth's own: BuildKit asks no registry but the door.
 */
export function readOffer(rawHeaders: readonly string[]): SessionOffer {
  const headers: Record<string, string[]> = { [METHODS_HEADER]: [CREDENTIALS] };
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? "";
    const value = rawHeaders[at + 1] ?? "";
    if (!name.startsWith("x-docker-expose-session-") || (name === METHODS_HEADER && value.startsWith(AUTH))) continue;
    headers[name] = [...(headers[name] ?? []), value];
  }
  return { id: headers[ID_HEADER]?.[0] ?? "", headers };
}

/** One call of gRPC that came in. */
export interface IncomingCall {
  readonly stream: ServerHttp2Stream;
  readonly path: string;
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[];
}

/** Serves HTTP/2 on a connection that was taken over. */
export function serveHttp2(socket: Duplex, serve: (call: IncomingCall) => void): void {
  const server = createServer(WINDOWS);
  // Calls hear of the connection's end by themselves.
  server.on("sessionError", () => socket.destroy());
  server.on(
    "stream",
    (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders: readonly string[]) => {
      // A peer may go at any moment; whoever serves the call hears of its end.
      stream.on("error", () => undefined);
      serve({ stream, path: `${headers[":path"]}`, rawHeaders });
    },
  );
  server.emit("connection", socket);
}

/** Speaks HTTP/2 as a client on a connection that was taken over or dialled. */
export function connectHttp2(socket: Duplex): ClientHttp2Session {
  const session = connect("http://localhost", { ...WINDOWS, createConnection: () => socket });
  session.on("error", () => socket.destroy());
  return session;
}

/**
 * A client's session between the client and BuildKit: BuildKit asks for files, secrets and SSH agents, and the client answers. Credentials
 * are asked by Berth alone. A build whose client has no session gets one without a client.
 */
export class ClientSession {
  readonly id: string;
  readonly #client: ClientHttp2Session | undefined;
  readonly #door: { readonly username: string; readonly password: string };

  constructor(
    id: string,
    { client, buildKit }: { readonly client: Duplex | undefined; readonly buildKit: Duplex },
    { door, log }: { readonly door: { readonly username: string; readonly password: string }; readonly log: Log },
  ) {
    this.id = id;
    this.#door = door;
    const relayed = client && connectHttp2(client);
    this.#client = relayed;
    client?.once("close", () => buildKit.destroy());
    buildKit.once("close", () => client?.destroy());
    serveHttp2(buildKit, ({ stream, path, rawHeaders }) => {
      if (path === HEALTH) return void sendAnswer(stream, SERVING);
      if (!path.startsWith(AUTH) && relayed !== undefined) return void relayCall(stream, rawHeaders, relayed);
      this.#answerAuth(path, stream).then(
        (answer) => sendAnswer(stream, answer),
        (thrown: unknown) => {
          log.warn({ err: thrown }, "failed to answer BuildKit");
          sendAnswer(stream, failure(thrown));
        },
      );
    });
  }

  /** The client's credentials for a registry; undefined for none. */
  async credentials(domain: string): Promise<RegistryAuth | undefined> {
    if (this.#client === undefined) return undefined;
    // As containerd names Docker Hub, which clients know it by.
    const host = domain === "docker.io" ? "registry-1.docker.io" : domain;
    const request = encode("moby.filesync.v1.CredentialsRequest", { Host: host });
    const answer = await callUnary(
      this.#client,
      callHeaders(CREDENTIALS),
      request,
      AbortSignal.timeout(CREDENTIALS_MS),
    ).catch(() => undefined);
    // A session without credentials has no such method.
    if (answer?.message === undefined || !isOk(answer)) return undefined;
    const { Username: username = "", Secret: secret = "" } = decode(
      "moby.filesync.v1.CredentialsResponse",
      answer.message,
    );
    if (secret === "") return undefined;
    return username === "" ? { identitytoken: secret } : { username, password: secret };
  }

  async #answerAuth(path: string, stream: AsyncIterable<Buffer>) {
    const asked = await readMessage(stream);
    if (path !== CREDENTIALS || asked === undefined)
      return { message: undefined, trailers: { "grpc-status": "12", "grpc-message": "credentials are Berth's" } };
    const { username, password } = this.#door;
    const message = encode("moby.filesync.v1.CredentialsResponse", { Username: username, Secret: password });
    return { message, trailers: { "grpc-status": "0" } };
  }
}
