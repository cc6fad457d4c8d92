const WIDTH = 30;

export interface ProgressOptions {
  readonly write: (text: string) => void;
  /** Whether what is written can be written over. */
  readonly isTerminal: boolean;
}

/** Passes a stream on, and says how much of it has gone: a bar on a terminal, a few plain lines elsewhere. */
export function withProgress(
  body: ReadableStream<Uint8Array>,
  { size, label }: { readonly size: number; readonly label: string },
  { write, isTerminal }: ProgressOptions,
): ReadableStream<Uint8Array> {
  let gone = 0;
  /** Plain lines come at every tenth, so that a log has few of them. */
  let told = 0;
  const tell = (part: number) => {
    if (isTerminal) return write(`\r${label} ${barOf(part)} ${percentOf(part)}`);
    const tenths = Math.floor(part * 10);
    if (tenths === told) return;
    told = tenths;
    write(`${label} ${percentOf(part)}\n`);
  };
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        gone += chunk.byteLength;
        controller.enqueue(chunk);
        // The end is told once.
        if (gone < size) tell(gone / size);
      },
      flush() {
        tell(1);
        if (isTerminal) write("\n");
      },
    }),
  );
}

function barOf(part: number): string {
  const full = Math.round(part * WIDTH);
  return `[${"#".repeat(full)}${" ".repeat(WIDTH - full)}]`;
}

function percentOf(part: number): string {
  return `${String(Math.floor(part * 100)).padStart(3)}%`;
}
