import type { EngineErrorKind } from "../engine/errors.ts";

/**
 * What the exit codes of `native/pin` say of the part of a source: it leads out of the source, it is missing, or it is none for another
 * reason.
 */
export const PART_FAULTS: ReadonlyMap<unknown, EngineErrorKind> = new Map([
  [4, "invalid"],
  [5, "not-found"],
  [6, "invalid"],
]);
