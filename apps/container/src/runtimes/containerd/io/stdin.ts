import { once } from "node:events";
import type { Socket } from "node:net";
import { Writable } from "node:stream";
import { EngineError } from "../../../engine/errors.ts";
import type { TaskService } from "../client/tasks.ts";
import { writeFifo } from "./fifos.ts";
import type { Places } from "./places.ts";
import type { Runs } from "./runs.ts";

/** The way into one process's standard input, which many clients can share. */
export interface Input {
  /** A stream into it. `end()` closes the input for all; `destroy()` closes only this stream. */
  writable(): Writable;
  /** The process is gone. */
  close(): void;
}

export interface InputOptions {
  /** Settles when the process can be written to: a client may come before its start. */
  readonly opened: Promise<void>;
  /** A terminal has no end of file: a client that ends its input only leaves. */
  kind(): Promise<"terminal" | "pipe">;
  /** Lets go of the shim's own writing end, by which our death is no end of file for the process. */
  release(): Promise<void>;
}

/** What one client may have on its way: it sends while the process still reads. */
const IN_FLIGHT_BYTES = 1 << 18;

export function openInput(path: string, { opened, kind, release }: InputOptions): Input {
  let fifo: Promise<Socket> | undefined;
  let over = false;
  const open = async (): Promise<Socket> => {
    await opened;
    if (over) throw new EngineError("conflict", "the process is gone");
    const socket = await writeFifo(path);
    // The reader ended with its process; discard what is left to write.
    socket.on("error", () => {});
    return socket;
  };
  const shared = (): Promise<Socket> => {
    fifo ??= open();
    return fifo;
  };

  const send = (chunks: readonly Uint8Array[], callback: () => void): void => {
    shared().then(
      (socket) => {
        if (over || socket.destroyed) return callback();
        socket.cork();
        for (const chunk of chunks.slice(0, -1)) socket.write(chunk);
        socket.write(chunks.at(-1) ?? "", () => callback());
        socket.uncork();
      },
      () => callback(),
    );
  };

  const writable = (): Writable =>
    new Writable({
      highWaterMark: IN_FLIGHT_BYTES,
      write: (chunk, _, callback) => send([chunk], callback),
      writev: (items, callback) =>
        send(
          items.map(({ chunk }) => chunk as Uint8Array),
          callback,
        ),
      final: (callback) => {
        endInput().then(() => callback(), callback);
      },
    });

  const endInput = async (): Promise<void> => {
    const socket = await shared().catch(() => undefined);
    if (over || (await kind()) === "terminal") return;
    over = true;
    if (socket !== undefined && !socket.destroyed) {
      const finished = once(socket, "close");
      socket.end();
      socket.destroySoon();
      await finished;
    }
    await release();
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
}

/** The inputs of all containers. */
export interface Inputs {
  /** A stream into the running process, or into the next one if none runs. */
  writable(id: string): Promise<Writable>;
  /** The process can be written to now. */
  open(id: string): void;
  /** The process is gone. */
  close(id: string): void;
  closeAll(): void;
}

export function inputsOf(places: Places, runs: Runs, tasks: TaskService): Inputs {
  const entries = new Map<string, { readonly input: Input; readonly open: () => void }>();

  const entryOf = (id: string) => {
    const known = entries.get(id);
    if (known !== undefined) return known;
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const input = openInput(places.stdin(id), {
      opened,
      kind: async () => ((await tasks.get(id).catch(() => undefined))?.terminal ? "terminal" : "pipe"),
      release: () => tasks.closeStdin(id).catch(() => {}),
    });
    const entry = { input, open };
    entries.set(id, entry);
    return entry;
  };

  const close = (id: string): void => {
    const entry = entries.get(id);
    entries.delete(id);
    entry?.input.close();
    // Releases writers to a process that never started.
    entry?.open();
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
}
