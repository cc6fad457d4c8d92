import { channel } from "node:diagnostics_channel";
import type { Kind } from "@berth/directory-domain";
import type { ContainerId } from "./ids.ts";

/** A message that others may listen to, over one of Node's diagnostics channels; it costs nothing where nobody does. */
export interface Told<Message> {
  tell(message: () => Message): void;
  /** @returns ends it. */
  listen(listener: (message: Message) => void): () => void;
}

function told<Message>(name: string): Told<Message> {
  const over = channel(name);
  return {
    tell(message) {
      if (over.hasSubscribers) over.publish(message());
    },
    listen(listener) {
      const receive = (message: unknown) => listener(message as Message);
      over.subscribe(receive);
      return () => void over.unsubscribe(receive);
    },
  };
}

/**
 * What takes the time of a start: writing its intent, the namespace with its networks, the host ports, the process, the forwarding, and
 * writing that it runs. `network` and `ports` overlap, and so do `process` and `publish`.
 */
export type StartStep = "intent" | "network" | "ports" | "process" | "publish" | "record";

/** A step of a start that ended, well or not; times are of `performance.now`. */
export const START_STEPS = told<{
  readonly step: StartStep;
  readonly containerId: ContainerId;
  readonly begun: number;
  readonly ended: number;
}>("berth:start-step");

/** A decision on a user's request: what was decided on, and how. */
export const DECISIONS = told<{ readonly kind: Kind | "subject"; readonly outcome: "allow" | "refuse" }>(
  "berth:decision",
);

/** A question to the directory that was answered, or not. */
export const DIRECTORY_ANSWERS = told<{ readonly outcome: "answer" | "none"; readonly seconds: number }>(
  "berth:directory",
);

/** Does a step of a start, and tells how long it took. */
export async function startStep<T>(step: StartStep, containerId: ContainerId, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  try {
    return await work();
  } finally {
    START_STEPS.tell(() => ({ step, containerId, begun, ended: performance.now() }));
  }
}
