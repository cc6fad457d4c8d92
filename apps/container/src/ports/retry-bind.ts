import type { PortAssignment } from "@berth/port-spec";
import { closeAll, type Held, holdAll } from "./held-ports.ts";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

/** Host ports that another program took while nobody held them. */
export interface Wanted {
  readonly assignments: () => readonly PortAssignment[];
  /** Calls it off; settles when nothing is tried any more. */
  stop(): Promise<void>;
}

/** Tries to hold the ports again, after ever longer whiles, until each of them is; `onHeld` gets them as they come. */
export function holdAgain(wanted: readonly PortAssignment[], onHeld: (held: readonly Held[]) => void): Wanted {
  let left = wanted;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let trying = Promise.resolve();
  const attempt = async (delayMs: number): Promise<void> => {
    const { held, refused } = await holdAll(left);
    if (stopped) return closeAll(held);
    left = refused.map(({ assignment }) => assignment);
    if (held.length > 0) onHeld(held);
    if (left.length > 0) later(Math.min(delayMs * 2, LONGEST_DELAY_MS));
  };
  const later = (delayMs: number): void => {
    timer = setTimeout(() => {
      trying = attempt(delayMs);
    }, delayMs);
  };
  if (left.length > 0) later(FIRST_DELAY_MS);
  return {
    assignments: () => left,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await trying;
    },
  };
}
