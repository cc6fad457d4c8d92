import { posix } from "node:path";
import { EngineError } from "../../engine/errors.ts";

const LONGEST = 4096;

function endsInDot(path: string): boolean {
  return /(^|\/)\.\/*$/.test(path);
}

/**
 * Cleans a client's path and makes it absolute. Keeps a trailing `/` or `/.`, which asks to follow a link
 * (moby `PreserveTrailingDotOrSeparator`). Throws `invalid` for an impossible path.
 */
export function containerPath(path: string): string {
  if (path.includes("\0")) throw new EngineError("invalid", "bad parameter: path contains a NUL");
  if (Buffer.byteLength(path) >= LONGEST)
    throw new EngineError("invalid", `bad parameter: path is longer than ${LONGEST - 1} bytes`);
  const clean = posix.join("/", path).replace(/(.)\/$/, "$1");
  const slash = clean === "/" ? clean : `${clean}/`;
  if (endsInDot(path)) return path.endsWith("/") ? `${slash}./` : `${slash}.`;
  return path.endsWith("/") ? slash : clean;
}

/** Go's `filepath.Base` of a path from `containerPath`: `.` for a trailing `/.`, `/` for the root. */
export function baseOf(path: string): string {
  return path.replace(/(.)\/+$/, "$1").replace(/^.*\/(?=.)/, "");
}
