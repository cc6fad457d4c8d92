import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, type FileHandle, link, mkdir, open, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "../../../engine/errors.ts";
import { unlessMissing } from "../../../host/exists.ts";
import type { BlobWish } from "../../../images/store.ts";

/** Bytes that one read or write of a file moves. */
const PIECE_BYTES = 1 << 20;

/** How often a blob's file is put into the store: containerd's collector may remove it before it is registered. */
const ATTEMPTS = 5;

export interface WrittenBlob {
  readonly digest: string;
  /** Settles when its bytes are on the disk. */
  readonly synced: Promise<void>;
}

export interface ReceivedBlob {
  readonly digest: string;
  readonly size: number;
}

/**
 * The files of the content store of a containerd on this host (its plugin `content/local`: `blobs/sha256/HEX`). Bytes go from and to them
 * without passing through containerd, which costs several times as much.
 */
export class BlobFiles {
  readonly #blobs: string;
  readonly #incoming: string;
  /** Of blobs whose bytes are on their way to the disk, by digest. */
  readonly #syncs = new Map<string, Promise<void>>();

  /** @param root containerd's own */
  constructor(root: string) {
    this.#blobs = join(root, "io.containerd.content.v1.content/blobs/sha256");
    this.#incoming = join(root, "io.berth.incoming");
  }

  /** The blob's bytes from `offset` on (default 0), at most `size` (default all). Throws `not-found`. */
  async *read(
    digest: string,
    { offset = 0, size = 0, signal }: { offset?: number; size?: number; signal?: AbortSignal } = {},
  ): AsyncGenerator<Buffer> {
    const file = await this.#open(digest);
    try {
      const whole = (await file.stat()).size;
      const end = size > 0 ? Math.min(offset + size, whole) : whole;
      for (let at = offset; at < end; ) {
        signal?.throwIfAborted();
        const piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, end - at));
        const { bytesRead } = await file.read(piece, 0, piece.length, at);
        if (bytesRead === 0) return;
        at += bytesRead;
        yield piece.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }

  async #open(digest: string): Promise<FileHandle> {
    const file = await open(this.#pathOf(digest)).catch(unlessMissing);
    if (file === undefined) throw new EngineError("not-found", `content ${digest}: not found`);
    return file;
  }

  #pathOf(digest: string): string {
    const [, hex] = /^sha256:([0-9a-f]{64})$/.exec(digest) ?? [];
    if (hex === undefined) throw new EngineError("invalid", `${digest} is no digest of a blob: sha256:HEX is one`);
    return join(this.#blobs, hex);
  }

  /**
   * Writes a blob's file and has it registered. Answers the digest; throws `conflict` if the bytes are not as wished. The blob can be read at
   * once, and may be lost with the power until `synced`.
   * @param register makes a file that is in its place a blob; false if it is there no more
   */
  async write(
    bytes: AsyncIterable<Uint8Array>,
    wish: BlobWish,
    register: (blob: ReceivedBlob) => Promise<boolean>,
  ): Promise<WrittenBlob> {
    await mkdir(this.#incoming, { recursive: true, mode: 0o700 });
    const path = join(this.#incoming, randomUUID());
    try {
      const blob = await receive(path, bytes, wish.signal);
      assertWished(blob, wish);
      const file = await open(path);
      const synced = this.#track(
        blob.digest,
        file.datasync().finally(() => file.close()),
      );
      await mkdir(this.#blobs, { recursive: true });
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        await putInPlace(path, this.#pathOf(blob.digest));
        if (await register(blob)) return { digest: blob.digest, synced };
      }
      throw new EngineError("failed", `containerd does not find the blob ${blob.digest} that was put into its store`);
    } finally {
      await unlink(path).catch(() => {});
    }
  }

  #track(digest: string, synced: Promise<void>): Promise<void> {
    this.#syncs.set(digest, synced);
    const forget = () => {
      if (this.#syncs.get(digest) === synced) this.#syncs.delete(digest);
    };
    synced.then(forget, forget);
    return synced;
  }

  /** Settles when a blob that was just written is on the disk. */
  async synced(digest: string): Promise<void> {
    await this.#syncs.get(digest);
  }

  /** Removes what a service that was killed left of its writes. */
  async sweep(): Promise<void> {
    await rm(this.#incoming, { recursive: true, force: true });
  }
}

/** Gives a file one more name, and replaces what has that name: a loss of power may have left a file without its bytes there. */
async function putInPlace(path: string, place: string): Promise<void> {
  const second = `${path}.link`;
  try {
    await link(path, second);
    await rename(second, place);
  } finally {
    // Where both names are one file already, a rename does nothing (rename(2)).
    await unlink(second).catch(() => {});
  }
}

/** Writes all bytes to a new file, and answers what they are. Each piece is written while the next one comes. */
async function receive(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<ReceivedBlob> {
  const hash = createHash("sha256");
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  let writing = Promise.resolve();
  try {
    let size = 0;
    for await (const piece of gathered(bytes)) {
      signal?.throwIfAborted();
      for (const chunk of piece) {
        hash.update(chunk);
        size += chunk.length;
      }
      await writing;
      writing = writeAll(file, piece);
      // Its failure is thrown where it is awaited.
      writing.catch(() => {});
    }
    await writing;
    await chmod(path, 0o444);
    return { digest: `sha256:${hash.digest("hex")}`, size };
  } finally {
    await writing.catch(() => {});
    await file.close();
  }
}

/** The small chunks that files and sockets give, about a mebibyte of them at a time. */
export async function* gathered(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Uint8Array[]> {
  let piece: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    piece.push(chunk);
    length += chunk.length;
    if (length < PIECE_BYTES) continue;
    yield piece;
    piece = [];
    length = 0;
  }
  if (length > 0) yield piece;
}

async function writeAll(file: FileHandle, piece: readonly Uint8Array[]): Promise<void> {
  let left = piece.filter(({ length }) => length > 0);
  while (left.length > 0) {
    let { bytesWritten } = await file.writev(left);
    left = left.flatMap((chunk) => {
      const rest = chunk.subarray(Math.min(bytesWritten, chunk.length));
      bytesWritten -= chunk.length - rest.length;
      return rest.length > 0 ? [rest] : [];
    });
  }
}

/** In containerd's words. */
function assertWished(blob: ReceivedBlob, { digest = blob.digest, size = blob.size }: BlobWish): void {
  if (size !== blob.size) throw new EngineError("conflict", `unexpected commit size ${blob.size}, expected ${size}`);
  if (digest !== blob.digest)
    throw new EngineError("conflict", `unexpected commit digest ${blob.digest}, expected ${digest}`);
}
