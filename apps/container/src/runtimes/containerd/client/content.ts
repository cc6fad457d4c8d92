import { EngineError, isEngineError } from "../../../engine/errors.ts";
import {
  answerWithin,
  type CallOptions,
  type Connection,
  isAlreadyExists,
  LAYER_TIMEOUT_MS,
  toEngineError,
} from "./connection.ts";
import type { Timestamp } from "./protos.ts";

export interface ContentInfo {
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
  readonly createdAt: Timestamp | null;
  readonly updatedAt: Timestamp | null;
  readonly labels: Readonly<Record<string, string>>;
}

export interface IngestStatus {
  readonly ref: string;
  readonly offset: number;
  readonly total: number;
  readonly expected: string;
}

export interface WriteOptions extends CallOptions {
  /** `sha256:…`; containerd refuses to commit anything else under it. Undefined where it is not known before. */
  readonly digest?: string;
  /** Bytes; also refused when it does not fit. */
  readonly size?: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The blobs: addressed by digest, labelled, kept as long as something refers to them or a lease holds them. */
export interface ContentService {
  info(digest: string): Promise<ContentInfo>;
  /** containerd's filters: any one of them has to match, e.g. `labels."containerd.io/distribution.source.x"==y`. */
  list(filters?: readonly string[]): Promise<readonly ContentInfo[]>;
  delete(digest: string): Promise<void>;
  /** Sets the named labels and leaves the others; an empty value removes its label. */
  updateLabels(digest: string, labels: Readonly<Record<string, string>>): Promise<ContentInfo>;
  /** The blob's bytes from `offset` on (default 0), at most `size` (default all). */
  read(
    digest: string,
    options?: CallOptions & { readonly offset?: number; readonly size?: number },
  ): AsyncIterable<Buffer>;
  /** A whole small blob, as manifests and configurations are; `too-large` beyond `limit` bytes (default 8 MiB). */
  readAll(digest: string, options?: CallOptions & { readonly limit?: number }): Promise<Buffer>;
  /**
   * Writes a blob under the ingest key `ref`, which only one writer at a time can hold (`unavailable` meanwhile), and answers its digest.
   * `open` gets the offset that an earlier, broken write of the same `ref` reached, and gives the bytes from there on.
   * A blob that is there already is success, without `open` being called where the digest says so before.
   * The wrong digest or size is `conflict`, and nothing of that ingest is kept.
   */
  write(ref: string, open: (offset: number) => AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<string>;
  status(ref: string): Promise<IngestStatus>;
  statuses(): Promise<readonly IngestStatus[]>;
  /** Throws away what an unfinished write left. */
  abort(ref: string): Promise<void>;
}

const SERVICE = "content.v1.Content";
/** containerd's own clients send no more at once. */
const CHUNK_BYTES = 1 << 20;

interface WriteRequest {
  readonly action: "STAT" | "WRITE" | "COMMIT";
  readonly ref: string;
  readonly total?: number;
  readonly expected?: string;
  readonly offset?: number;
  readonly data?: Uint8Array;
  readonly labels?: Readonly<Record<string, string>>;
}

interface WriteResponse {
  readonly action: "STAT" | "WRITE" | "COMMIT";
  readonly offset: number;
  readonly digest: string;
}

/** The blob that is there already. Without an expected digest only containerd's message names it: `content sha256:…: already exists`. */
function existingDigest(expected: string | undefined, failure: unknown): string {
  const digest = expected ?? /sha256:[0-9a-f]{64}/.exec(failure instanceof Error ? failure.message : "")?.[0];
  if (digest === undefined) throw failure;
  return digest;
}

export function contentService(connection: Connection): ContentService {
  const read: ContentService["read"] = async function* (digest, { offset = 0, size = 0, ...options } = {}) {
    const request = { digest, offset, size };
    for await (const part of connection.stream<{ data: Buffer }>(SERVICE, "Read", request, options)) yield part.data;
  };

  const abort = async (ref: string): Promise<void> => {
    try {
      await connection.unary(SERVICE, "Abort", { ref });
    } catch (thrown) {
      if (!isEngineError(thrown, "not-found")) throw thrown;
    }
  };

  const write: ContentService["write"] = async (ref, open, options = {}) => {
    const { digest: expected, size: total, labels, signal } = options;
    const call = await connection.duplex<WriteRequest, WriteResponse>(SERVICE, "Write", signal ? { signal } : {});
    const answers = call[Symbol.asyncIterator]() as AsyncIterator<WriteResponse>;
    // Each request has one answer: taking it before the next request is the flow control, and shows a failure at once.
    const ask = async (request: Omit<WriteRequest, "ref">): Promise<WriteResponse> => {
      call.write({ ref, ...request });
      const { value, done } = await answerWithin(answers.next(), "Write", LAYER_TIMEOUT_MS);
      if (done) throw new EngineError("failed", "containerd ended the write of a blob early");
      return value;
    };
    const goal = { ...(expected === undefined ? {} : { expected }), ...(total === undefined ? {} : { total }) };
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
        if (labels !== undefined) await updateLabels(digest, labels);
        return digest;
      }
      // What is there is not what was promised: resuming it could never end well.
      if (isEngineError(failure, "conflict") || isEngineError(failure, "invalid")) {
        call.cancel();
        await abort(ref).catch(() => {});
      }
      throw failure;
    } finally {
      call.on("error", () => {}); // the cancellation's own echo
      call.cancel();
    }
  };

  const updateLabels: ContentService["updateLabels"] = async (digest, labels) => {
    const paths = Object.keys(labels).map((label) => `labels.${label}`);
    const request = { info: { digest, labels }, updateMask: { paths } };
    return (await connection.unary<{ info: ContentInfo }>(SERVICE, "Update", request)).info;
  };

  return {
    info: async (digest) => (await connection.unary<{ info: ContentInfo }>(SERVICE, "Info", { digest })).info,
    list: async (filters = []) => {
      const found: ContentInfo[] = [];
      const request = { filters };
      for await (const page of connection.stream<{ info: ContentInfo[] }>(SERVICE, "List", request)) {
        found.push(...page.info);
      }
      return found;
    },
    delete: async (digest) => {
      await connection.unary(SERVICE, "Delete", { digest });
    },
    updateLabels,
    read,
    readAll: async (digest, { limit = 8 << 20, ...options } = {}) => {
      const parts: Buffer[] = [];
      let length = 0;
      for await (const part of read(digest, options)) {
        length += part.length;
        if (length > limit) throw new EngineError("too-large", `content ${digest} is larger than ${limit} bytes`);
        parts.push(part);
      }
      return Buffer.concat(parts);
    },
    write,
    status: async (ref) => (await connection.unary<{ status: IngestStatus }>(SERVICE, "Status", { ref })).status,
    statuses: async () =>
      (await connection.unary<{ statuses: IngestStatus[] }>(SERVICE, "ListStatuses", { filters: [] })).statuses,
    abort,
  };
}
