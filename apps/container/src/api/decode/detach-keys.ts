import { Transform } from "node:stream";
import { EngineError } from "../../engine/errors.ts";

/** `ctrl-p,ctrl-q`: detaches from a terminal without ending its process. */
const DEFAULT_SEQUENCE = Buffer.from([16, 17]);

function controlKey(key: string): number | undefined {
  const symbol = /^ctrl-([a-z@[\\\]^_])$/.exec(key)?.[1];
  // A control character is its letter without bit 6, also for `@[\]^_`.
  return symbol === undefined ? undefined : symbol.toUpperCase().charCodeAt(0) & 0x1f;
}

/**
 * Parses `detachKeys`: keys separated by commas, each a character or `ctrl-` and one of `a`–`z`, `@`, `[`, `\`, `]`, `^`, `_`.
 * Empty means Docker's default. Throws `invalid`.
 */
export function parseDetachKeys(text: string): Buffer {
  if (text === "") return DEFAULT_SEQUENCE;
  return Buffer.from(
    text.split(",").map((key) => {
      const code = controlKey(key) ?? (key.length === 1 && key.charCodeAt(0) < 128 ? key.charCodeAt(0) : undefined);
      if (code === undefined) {
        throw new EngineError("invalid", `Invalid escape keys (${text}) provided: Unknown character: '${key}'`);
      }
      return code;
    }),
  );
}

/**
 * Passes terminal input on until `sequence` is typed, then calls `detach` and discards the rest. Keys of an incomplete sequence are
 * passed on.
 */
export function detachOn(sequence: Buffer, detach: () => void): Transform {
  let matched = 0;
  let detached = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const passed: number[] = [];
      for (const byte of chunk) {
        if (detached) break;
        if (byte === sequence[matched]) {
          matched += 1;
          detached = matched === sequence.byteLength;
          continue;
        }
        passed.push(...sequence.subarray(0, matched));
        matched = byte === sequence[0] ? 1 : 0;
        if (matched === 0) passed.push(byte);
      }
      if (passed.length > 0) this.push(Buffer.from(passed));
      if (detached) detach();
      done();
    },
  });
}
