import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { EngineError, isEngineError, STATUS_OF } from "../../engine/errors.ts";
import type { Log } from "../../engine/log.ts";
import { isDigest } from "../../images/reference/reference.ts";
import { isResult, parseDoorName, RESULT_REPOSITORY } from "./names.ts";
import { DoorSession, type SessionOptions } from "./session.ts";

const USER = "build";
const LOOPBACK = "127.0.0.1";
const MAX_MANIFEST_BYTES = 4 << 20;
const MAX_UPLOADS = 32;

/** An upload between its POST and its PUT; the parts come in by PATCH. */
interface Upload {
  readonly id: string;
  readonly parts: PassThrough;
  /** The digest of all parts, once the last one is written. */
  readonly written: Promise<string>;
  size: number;
}

interface Entry {
  readonly session: DoorSession;
  readonly uploads: Map<string, Upload>;
}

/** What a builder needs to come in. */
export interface DoorKey {
  readonly session: DoorSession;
  readonly username: string;
  readonly password: string;
}

function denied(code: string, message: string): EngineError {
  return new EngineError("not-found", `${code}: ${message}`);
}

/** Never holds the password itself. */
function keyOf(password: string): string {
  return createHash("sha256").update(password).digest("base64");
}

/**
 * The OCI distribution endpoint (spec 1.1: pull and push) through which builders, and nobody else, reach the store: on a Unix socket
 * in a folder of the service's own, with a password for each build, which shows that build's images and takes its result.
 */
export class Door {
  readonly #servers: Server[] = [];
  readonly #log: Log;
  readonly #sessions = new Map<string, Entry>();
  /** What is offered, by its path. */
  readonly #offers = new Map<string, Readable>();

  private constructor(log: Log) {
    this.#log = log;
  }

  #serve(): Server {
    const server = createServer((request, response) => {
      this.#answer(request, response).catch((thrown: unknown) => {
        this.#log.error({ err: thrown }, "failed to answer a builder");
        response.destroy();
      });
    });
    this.#servers.push(server);
    return server;
  }

  static async open(path: string, log: Log): Promise<Door> {
    const door = new Door(log);
    // Of a run that was killed: one service alone holds the state.
    await rm(path, { force: true });
    const server = door.#serve();
    const umask = process.umask(0o177);
    server.listen(path);
    process.umask(umask);
    await once(server, "listening");
    return door;
  }

  /** Opens the door on a port of loopback, too, for a builder that reaches registries by TCP alone. Returns its address. */
  async listenOnLoopback(): Promise<string> {
    const server = this.#serve();
    server.listen(0, LOOPBACK);
    await once(server, "listening");
    return `${LOOPBACK}:${(server.address() as AddressInfo).port}`;
  }

  /** Opens a session for the time of `use`; everything it wrote that is in no image afterwards is collected. */
  async during<T>(options: SessionOptions, use: (key: DoorKey) => Promise<T>): Promise<T> {
    return options.images.store.write(async (writer) => {
      const password = randomBytes(32).toString("hex");
      const session = new DoorSession(options, writer);
      const entry: Entry = { session, uploads: new Map() };
      this.#sessions.set(keyOf(password), entry);
      try {
        return await use({ session, username: USER, password });
      } finally {
        this.#sessions.delete(keyOf(password));
        for (const { parts } of entry.uploads.values()) parts.destroy();
      }
    });
  }

  /** Offers a stream at a path that nobody can guess, to the first who asks. What nobody took by its withdrawal is read to its end. */
  offer(content: Readable): { readonly path: string; readonly withdraw: () => void } {
    const path = `/offered/${randomBytes(32).toString("hex")}`;
    this.#offers.set(path, content);
    return { path, withdraw: () => void (this.#offers.delete(path) && content.resume()) };
  }

  async close(): Promise<void> {
    for (const server of this.#servers) server.closeAllConnections();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const offered = this.#takeOffer(request);
      if (offered !== undefined) return await pipeline(offered, response.writeHead(200));
      const entry = this.#sessionOf(request.headers.authorization);
      if (entry === undefined) {
        response.setHeader("WWW-Authenticate", 'Basic realm="berth"');
        throw new EngineError(
          "unauthorized",
          "UNAUTHORIZED: this door is for builders, with the password of their build",
        );
      }
      await this.#route(entry, request, response);
    } catch (thrown) {
      request.resume();
      if (response.headersSent) return void response.destroy();
      if (!isEngineError(thrown)) this.#log.error({ err: thrown }, "failed to answer a builder");
      const { kind, message } = isEngineError(thrown) ? thrown : new EngineError("failed", "internal error");
      const [, code = "UNKNOWN", text = message] = /^([A-Z_]+): ([\s\S]*)$/.exec(message) ?? [];
      const body = JSON.stringify({ errors: [{ code, message: text }] });
      response.writeHead(STATUS_OF[kind], { "content-type": "application/json" }).end(body);
    }
  }

  #takeOffer({ method, url = "" }: IncomingMessage): Readable | undefined {
    const offered = method === "GET" ? this.#offers.get(url) : undefined;
    this.#offers.delete(url);
    return offered;
  }

  #sessionOf(authorization = ""): Entry | undefined {
    const [, encoded = ""] = /^basic\s+(\S+)$/i.exec(authorization) ?? [];
    const [username, password = ""] = Buffer.from(encoded, "base64").toString().split(":");
    return username === USER ? this.#sessions.get(keyOf(password)) : undefined;
  }

  async #route(entry: Entry, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "" } = request;
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://door");
    response.setHeader("Docker-Distribution-Api-Version", "registry/2.0");
    if (pathname === "/v2/" || pathname === "/v2") return void response.writeHead(200).end("{}");
    const [, name = "", kind = "", last = ""] =
      /^\/v2\/(.+)\/(manifests|blobs|blobs\/uploads)\/([^/]*)$/.exec(pathname) ?? [];
    const reads = method === "GET" || method === "HEAD";
    if (kind === "manifests" && reads) return this.#getManifest(entry, name, last, response, method);
    if (kind === "blobs" && reads) return this.#getBlob(entry, name, last, response, method);
    if (isResult(name)) {
      if (kind === "manifests" && method === "PUT") return this.#putManifest(entry, name, last, request, response);
      if (kind === "blobs/uploads")
        return this.#upload(entry, { id: last, digest: searchParams.get("digest") ?? "" }, request, response);
    }
    throw denied("UNSUPPORTED", `${method} ${pathname} is not offered to builders`);
  }

  async #getManifest({ session }: Entry, name: string, tag: string, response: ServerResponse, method: string) {
    const target = parseDoorName(name, tag);
    if (target === undefined) throw denied("MANIFEST_UNKNOWN", `${name}:${tag} is no image here`);
    const { bytes, descriptor } = await session.manifest(target);
    response.writeHead(200, {
      "content-type": descriptor.mediaType,
      "content-length": bytes.length,
      "docker-content-digest": descriptor.digest,
    });
    response.end(method === "HEAD" ? undefined : bytes);
  }

  async #getBlob({ session }: Entry, name: string, digest: string, response: ServerResponse, method: string) {
    response.setHeader("docker-content-digest", digest);
    if (method === "HEAD") {
      const size = await session.known(name, digest);
      if (size === undefined) throw denied("BLOB_UNKNOWN", `${digest} is not known`);
      return void response.writeHead(200, { "content-length": size }).end();
    }
    if (!session.mayRead(digest)) throw denied("BLOB_UNKNOWN", `${digest} is not known`);
    response.writeHead(200, { "content-type": "application/octet-stream" });
    await pipeline(session.read(digest), response);
  }

  async #putManifest(
    { session }: Entry,
    repository: string,
    reference: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > MAX_MANIFEST_BYTES)
        throw new EngineError("too-large", `MANIFEST_INVALID: over ${MAX_MANIFEST_BYTES} bytes`);
      parts.push(part);
    }
    const bytes = Buffer.concat(parts);
    await session.put(repository, reference, bytes);
    const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    const location = `/v2/${repository}/manifests/${digest}`;
    response.writeHead(201, { location, "docker-content-digest": digest }).end();
  }

  /** POST opens an upload, PATCH sends a part, PUT the last one, with the digest of all. */
  async #upload(
    entry: Entry,
    { id, digest }: { readonly id: string; readonly digest: string },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method } = request;
    if (method === "POST" && id === "") {
      const opened = this.#openUpload(entry);
      return digest === "" ? accepted(response, opened) : this.#finish(entry, opened, digest, request, response);
    }
    const upload = entry.uploads.get(id);
    if (upload === undefined) throw denied("BLOB_UPLOAD_UNKNOWN", "no such upload");
    if (method === "DELETE") {
      entry.uploads.delete(id);
      upload.parts.destroy();
      return void response.writeHead(204).end();
    }
    if (method === "GET") return accepted(response, upload, 204);
    if (method === "PUT") return this.#finish(entry, upload, digest, request, response);
    if (method !== "PATCH") throw denied("UNSUPPORTED", `${method} is not offered for uploads`);
    await append(upload, request, "go on");
    accepted(response, upload);
  }

  #openUpload({ session, uploads }: Entry): Upload {
    if (uploads.size >= MAX_UPLOADS)
      throw new EngineError("too-many", `TOOMANYREQUESTS: over ${MAX_UPLOADS} uploads at once`);
    const parts = new PassThrough();
    const written = session.write(parts);
    // Whoever sends a part hears of it.
    written.catch((thrown: unknown) => parts.destroy(thrown instanceof Error ? thrown : new Error(String(thrown))));
    const upload = { id: randomUUID(), parts, written, size: 0 };
    uploads.set(upload.id, upload);
    return upload;
  }

  async #finish(
    { uploads }: Entry,
    upload: Upload,
    digest: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    if (!isDigest(digest)) throw new EngineError("invalid", "DIGEST_INVALID: want sha256: and 64 digits");
    await append(upload, request, "end");
    const written = await upload.written;
    uploads.delete(upload.id);
    if (written !== digest) throw new EngineError("invalid", `DIGEST_INVALID: the bytes are ${written}`);
    const location = `/v2/${RESULT_REPOSITORY}/blobs/${digest}`;
    response.writeHead(201, { location, "docker-content-digest": digest }).end();
  }
}

async function append(upload: Upload, request: IncomingMessage, then: "go on" | "end"): Promise<void> {
  request.on("data", (part: Buffer) => {
    upload.size += part.length;
  });
  await pipeline(request, upload.parts, { end: then === "end" });
}

function accepted(response: ServerResponse, { id, size }: Upload, status = 202): void {
  const location = `/v2/${RESULT_REPOSITORY}/blobs/uploads/${id}`;
  response.writeHead(status, { location, range: `0-${Math.max(0, size - 1)}`, "docker-upload-uuid": id }).end();
}
