import type { ContainerId } from "../../engine/ids.ts";
import type { Context } from "../context.ts";
import { containerEvent } from "../records/container-event.ts";

async function record(context: Context, id: ContainerId): Promise<void> {
  if (context.registry.get(id) === undefined) return;
  const killed = await context.registry.update(id, (before) => ({
    ...before,
    state: { ...before.state, oomKilled: true },
  }));
  containerEvent(context, killed, "oom");
}

/** Writes down, and tells, of which containers the kernel killed a process for memory; until the signal (moby `EventOOM`). */
export async function watchMemory(context: Context, signal: AbortSignal): Promise<void> {
  const fault = (thrown: unknown) => context.log.error({ err: thrown }, "a kill for memory could not be written down");
  try {
    // The end of the process comes right behind, and waits for nothing: neither does this.
    for await (const { id } of context.runtime.events(signal)) record(context, id).catch(fault);
  } catch (thrown) {
    if (!signal.aborted) fault(thrown);
  }
}
