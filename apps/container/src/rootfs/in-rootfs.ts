import { Readable } from "node:stream";
import type { ArchiveFiles, FileFacts, OpenArchive, RootView } from "../containers/archive/files.ts";
import { takesMore } from "../engine/concurrency/takes-more.ts";
import { EngineError, isEngineError } from "../engine/errors.ts";
import { type DiskQuota, within } from "../images/disk-quota.ts";
import { denied } from "../policy/assert-allowed.ts";
import { recordsOf } from "./entries.ts";
import { runInRootfs, type Session, startInRootfs } from "./program.ts";

function factsOf(line: string): FileFacts {
  const [, mode = "", size, seconds, nanoseconds = "", linkTarget = ""] =
    /^(\S+) (\S+) (\S+) (\S+) ([\s\S]*)$/.exec(line) ?? [];
  const second = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const fraction = nanoseconds.padStart(9, "0").replace(/0+$/, "");
  return {
    mode: Number.parseInt(mode, 8),
    size: Number(size),
    modifiedAt: `${second}${fraction && `.${fraction}`}Z`,
    linkTarget,
  };
}

/** The program's output as a stream that fails with the program, and ends it when destroyed. */
async function openArchive(session: Session): Promise<OpenArchive> {
  const facts = factsOf(await session.head());
  async function* content(): AsyncGenerator<Uint8Array> {
    yield* session.stdout as AsyncIterable<Uint8Array>;
    const failure = await session.failure;
    if (failure !== undefined) throw failure;
  }
  const archive = Readable.from(content(), { objectMode: false, highWaterMark: 1 << 16 });
  archive.once("close", session.kill);
  return { facts, archive, ended: session.failure.then(() => {}) };
}

/** Bytes of records that may wait for the program. */
const WAITING_BYTES = 1 << 18;

/**
 * Gives the program all records, as fast as it takes them; those that come together, in one call. Bad ones end them like good ones, so that
 * all before is made whole. Throws `forbidden` past `left`, the most bytes that the owner may write.
 */
async function send({ stdin }: Session, records: AsyncIterable<Uint8Array>, left: number): Promise<void> {
  let total = 0;
  let isHeld = false;
  const release = (): void => {
    isHeld = false;
    stdin.uncork();
  };
  try {
    for await (const bytes of records) {
      if (stdin.destroyed) return;
      total += bytes.length;
      if (total > left)
        throw denied(
          `the files exceed the quota on storage, of which ${left} bytes are left; copy less, or remove other files`,
        );
      if (!isHeld) {
        isHeld = true;
        stdin.cork();
        process.nextTick(release);
      }
      if (!stdin.write(bytes) && stdin.writableLength > WAITING_BYTES) await takesMore(stdin);
    }
  } finally {
    stdin.end();
  }
}

/** A container's files through `native/in-rootfs`, a process for each call, which ends with it. */
export function createArchiveFiles(program: string, quota: DiskQuota): ArchiveFiles {
  const start = (view: RootView, ...command: readonly string[]) => startInRootfs(program, view, command);
  return {
    stat: async (view, path) => factsOf((await runInRootfs(program, view, ["stat", path])).split("\0")[0] ?? ""),
    read: async (view, path, name) => openArchive(await start(view, "read", path, name)),
    export: async (view) => openArchive(await start(view, "export")),
    existing: async (view, paths) => {
      const input = paths.map((path) => `${path}\0`).join("");
      const answers = await runInRootfs(program, view, ["exists"], { input, maxBytes: paths.length });
      return new Set(paths.filter((_, index) => answers[index] === "1"));
    },
    write: async (view, path, archive, { keepKinds, ...options }) => {
      const kinds = keepKinds ? "keep-kinds" : "replace";
      const session = await start(view, "write", path, options.devices === "made" ? `${kinds},devices` : kinds);
      let fault: unknown;
      try {
        await session.head();
        const records = within(quota, recordsOf(archive, path, options));
        const sent = send(session, records, options.left).catch((thrown: unknown) => {
          fault = thrown;
        });
        // A failed program says why; do not wait then for a client that sends nothing more.
        await Promise.race([sent, session.failure]);
        const failure = await session.failure;
        if (fault !== undefined) throw fault;
        // The folder exists, so the parent of an entry is missing.
        if (isEngineError(failure, "not-found")) throw new EngineError("invalid", failure.message, { cause: failure });
        if (failure !== undefined) throw failure;
      } finally {
        session.kill();
        await session.failure;
      }
    },
  };
}
