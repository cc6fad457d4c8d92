import { once } from "node:events";
import type { Socket } from "node:net";
import { Writable } from "node:stream";
import { writeFifo } from "./fifos.ts";
import type { Places } from "./places.ts";
import type { Runs } from "./runs.ts";
import type { TaskService } from "./services/tasks.ts";

/** The way into one process's standard input, which many clients can share. */
export interface Input {
  /** A stream into it. `end()` closes the input for all; `destroy()` only lets go of this stream. */
  writable(): Writable;
  /** The process is gone. */
  close(): void;
}

/**
 * `opened` settles when the process can be written to (a client may come before its start); `closed` tells the shim to let go
 * of its end, which it holds so that our own death is no end-of-file.
 */
export const openInput = (path: string, opened: Promise<void>, closed: () => Promise<void>): Input => {
  let fifo: Promise<Socket> | undefined;
  let over = false;
  const open = async (): Promise<Socket> => {
    await opened;
    const socket = await writeFifo(path);
    // The reader went away with its process: what was still to be written has no meaning.
    socket.on("error", () => {});
    return socket;
  };
  const shared = (): Promise<Socket> => {
    fifo ??= open();
    return fifo;
  };

  const writable = (): Writable =>
    new Writable({
      write: (chunk, _, callback) => {
        shared().then(
          (socket) => {
            if (over || socket.destroyed) return callback();
            socket.write(chunk, () => callback());
          },
          () => callback(),
        );
      },
      final: (callback) => {
        endInput().then(() => callback(), callback);
      },
    });

  const endInput = async (): Promise<void> => {
    if (over) return;
    over = true;
    const socket = await shared().catch(() => undefined);
    if (socket !== undefined && !socket.destroyed) {
      const finished = once(socket, "close");
      socket.end();
      socket.destroySoon();
      await finished;
    }
    await closed();
  };

  return {
    writable,
    close: () => {
      over = true;
      fifo?.then(
        (socket) => socket.destroy(),
        () => {},
      );
    },
  };
};

/** The inputs of all containers. */
export interface Inputs {
  /** A stream into the process that runs, or into the next one where none does. */
  writable(id: string): Promise<Writable>;
  /** The process can be written to now. */
  open(id: string): void;
  /** The process is gone. */
  close(id: string): void;
  closeAll(): void;
}

export const inputsOf = (places: Places, runs: Runs, tasks: TaskService): Inputs => {
  const entries = new Map<string, { readonly input: Input; readonly open: () => void }>();

  // A terminal has no end of file: closing the shim's side would hang it up.
  const release = async (id: string): Promise<void> => {
    const task = await tasks.get(id).catch(() => undefined);
    if (task !== undefined && !task.terminal) await tasks.closeStdin(id).catch(() => {});
  };

  const entryOf = (id: string) => {
    const known = entries.get(id);
    if (known !== undefined) return known;
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const entry = { input: openInput(places.stdin(id), opened, () => release(id)), open };
    entries.set(id, entry);
    return entry;
  };

  const close = (id: string): void => {
    entries.get(id)?.input.close();
    entries.delete(id);
  };

  return {
    writable: async (id) => {
      const running = (await runs.current(id)) !== undefined;
      const entry = entryOf(id);
      if (running) entry.open();
      return entry.input.writable();
    },
    open: (id) => entryOf(id).open(),
    close,
    closeAll: () => {
      for (const id of [...entries.keys()]) close(id);
    },
  };
};
