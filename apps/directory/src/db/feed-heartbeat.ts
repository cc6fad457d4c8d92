import { randomUUID } from "node:crypto";

const BEAT_MS = 300;
const HEARD_MS = 1_000;

/** Whether this service hears what others on its database announce. */
export interface Hearing {
  /** Takes a payload that is a beat, of whichever service; false for an announcement. */
  takes(payload: string): boolean;
  /** Announcements were missed: nothing is proved until the next beat. */
  missed(): void;
  /** Whether every change that was committed more than a second ago has been announced here. */
  isHearing(): boolean;
  stop(): void;
}

/**
 * Sends beats through the channel of the announcements. Postgres delivers what is notified in the order of its commits, so whoever hears its own
 * beat has heard of every change from before it was sent.
 * @param send notifies the channel.
 */
export function startHeartbeat(send: (payload: string) => Promise<unknown>): Hearing {
  const own = randomUUID();
  let heardUntil = Number.NEGATIVE_INFINITY;
  let isSending = false;
  const beat = async () => {
    if (isSending) return;
    isSending = true;
    // A beat that can't be sent is one that is not heard.
    await send(JSON.stringify({ beat: own, at: performance.now() })).catch(() => {});
    isSending = false;
  };
  const timer = setInterval(beat, BEAT_MS);
  void beat();
  return {
    takes(payload) {
      if (!payload.startsWith('{"beat":')) return false;
      const { beat: from, at } = JSON.parse(payload) as { readonly beat: string; readonly at: number };
      if (from === own) heardUntil = at;
      return true;
    },
    missed() {
      heardUntil = Number.NEGATIVE_INFINITY;
    },
    isHearing: () => performance.now() - heardUntil < HEARD_MS,
    stop: () => clearInterval(timer),
  };
}
