import { constants } from "node:os";
import { EngineError } from "../../engine/errors.ts";

export const SIGKILL = 9;

const REAL_TIME_MINIMUM = 34;
const REAL_TIME_MAXIMUM = 64;

/**
 * The number of a signal given by name (any case, with or without `SIG`) or number (without); `RTMIN+n` and `RTMAX-n` as in moby.
 * Throws `invalid` with Docker's message.
 */
export function signalNumber(signal: string): number {
  const number = parseSignal(signal);
  if (number === undefined) throw new EngineError("invalid", `invalid signal: ${signal}`);
  return number;
}

/** Whether `signalNumber` accepts it. */
export function isSignal(signal: string): boolean {
  return parseSignal(signal) !== undefined;
}

function parseSignal(signal: string): number | undefined {
  const name = signal.toUpperCase().replace(/^SIG/, "");
  const realTime = /^RT(MIN|MAX)(?:([+-])([0-9]+))?$/.exec(name);
  const number = /^[0-9]+$/.test(signal)
    ? Number(signal)
    : realTime
      ? (realTime[1] === "MIN" ? REAL_TIME_MINIMUM : REAL_TIME_MAXIMUM) +
        Number(`${realTime[2] ?? "+"}${realTime[3] ?? 0}`)
      : (constants.signals as Readonly<Record<string, number>>)[`SIG${name}`];
  return number === undefined || number < 1 || number > REAL_TIME_MAXIMUM ? undefined : number;
}
