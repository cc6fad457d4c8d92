import type { Extract } from "tar-stream";

/** Where the parser of `tar-stream` stands. */
interface Parser {
  /** Bytes that it waits for. */
  _missing: number;
  /** The entry whose content it reads. */
  readonly _stream: unknown;
  /** Whether it reads the content of a header. */
  readonly _longHeader: boolean;
  _final(done: (error: Error | null) => void): void;
}

/**
 * Lets an archive end right behind the content of its last file, without padding and end, as Go's reader does. The Docker CLI sends one
 * such for `docker build --file` with a file outside of the context. One that is cut off within a file or a header stays an error.
 */
export function allowMissingPadding(tar: Extract): void {
  const parser = tar as Extract & Parser;
  const final = parser._final.bind(tar);
  parser._final = (done) => {
    if (parser._stream === null && !parser._longHeader) parser._missing = 0;
    final(done);
  };
}
