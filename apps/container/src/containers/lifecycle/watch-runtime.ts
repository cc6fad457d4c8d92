import type { ContainerId } from "../../engine/ids.ts";
import type { Context } from "../context.ts";
import { containerEvent } from "../records/container-event.ts";
import type { RuntimeEvent } from "../records/runtime.ts";

async function record(
  context: Pick<Context, "registry" | "events" | "log">,
  shown: Map<ContainerId, string>,
  event: RuntimeEvent,
): Promise<void> {
  const { registry, log } = context;
  const { id } = event;
  if (registry.get(id) === undefined) return;
  if (event.kind === "oom") {
    const killed = await registry.update(id, (before) => ({ ...before, state: { ...before.state, oomKilled: true } }));
    containerEvent(context, killed, "oom");
    return;
  }
  const error = event.kind === "unresponsive" ? event.reason : "";
  const ours = shown.get(id);
  if (event.kind === "unresponsive") {
    shown.set(id, error);
    log.warn({ container: id, reason: error }, "container does not answer");
  } else shown.delete(id);
  await registry.update(id, (before) =>
    // Keep the error of a failed start.
    before.state.error === "" || before.state.error === ours
      ? { ...before, state: { ...before.state, error } }
      : before,
  );
}

/**
 * Records runtime events until the signal aborts: OOM kills (moby `EventOOM`) and unresponsive containers, which inspect shows as
 * `State.Error`.
 */
export async function watchRuntime(
  context: Pick<Context, "registry" | "runtime" | "events" | "log">,
  signal: AbortSignal,
): Promise<void> {
  const fault = (thrown: unknown) => context.log.error({ err: thrown }, "failed to record a runtime event");
  const shown = new Map<ContainerId, string>();
  try {
    // The exit follows immediately and does not wait for this, so this must not wait either.
    for await (const event of context.runtime.events(signal)) record(context, shown, event).catch(fault);
  } catch (thrown) {
    if (!signal.aborted) fault(thrown);
  }
}
