import type { ContainerId } from "../../engine/ids.ts";
import { containerEvent } from "../records/container-event.ts";
import { joinedNetworks } from "../records/joined-networks.ts";
import { membershipEvent } from "../records/network-event.ts";
import { restartDelay, restartsAfterExit } from "../records/restart-policy.ts";
import type { Exit } from "../records/runtime.ts";
import { exited, restarting } from "../records/state.ts";
import { volumeEvents } from "../records/volume-event.ts";
import type { RestartContext } from "./contexts.ts";
import { releaseHost } from "./host-resources.ts";
import { removeStopped } from "./remove.ts";
import { restartByPolicy } from "./restart-by-policy.ts";

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
    const { registry, supervisor, log } = context;
    const before = registry.get(id);
    if (!before) return;
    const left = joinedNetworks(context, id);
    try {
      await releaseHost(context, id);
    } catch (fault) {
      // The process is gone in any case, so record the exit; the next start, removal or boot releases the rest.
      log.error({ container: id, err: fault }, "failed to release resources of exited container");
    }
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
    const after = await registry.update(
      id,
      (container) => ({
        ...container,
        state: again ? restarting(container.state, exit) : exited(container.state, exit),
      }),
      // Removals and restarts continue after the process ends, so their intent stays.
      intent === "remove" || intent === "restart" ? undefined : "done",
    );
    containerEvent(context, after, "die", { exitCode: String(exit.exitCode) });
    for (const network of left) membershipEvent(context, network, "disconnect", after);
    volumeEvents(context, after, "unmount");
    if (again) {
      const ranForMs = Date.parse(exit.exitedAt) - Date.parse(before.state.startedAt ?? exit.exitedAt);
      supervisor.restartLater(id, restartDelay(before.restartCount, ranForMs), () => restartByPolicy(context, id));
    } else if (after.hostConfig.AutoRemove && !policyExempt.has(id)) {
      // Emit the exit before the removal: `wait` with `removed` needs both.
      setImmediate(() => {
        removeStopped(context, id, { volumes: true }).catch((fault: unknown) =>
          log.error({ container: id, err: fault }, "failed to remove exited container"),
        );
      });
    }
  });
}
