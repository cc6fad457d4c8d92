import { randomBytes } from "node:crypto";
import { close, constants, open, openSync, read } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { Socket } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { runProgram } from "../../../host/run-program.ts";

/** Makes FIFOs by a program, because Node cannot. It makes many at once, so that making one is nearly always a rename. */
export interface Fifos {
  /** Creates a FIFO at `path`, with its folder, and replaces an existing file. */
  make(path: string): Promise<void>;
  /** Settles when none is being made. */
  idle(): Promise<void>;
}

const BATCH_SIZE = 32;

/** `dir` holds the ready ones, on the same file system as all the paths to be made; what is in it is thrown away. */
export async function openFifos(dir: string): Promise<Fifos> {
  const ready: string[] = [];
  let filling: Promise<void> | undefined;

  const fill = async (): Promise<void> => {
    const batch = Array.from({ length: BATCH_SIZE }, () => join(dir, randomBytes(8).toString("hex")));
    await runProgram("mkfifo", ["-m", "600", ...batch]);
    ready.push(...batch);
  };
  const refill = (): Promise<void> => {
    filling ??= fill().finally(() => {
      filling = undefined;
    });
    return filling;
  };

  const take = async (): Promise<string> => {
    for (;;) {
      const fifo = ready.pop();
      if (ready.length < BATCH_SIZE / 2) refill().catch(() => {});
      if (fifo !== undefined) return fifo;
      await refill();
    }
  };

  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await refill();
  return {
    make: async (path) => {
      const fifo = await take();
      await rename(fifo, path).catch(async (thrown: NodeJS.ErrnoException) => {
        if (thrown.code !== "ENOENT") throw thrown;
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await rename(fifo, path);
      });
    },
    idle: async () => {
      await filling?.catch(() => {});
    },
  };
}

// A FileHandle would close its descriptor, which is the socket's, when it is garbage.
const openDescriptor = promisify(open);

/** A stream that reads a FIFO until its last writer is gone; one that has none yet is waited for. Opened at once: to wake a thread takes longer. */
export async function readFifo(path: string): Promise<Socket> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

/**
 * As `readFifo`, if a writer has it open; undefined otherwise. A reader that opens it after the last writer left would wait forever: the
 * kernel reports the end only to a reader that has seen a writer.
 */
export async function readHeldFifo(path: string): Promise<Socket | undefined> {
  const fd = await openDescriptor(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (fd === undefined) return undefined;
  const held = await promisify(read)(fd, Buffer.alloc(1), 0, 1, null).then(
    () => false,
    (thrown) => thrown instanceof Error && "code" in thrown && thrown.code === "EAGAIN",
  );
  if (held) return new Socket({ fd, readable: true, writable: false });
  await promisify(close)(fd);
  return undefined;
}

/** A stream into a FIFO; fails with ENXIO if it has no reader. */
export async function writeFifo(path: string): Promise<Socket> {
  const fd = await openDescriptor(path, constants.O_WRONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: false, writable: true });
}
