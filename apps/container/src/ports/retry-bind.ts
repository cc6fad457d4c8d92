import type { PortAssignment } from "@berth/port-spec";
import { closeAll, type Held, holdAll } from "./held-ports.ts";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

/** Leased host ports that another program holds. */
export interface MissingPorts {
  readonly assignments: () => readonly PortAssignment[];
  /** Stops the retries; settles when none is in progress. */
  stop(): Promise<void>;
}

/** Retries to bind the ports, with a growing delay; calls `onHeld` with each port that it binds. */
export function retryBind(missing: readonly PortAssignment[], onHeld: (held: readonly Held[]) => void): MissingPorts {
  let left = missing;
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
