import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** When a ping began, and how long it took, in milliseconds. */
interface Ping {
  readonly at: number;
  readonly took: number;
}

/** An administrator's pings from a process of its own. */
export interface Pings {
  /** How long the pings took that began in this span of `Date.now()`, the shortest first. */
  between(from: number, to: number): readonly number[];
  close(): Promise<void>;
}

/** Settles after the first ping. */
export async function startPings(socket: string): Promise<Pings> {
  const pings: Ping[] = [];
  const child: ChildProcess = fork(join(import.meta.dirname, "pinger.mjs"), [socket]);
  child.on("message", (ping: Ping) => void pings.push(ping));
  await once(child, "message");
  return {
    between: (from, to) =>
      pings
        .filter(({ at }) => at >= from && at < to)
        .map(({ took }) => took)
        .sort((one, other) => one - other),
    close: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

/** A line on how long calls took; `took` is sorted. */
export function shownTimes(name: string, took: readonly number[]): string {
  const at = (share: number) => (took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0).toFixed(1);
  return `${name}: ${took.length} calls, median ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)} ms`;
}
