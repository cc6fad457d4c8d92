import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { RuntimeEvent } from "../../../containers/records/runtime.ts";
import { isEngineError } from "../../../engine/errors.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import type { EventService } from "../client/events.ts";
import { decodeAny } from "../client/protos.ts";
import type { Answers } from "./answers.ts";

/** Out-of-memory kills until the signal, over restarts of the daemon. */
async function* oomEvents(events: EventService, signal: AbortSignal): AsyncGenerator<RuntimeEvent> {
  while (!signal.aborted) {
    try {
      for await (const { event } of events.subscribe("/tasks/oom", { signal })) {
        const oom = event === null ? undefined : decodeAny(event, "containerd.events.TaskOOM");
        if (oom !== undefined) yield { kind: "oom", id: oom.containerId as ContainerId };
      }
    } catch (thrown) {
      if (signal.aborted) return;
      if (!isEngineError(thrown, "unavailable")) throw thrown;
      await delay(100, undefined, { signal }).catch(() => {});
    }
  }
}

/** Out-of-memory kills, and containers whose calls go unanswered or are answered again, until the signal. */
export async function* runtimeEvents(
  events: EventService,
  answers: Answers,
  signal: AbortSignal,
): AsyncGenerator<RuntimeEvent> {
  const queue: RuntimeEvent[] = [];
  const wake = new EventTarget();
  const push = (event: RuntimeEvent) => {
    queue.push(event);
    wake.dispatchEvent(new Event("event"));
  };
  const leaving = new AbortController();
  const until = AbortSignal.any([signal, leaving.signal]);
  let fault: unknown;
  const forward = async () => {
    for await (const event of oomEvents(events, until)) push(event);
  };
  const forwarding = forward().catch((thrown: unknown) => {
    fault = thrown;
    wake.dispatchEvent(new Event("event"));
  });
  const ignore = answers.listen(push);
  try {
    while (!signal.aborted) {
      const event = queue.shift();
      if (event !== undefined) yield event;
      else if (fault !== undefined) throw fault;
      else await once(wake, "event", { signal }).catch(() => {});
    }
  } finally {
    ignore();
    leaving.abort();
    await forwarding;
  }
}
