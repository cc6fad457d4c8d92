import {
  Client,
  type ClientDuplexStream,
  connectivityState,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import type { EngineErrorKind } from "../../../engine/errors.ts";
import { EngineError } from "../../../engine/errors.ts";
import { tellsOfFullDisk } from "../../../engine/exhausted.ts";
import { clientMessage } from "./client-message.ts";
import { type Patience, USUAL_PATIENCE } from "./patience.ts";
import { type MethodName, methodOf, type RequestOf, type ResponseOf, type ServiceName } from "./protos.ts";

/** The one table from gRPC status to the kinds of our errors. What it does not name is `failed`. */
const KIND_OF: ReadonlyMap<status, EngineErrorKind> = new Map([
  [status.INVALID_ARGUMENT, "invalid"],
  [status.OUT_OF_RANGE, "invalid"],
  [status.NOT_FOUND, "not-found"],
  [status.ALREADY_EXISTS, "conflict"],
  [status.FAILED_PRECONDITION, "conflict"],
  [status.ABORTED, "conflict"],
  [status.PERMISSION_DENIED, "forbidden"],
  [status.UNIMPLEMENTED, "unsupported"],
  [status.UNAVAILABLE, "unavailable"],
  [status.DEADLINE_EXCEEDED, "unavailable"],
]);

function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof Error && "code" in thrown && "details" in thrown && typeof thrown.code === "number";
}

/** containerd passes on a shim's own lateness without a status that says so. */
function isLate({ code, details }: ServiceError): boolean {
  return (
    code === status.DEADLINE_EXCEEDED || (code === status.UNKNOWN && details.includes("context deadline exceeded"))
  );
}

/** Turns what grpc-js throws into an EngineError whose message a client may read, and that keeps the original as its cause. */
export function toEngineError(thrown: unknown): unknown {
  if (!isServiceError(thrown)) return thrown;
  const said = clientMessage(thrown.details || thrown.message);
  // What grpc-js says of a connection does not name whose it was.
  const message = thrown.code === status.UNAVAILABLE ? `containerd went away before it answered: ${said}` : said;
  const kind = tellsOfFullDisk(message) ? "full" : (KIND_OF.get(thrown.code) ?? "failed");
  return new EngineError(kind, message, { cause: thrown });
}

/** Whether containerd answered that the thing is there already: a conflict that a retried step takes for success. */
export function isAlreadyExists(thrown: unknown): boolean {
  return thrown instanceof EngineError && isServiceError(thrown.cause) && thrown.cause.code === status.ALREADY_EXISTS;
}

/** containerd, a shim or runc did not answer in time: the operation may have happened, or may still happen. */
export class NoAnswer extends EngineError {
  constructor(message: string, options?: ErrorOptions) {
    super("unavailable", message, options);
  }
}

function late(method: string, timeoutMs: number, options?: ErrorOptions): NoAnswer {
  return new NoAnswer(`containerd did not answer ${method} within ${timeoutMs / 1000} s`, options);
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** How long the answer, or the next message of a stream, may take; `Infinity` for a call that waits for an event. */
  readonly timeoutMs?: number;
}

/** How long a new call waits for a containerd that is starting or coming back, before it fails as `unavailable`. */
const READY_TIMEOUT_MS = 10_000;

const DEFAULT_TIMEOUT_MS = 30_000;

/** For a call that reads or writes a whole layer, which may have many gigabytes. */
export const LAYER_TIMEOUT_MS = 3_600_000;

const CHANNEL_OPTIONS = {
  // A killed daemon is back within a second; grpc's default would let us wait up to two minutes to notice.
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 500,
  // Of HTTP/2: with its default of 64 KiB a blob that is read waits for the window more than for its bytes.
  "grpc-node.flow_control_window": 1 << 20,
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
  // An idle channel would close and make the next start pay for a new connection.
  "grpc.client_idle_timeout_ms": 2_147_483_647,
};

/** `answer`, or rejects with `NoAnswer` after the timeout. */
export async function answerWithin<T>(answer: Promise<T>, method: string, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<T> {
  if (timeoutMs === Number.POSITIVE_INFINITY) return await answer;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(method, timeoutMs)), timeoutMs);
  });
  answer.catch(() => {});
  return await Promise.race([answer, limit]).finally(() => clearTimeout(timer));
}

/** A field that containerd always sets, though the protocol makes every message optional. */
export function present<T>(value: T | null, field: string): T {
  if (value === null) throw new EngineError("failed", `containerd answered without ${field}`);
  return value;
}

/** Cancels the call when the signal aborts; answers how to stop that. */
function cancelOn(signal: AbortSignal | undefined, call: { cancel(): void }): () => void {
  const cancel = () => call.cancel();
  // It may have aborted while the channel was waited for.
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  return () => signal?.removeEventListener("abort", cancel);
}

function failureOf(thrown: unknown, method: string, timeoutMs: number, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  return isServiceError(thrown) && isLate(thrown) ? late(method, timeoutMs, { cause: thrown }) : toEngineError(thrown);
}

interface Scope {
  readonly socket: string;
  readonly namespace: string;
  readonly lease?: string;
  readonly patience: Patience;
}

/**
 * Calls to one containerd in one of its namespaces, over one channel that reconnects:
 * calls in progress when the daemon dies fail as `unavailable`, later ones wait for it for a while.
 */
export class Connection {
  readonly socket: string;
  readonly namespace: string;
  /** The lease that guards what calls here make, if any. */
  readonly lease: string | undefined;
  /** What the limits on its calls are, and on what those cause. */
  readonly patience: Patience;
  readonly #client: Client;
  readonly #metadata = new Metadata();

  private constructor(client: Client, { socket, namespace, lease, patience }: Scope) {
    this.#client = client;
    this.patience = patience;
    this.socket = socket;
    this.namespace = namespace;
    this.lease = lease;
    this.#metadata.set("containerd-namespace", namespace);
    if (lease !== undefined) this.#metadata.set("containerd-lease", lease);
  }

  /** Opens (lazily) the gRPC channel to containerd's Unix socket. */
  static open(socket: string, namespace: string, patience: Patience = USUAL_PATIENCE): Connection {
    const client = new Client(`unix:${socket}`, credentials.createInsecure(), CHANNEL_OPTIONS);
    return new Connection(client, { socket, namespace, patience });
  }

  /** The same channel, under a lease. */
  withLease(lease: string): Connection {
    const { socket, namespace, patience } = this;
    return new Connection(this.#client, { socket, namespace, patience, lease });
  }

  async unary<S extends ServiceName, M extends MethodName<S>>(
    service: S,
    name: M,
    request: RequestOf<S, M>,
    options: CallOptions = {},
  ): Promise<ResponseOf<S, M>> {
    const { signal, timeoutMs = this.patience(DEFAULT_TIMEOUT_MS) } = options;
    await this.#ready(signal);
    const method = methodOf(service, name);
    return await new Promise((resolve, reject) => {
      const call = this.#client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        this.#metadata,
        Number.isFinite(timeoutMs) ? { deadline: Date.now() + timeoutMs } : {},
        (error, response) => {
          release();
          if (error) reject(failureOf(error, name, timeoutMs, signal));
          else resolve(response as ResponseOf<S, M>);
        },
      );
      const release = cancelOn(signal, call);
    });
  }

  /** The messages of a server stream; leaving the loop cancels the call. */
  async *stream<S extends ServiceName, M extends MethodName<S>>(
    service: S,
    name: M,
    request: RequestOf<S, M>,
    options: CallOptions = {},
  ): AsyncGenerator<ResponseOf<S, M>> {
    const { signal, timeoutMs = this.patience(DEFAULT_TIMEOUT_MS) } = options;
    await this.#ready(signal);
    const { path, requestSerialize, responseDeserialize } = methodOf(service, name);
    const call = this.#client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      this.#metadata,
    );
    const release = cancelOn(signal, call);
    try {
      const messages = call[Symbol.asyncIterator]();
      while (true) {
        const { value, done } = await answerWithin(messages.next(), name, timeoutMs);
        if (done) return;
        yield value;
      }
    } catch (thrown) {
      throw failureOf(thrown, name, timeoutMs, signal);
    } finally {
      call.on("error", () => {}); // the cancellation's own echo
      release();
      call.cancel();
    }
  }

  /** A stream in both directions; errors on it are grpc's: see `toEngineError`. */
  async duplex<S extends ServiceName, M extends MethodName<S>>(
    service: S,
    name: M,
    { signal }: CallOptions = {},
  ): Promise<ClientDuplexStream<RequestOf<S, M>, ResponseOf<S, M>>> {
    await this.#ready(signal);
    const { path, requestSerialize, responseDeserialize } = methodOf(service, name);
    const call = this.#client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, this.#metadata);
    call.once("close", cancelOn(signal, call));
    return call;
  }

  get isClosed(): boolean {
    return this.#client.getChannel().getConnectivityState(false) === connectivityState.SHUTDOWN;
  }

  close(): void {
    this.#client.close();
  }

  async #ready(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#client.getChannel().getConnectivityState(false) === connectivityState.READY) return;
    await new Promise<void>((resolve, reject) => {
      const abort = () => reject(signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      this.#client.waitForReady(Date.now() + this.patience(READY_TIMEOUT_MS), (error) => {
        signal?.removeEventListener("abort", abort);
        if (error) reject(new EngineError("unavailable", "containerd does not answer", { cause: error }));
        else resolve();
      });
    });
  }
}
