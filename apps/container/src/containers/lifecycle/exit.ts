import { isOutage } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { containerEvent } from "../records/container-event.ts";
import { joinedNetworks } from "../records/joined-networks.ts";
import { membershipEvent } from "../records/network-event.ts";
import { restartDelay, restartsAfterExit } from "../records/restart-policy.ts";
import type { Exit } from "../records/runtime.ts";
import { exited, restarting } from "../records/state.ts";
import { volumeEvents } from "../records/volume-event.ts";
import type { RestartContext } from "./contexts.ts";
import { releaseInAnyCase } from "./host-resources.ts";
import { removeStopped } from "./remove.ts";
import { restartByPolicy } from "./restart-by-policy.ts";

/** How soon a removal that a full disk or an absent database refused is tried again. */
const OUTAGE_RETRY_MS = 5_000;

/** Removes an `AutoRemove` container that ended; while the disk is full or the database away, again and again. */
function removeEnded(context: RestartContext, id: ContainerId): void {
  removeStopped(context, id, { volumes: true }).catch((fault: unknown) => {
    context.log.error({ container: id, err: fault }, "failed to remove exited container");
    if (isOutage(fault)) context.supervisor.later(id, OUTAGE_RETRY_MS, () => removeEnded(context, id));
  });
}

/**
 * Handles the exit of a container's process: releases its ports and sandbox, records the exit, then restarts or removes the container
 * by its policy, unless it is in `policyExempt`. Waiters are notified afterwards, so a published port is free by then.
 */
export function handleExit(
  context: RestartContext,
  policyExempt: ReadonlySet<ContainerId>,
  id: ContainerId,
  exit: Exit,
): Promise<void> {
  return context.locks.hold(id, async () => {
    const { registry } = context;
    const before = registry.get(id);
    if (!before) return;
    const left = joinedNetworks(context, id);
    await releaseInAnyCase(context, id);
    const intent = registry.intentOf(id)?.kind;
    const again =
      !policyExempt.has(id) &&
      // The client that asked for the restart is gone after a crash, so the restart runs in the background like one by policy.
      (intent === "restart" ||
        restartsAfterExit(before.hostConfig.RestartPolicy, {
          ...exit,
          restartCount: before.restartCount,
          stoppedByUser: before.stoppedByUser,
        }));
    const after = await registry.observe(
      id,
      (container) => ({
        ...container,
        state: again ? restarting(container.state, exit) : exited(container.state, exit),
      }),
      // Removals and restarts continue after the process ends, so their intent stays.
      intent === "remove" || intent === "restart" ? undefined : "done",
    );
    const ranMs = Date.parse(exit.exitedAt) - Date.parse(after.state.startedAt ?? exit.exitedAt);
    const execDuration = String(Math.max(0, Math.floor(ranMs / 1000)));
    containerEvent(context, after, "die", { exitCode: String(exit.exitCode), execDuration });
    for (const network of left) membershipEvent(context, network, "disconnect", after);
    volumeEvents(context, after, "unmount");
    if (again) {
      const ranForMs = Date.parse(exit.exitedAt) - Date.parse(before.state.startedAt ?? exit.exitedAt);
      context.supervisor.later(id, restartDelay(before.restartCount, ranForMs), () => restartByPolicy(context, id));
    } else if (after.hostConfig.AutoRemove && !policyExempt.has(id)) {
      // Emit the exit before the removal: `wait` with `removed` needs both.
      setImmediate(() => removeEnded(context, id));
    }
  });
}
