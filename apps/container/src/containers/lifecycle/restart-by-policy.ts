import { isEngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { PermittedPorts } from "../../policy/containers.ts";
import type { Container } from "../records/container.ts";
import type { RestartContext } from "./contexts.ts";
import { admit, bringUp } from "./start.ts";

/** How long a restart waits for a directory that does not answer, or for room on the disk, before it asks again. */
const ASK_AGAIN_MS = 5_000;

interface Admission {
  readonly permitted: PermittedPorts;
}

/**
 * Decides for the owner, who sends no request now; undefined if nobody can tell yet. Without a directory token nobody can be asked, and
 * the last decision holds. Throws `forbidden`.
 */
async function admitOwner(context: RestartContext, container: Container): Promise<Admission | undefined> {
  try {
    const actor = container.owner === undefined ? undefined : await context.askOwner(container.owner);
    return { permitted: actor && (await admit(context, actor, container)) };
  } catch (thrown) {
    if (!isEngineError(thrown, "unavailable") && !isEngineError(thrown, "full")) throw thrown;
    context.log.warn({ container: container.id, err: thrown }, "restart waits for a decision");
    return undefined;
  }
}

/**
 * Starts a container without a request: by its policy, at boot, or to finish a restart that a crash cut off. Its owner must be
 * permitted to run it now; until that can be found out, the container is `restarting`. The caller holds its lock. Throws what a start
 * throws.
 */
export async function bringUpAgain(context: RestartContext, id: ContainerId): Promise<"started" | "waiting"> {
  const { registry, supervisor } = context;
  const container = registry.get(id);
  const admission = container && (await admitOwner(context, container));
  if (admission !== undefined) {
    await bringUp(context, id, admission.permitted);
    return "started";
  }
  await registry.update(id, (before) => ({ ...before, state: { ...before.state, status: "restarting" } }));
  supervisor.restartLater(id, ASK_AGAIN_MS, () => restartByPolicy(context, id));
  return "waiting";
}

/** Runs the restart that a container waits for, unless a client called it off. */
export function restartByPolicy(context: RestartContext, id: ContainerId): void {
  const { locks, registry, log } = context;
  const restarting = locks.hold(id, async () => {
    if (registry.get(id)?.state.status !== "restarting") return;
    // Only restarts by policy count.
    const more = registry.intentOf(id)?.kind === "restart" ? 0 : 1;
    try {
      if ((await bringUpAgain(context, id)) === "waiting") return;
      await registry.update(id, (before) => ({ ...before, restartCount: before.restartCount + more }));
    } catch (fault) {
      log.warn({ container: id, err: fault }, "failed to restart container");
      const error = isEngineError(fault) ? fault.message : undefined;
      await registry.update(id, (before) => ({
        ...before,
        state: { ...before.state, status: "exited", error: error ?? before.state.error },
      }));
    }
  });
  restarting.catch((fault: unknown) => log.error({ container: id, err: fault }, "failed to persist restart"));
}
