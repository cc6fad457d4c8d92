import { ownAction } from "../../engine/action.ts";
import { isEngineError, isOutage } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { PortRights } from "../../policy/containers.ts";
import type { Container } from "../records/container.ts";
import type { RestartContext } from "./contexts.ts";
import { admit, bringUp } from "./start.ts";

/** How long a restart waits for a directory, a database or a runtime that does not answer, or for room on the disk. */
const TRY_AGAIN_MS = 5_000;

/**
 * Decides for the owner, who sends no request now. Without a directory token nobody can be asked, and the last decision holds. Throws
 * `forbidden`, and `unavailable` if nobody can tell yet.
 */
async function admitOwner(context: RestartContext, container: Container): Promise<PortRights | undefined> {
  const actor = container.owner === undefined ? undefined : await context.askOwner(container.owner);
  return actor && (await admit(context, actor, container));
}

/**
 * Starts a container without a request: by its policy, at boot, or to finish a restart that a crash cut off. Its owner must be
 * permitted to run it now; until that can be found out and it can be started, the container is `restarting`. The caller holds its lock.
 * Throws what a start throws that would fail again.
 */
export async function bringUpAgain(context: RestartContext, id: ContainerId): Promise<"started" | "waiting"> {
  const { registry, supervisor, log } = context;
  const container = registry.get(id);
  if (container === undefined) return "waiting";
  try {
    await bringUp(context, id, await admitOwner(context, container));
    return "started";
  } catch (thrown) {
    if (!isOutage(thrown)) throw thrown;
    log.warn({ container: id, err: thrown }, "restart waits until it can be done");
  }
  await registry.observe(id, (before) => ({ ...before, state: { ...before.state, status: "restarting" } }));
  supervisor.later(id, TRY_AGAIN_MS, () => restartByPolicy(context, id));
  return "waiting";
}

/** Runs the restart that a container waits for, unless a client called it off. */
export function restartByPolicy(context: RestartContext, id: ContainerId): void {
  const { locks, registry, actions, log } = context;
  const restarting = locks.hold(id, async () => {
    if (registry.get(id)?.state.status !== "restarting") return;
    // Only restarts by policy count.
    const more = registry.intentOf(id)?.kind === "restart" ? 0 : 1;
    try {
      if ((await bringUpAgain(context, id)) === "waiting") return;
      await registry.observe(id, (before) => ({ ...before, restartCount: before.restartCount + more }));
    } catch (fault) {
      log.warn({ container: id, err: fault }, "failed to restart container");
      const error = isEngineError(fault) ? fault.message : undefined;
      const container = registry.get(id);
      if (container !== undefined && isEngineError(fault, "forbidden"))
        actions.record(ownAction("container.start", container, { outcome: "refused", reason: fault.message }));
      await registry.observe(id, (before) => ({
        ...before,
        state: { ...before.state, status: "exited", error: error ?? before.state.error },
      }));
    }
  });
  restarting.catch((fault: unknown) => log.error({ container: id, err: fault }, "failed to persist restart"));
}
