import type { ContainerId } from "../../engine/ids.ts";
import type { Context } from "../context.ts";
import { containerEvent } from "../records/container-event.ts";
import { membershipEvent } from "../records/network-event.ts";
import { restartDelay, restartsAfterExit } from "../records/restart-policy.ts";
import type { Exit } from "../records/runtime.ts";
import { exited, restarting } from "../records/state.ts";
import { volumeEvents } from "../records/volume-event.ts";
import { removeStopped } from "./remove.ts";
import { bringUp, releaseHost } from "./start.ts";

/** Containers under `restart`: their exit neither removes them nor starts them by policy. */
export type Held = ReadonlySet<ContainerId>;

function restart(
  context: Pick<
    Context,
    | "registry"
    | "locks"
    | "supervisor"
    | "health"
    | "runtime"
    | "networks"
    | "ports"
    | "volumes"
    | "files"
    | "events"
    | "clock"
    | "log"
  >,
  id: ContainerId,
): Promise<void> {
  return context.locks.hold(id, async () => {
    if (context.registry.get(id)?.state.status !== "restarting") return;
    // Only what the policy starts counts.
    const more = context.registry.intentOf(id)?.kind === "restart" ? 0 : 1;
    try {
      await bringUp(context, id);
      await context.registry.update(id, (before) => ({ ...before, restartCount: before.restartCount + more }));
    } catch (fault) {
      context.log.warn({ container: id, err: fault }, "the restart that the policy asks for failed");
      await context.registry.update(id, (before) => ({ ...before, state: { ...before.state, status: "exited" } }));
    }
  });
}

/**
 * What an exit asks for: the ports and the sandbox go back, the row says how it ended, then the policy restarts or the container
 * removes itself. Whoever waits hears after this, so a port that was published is free by then.
 */
export function handleExit(
  context: Pick<
    Context,
    | "registry"
    | "locks"
    | "supervisor"
    | "health"
    | "runtime"
    | "networks"
    | "ports"
    | "volumes"
    | "files"
    | "events"
    | "clock"
    | "log"
  >,
  held: Held,
  id: ContainerId,
  exit: Exit,
): Promise<void> {
  return context.locks.hold(id, async () => {
    const { registry, supervisor, log } = context;
    const before = registry.get(id);
    if (!before) return;
    const left =
      context.networks.sandboxOf(id)?.endpoints.map(({ networkId }) => context.networks.get(networkId)) ?? [];
    try {
      await releaseHost(context, id);
    } catch (fault) {
      // The process has ended whatever this says: the row tells so, and the next start, removal or boot gives back the rest.
      log.error({ container: id, err: fault }, "what an ended container held could not be given back");
    }
    const intent = registry.intentOf(id)?.kind;
    const again =
      !held.has(id) &&
      // Nobody who asked for a restart waits any more after a crash: it is finished as one by policy is.
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
      // A removal and a restart go on behind the end of the process.
      intent === "remove" || intent === "restart" ? undefined : "done",
    );
    containerEvent(context, after, "die", { exitCode: String(exit.exitCode) });
    for (const network of left) membershipEvent(context, network, "disconnect", after);
    volumeEvents(context, after, "unmount");
    if (again) {
      const ranForMs = Date.parse(exit.exitedAt) - Date.parse(before.state.startedAt ?? exit.exitedAt);
      supervisor.restartLater(id, restartDelay(before.restartCount, ranForMs), () => {
        restart(context, id).catch((fault: unknown) =>
          log.error({ container: id, err: fault }, "a restart could not be written down"),
        );
      });
    } else if (after.hostConfig.AutoRemove && !held.has(id)) {
      // The exit is told first, the removal after it: `wait` with `removed` needs both.
      setImmediate(() => {
        removeStopped(context, id, { volumes: true }).catch((fault: unknown) =>
          log.error({ container: id, err: fault }, "a container that ended could not be removed"),
        );
      });
    }
  });
}
