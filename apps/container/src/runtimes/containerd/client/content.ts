import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { EngineError, isEngineError } from "../../../engine/errors.ts";
import type { BlobWish } from "../../../images/store.ts";
import { type BlobFiles, gathered, type ReceivedBlob, type WrittenBlob } from "./blob-files.ts";
import {
  answerWithin,
  type CallOptions,
  type Connection,
  isAlreadyExists,
  LAYER_TIMEOUT_MS,
  present,
  toEngineError,
} from "./connection.ts";
import type { RequestOf, ResponseOf } from "./protos.ts";

const SERVICE = "content.v1.Content";
/** containerd's own clients send no more at once. */
const CHUNK_BYTES = 1 << 20;
const CLOSE_TIMEOUT_MS = 10_000;

export type ContentInfo = NonNullable<ResponseOf<typeof SERVICE, "Info">["info"]>;
export type IngestStatus = NonNullable<ResponseOf<typeof SERVICE, "Status">["status"]>;

export interface WriteOptions extends CallOptions {
  /** `sha256:…`; containerd refuses to commit other content under it. Undefined if it is not known in advance. */
  readonly digest?: string;
  /** Bytes; also refused when it does not fit. */
  readonly size?: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The digest of the existing blob. Without an expected digest only containerd's message names it: `content sha256:…: already exists`. */
function existingDigest(expected: string | undefined, failure: unknown): string {
  const digest = expected ?? /sha256:[0-9a-f]{64}/.exec(failure instanceof Error ? failure.message : "")?.[0];
  if (digest === undefined) throw failure;
  return digest;
}

/** Few large chunks instead of many small ones: each write waits for its answer. */
async function* joined(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of gathered(bytes)) yield Buffer.concat(piece);
}

/** The blobs: addressed by digest, labelled, kept as long as something refers to them or a lease holds them. */
export class ContentService {
  readonly #connection: Connection;
  readonly #files: BlobFiles | undefined;

  /** @param files those of the store, where they can be reached */
  constructor(connection: Connection, files?: BlobFiles) {
    this.#connection = connection;
    this.#files = files;
  }

  async info(digest: string): Promise<ContentInfo> {
    return present((await this.#connection.unary(SERVICE, "Info", { digest })).info, "the content");
  }

  /** @param filters containerd's: any one of them has to match, e.g. `labels."containerd.io/distribution.source.x"==y` */
  async list(filters: readonly string[] = []): Promise<readonly ContentInfo[]> {
    const found: ContentInfo[] = [];
    for await (const { info } of this.#connection.stream(SERVICE, "List", { filters })) found.push(...info);
    return found;
  }

  async delete(digest: string): Promise<void> {
    await this.#connection.unary(SERVICE, "Delete", { digest });
  }

  /** Sets the named labels and leaves the others; an empty value removes its label. */
  async updateLabels(digest: string, labels: Readonly<Record<string, string>>): Promise<void> {
    const paths = Object.keys(labels).map((label) => `labels.${label}`);
    await this.#connection.unary(SERVICE, "Update", { info: { digest, labels }, updateMask: { paths } });
  }

  /** The blob's bytes from `offset` on (default 0), at most `size` (default all). */
  async *read(
    digest: string,
    { offset = 0, size = 0, ...options }: CallOptions & { readonly offset?: number; readonly size?: number } = {},
  ): AsyncGenerator<Buffer> {
    if (this.#files !== undefined) return yield* this.#files.read(digest, { offset, size, ...options });
    for await (const { data } of this.#connection.stream(SERVICE, "Read", { digest, offset, size }, options)) {
      yield data;
    }
  }

  /** A whole small blob, as manifests and configurations are; `too-large` beyond `limit` bytes (default 8 MiB). */
  async readAll(
    digest: string,
    { limit = 8 << 20, ...options }: CallOptions & { readonly limit?: number } = {},
  ): Promise<Buffer> {
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of this.read(digest, options)) {
      length += part.length;
      if (length > limit) throw new EngineError("too-large", `content ${digest} is larger than ${limit} bytes`);
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  /**
   * Writes a blob under the ingest key `ref`, which only one writer at a time can hold (`unavailable` for others), and answers its digest.
   * `open` gets the offset that an earlier, broken write of the same `ref` reached, and gives the bytes from there on.
   * An existing blob is success; `open` is not called if the digest shows that in advance.
   * The wrong digest or size is `conflict`, and nothing of that ingest is kept.
   */
  async write(
    ref: string,
    open: (offset: number) => AsyncIterable<Uint8Array>,
    options: WriteOptions = {},
  ): Promise<string> {
    const { digest: expected, size: total, labels, signal } = options;
    const call = await this.#connection.duplex(SERVICE, "Write", signal ? { signal } : {});
    const answers = call[Symbol.asyncIterator]();
    // Each request has one answer: taking it before the next request is the flow control, and shows a failure at once.
    const ask = async (request: RequestOf<typeof SERVICE, "Write">): Promise<ResponseOf<typeof SERVICE, "Write">> => {
      call.write({ ref, ...request });
      const { value, done } = await answerWithin(answers.next(), "Write", LAYER_TIMEOUT_MS);
      if (done) throw new EngineError("failed", "containerd ended the write of a blob early");
      return value;
    };
    const goal = { ...(expected === undefined ? {} : { expected }), ...(total === undefined ? {} : { total }) };
    let isWrong = false;
    try {
      let { offset } = await ask({ action: "STAT", ...goal });
      for await (const bytes of open(offset)) {
        for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
          const data = bytes.subarray(from, from + CHUNK_BYTES);
          ({ offset } = await ask({ action: "WRITE", offset, data }));
        }
      }
      const committed = await ask({ action: "COMMIT", offset, ...goal, ...(labels ? { labels } : {}) });
      return committed.digest;
    } catch (thrown) {
      if (signal?.aborted) throw signal.reason;
      const failure = toEngineError(thrown);
      if (isAlreadyExists(failure)) {
        const digest = existingDigest(expected, failure);
        if (labels !== undefined) await this.updateLabels(digest, labels);
        return digest;
      }
      isWrong = isEngineError(failure, "conflict") || isEngineError(failure, "invalid");
      throw failure;
    } finally {
      call.on("error", () => {}); // the cancellation's own echo
      // containerd closes the ingest before it ends the call; an abort that meets that fails.
      call.end();
      await answerWithin(answers.next(), "Write", CLOSE_TIMEOUT_MS).catch(() => {});
      call.cancel();
      // Resuming the write of wrong content could never succeed.
      if (isWrong) await this.abort(ref).catch(() => {});
    }
  }

  /** Writes a blob in one go. Throws `conflict` if the bytes are not as wished; nothing of it is kept then. */
  async writeBlob(bytes: AsyncIterable<Uint8Array>, wish: BlobWish = {}): Promise<WrittenBlob> {
    const ref = `berth-blob-${randomUUID()}`;
    try {
      if (this.#files === undefined) {
        return { digest: await this.write(ref, () => joined(bytes), wish), synced: Promise.resolve() };
      }
      return await this.#files.write(bytes, wish, (blob) => this.#register(ref, blob));
    } catch (thrown) {
      // Nobody resumes a partial blob.
      await this.abort(ref).catch(() => {});
      throw thrown;
    }
  }

  /**
   * Makes a file in the store's folder a blob of this namespace: containerd takes a wished blob that is in its folder for one that
   * another namespace shares (its content policy `shared`, the default). False if it does not find it.
   */
  async #register(ref: string, { digest, size }: ReceivedBlob): Promise<boolean> {
    const absent = new Error("the blob is not in the store's folder");
    const nothingFrom = (offset: number): AsyncIterable<Uint8Array> => {
      if (offset < size) throw absent;
      return Readable.from([]);
    };
    try {
      await this.write(ref, nothingFrom, { digest, size });
      return true;
    } catch (thrown) {
      if (thrown !== absent) throw thrown;
      await this.abort(ref);
      return false;
    }
  }

  /** Settles when a blob that is here is on the disk. */
  async synced(digest: string): Promise<void> {
    await this.#files?.synced(digest);
  }

  /** Removes what a service that was killed left of its writes. */
  async sweep(): Promise<void> {
    await this.#files?.sweep();
  }

  async status(ref: string): Promise<IngestStatus> {
    return present((await this.#connection.unary(SERVICE, "Status", { ref })).status, "the status");
  }

  async statuses(): Promise<readonly IngestStatus[]> {
    return (await this.#connection.unary(SERVICE, "ListStatuses", { filters: [] })).statuses;
  }

  /** Throws away what an unfinished write left. */
  async abort(ref: string): Promise<void> {
    try {
      await this.#connection.unary(SERVICE, "Abort", { ref });
    } catch (thrown) {
      if (!isEngineError(thrown, "not-found")) throw thrown;
    }
  }
}
