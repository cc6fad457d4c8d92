import { setTimeout as delay } from "node:timers/promises";
import type { RuntimeEvent } from "../../../containers/records/runtime.ts";
import { isEngineError } from "../../../engine/errors.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import type { Containerd } from "../client/client.ts";

/** Out-of-memory kills until the signal, over restarts of the daemon. */
export async function* oomEvents({ events }: Containerd, signal: AbortSignal): AsyncGenerator<RuntimeEvent> {
  while (!signal.aborted) {
    try {
      for await (const { event } of events.subscribe("/tasks/oom", { signal })) {
        const id = (event as { readonly containerId?: string } | undefined)?.containerId;
        if (id !== undefined) yield { kind: "oom", id: id as ContainerId };
      }
    } catch (thrown) {
      if (signal.aborted) return;
      if (!isEngineError(thrown, "unavailable")) throw thrown;
      await delay(100, undefined, { signal }).catch(() => {});
    }
  }
}
