import { ownAction } from "../../engine/action.ts";
import { isEngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { assertStorageAllowed } from "../../policy/containers.ts";
import type { Context } from "../context.ts";
import type { StorageMeasure } from "./storage.ts";

/** A round takes at most one part in so many of the time, at idle priority, and comes no more often and no less than this. */
const REST_FACTOR = 50;
const SHORTEST_REST_MS = 5_000;
const LONGEST_REST_MS = 300_000;

type GuardContext = Pick<Context, "askOwner" | "actions" | "log"> & {
  readonly registry: Pick<Context["registry"], "get">;
  readonly storage: StorageMeasure;
  /** Stops a container as a request would: its restart policy does not start it again. */
  readonly stop: (id: ContainerId) => Promise<unknown>;
};

/** Why the owner may not write at all now; undefined if it may, or if nobody can tell. */
async function reasonAgainst({ storage, askOwner }: GuardContext, owner: string): Promise<string | undefined> {
  try {
    await storage.assertRoom();
    const actor = await askOwner(owner);
    if (actor?.kind === "user") assertStorageAllowed(actor, storage.of(owner));
    return undefined;
  } catch (thrown) {
    if (isEngineError(thrown, "full") || isEngineError(thrown, "forbidden")) return thrown.message;
    if (isEngineError(thrown, "unavailable")) return undefined;
    throw thrown;
  }
}

/**
 * Measures every owner whose use may have changed, and stops the containers that wrote since the last round where their owner is over
 * its quota or the disk is down to its reserve. Others of that owner go on.
 */
export async function guardStorage(context: GuardContext): Promise<void> {
  for (const owner of context.storage.changing()) {
    const writers = await context.storage.measure(owner);
    const reason = writers.length === 0 ? undefined : await reasonAgainst(context, owner);
    if (reason === undefined) continue;
    for (const id of writers) {
      context.log.warn({ container: id, owner, reason }, "stopping a container that fills the disk");
      try {
        await context.stop(id);
        const container = context.registry.get(id);
        if (container !== undefined)
          context.actions.record(ownAction("container.stop", container, { outcome: "done", reason }));
      } catch (fault) {
        context.log.warn({ container: id, err: fault }, "failed to stop a container that fills the disk");
      }
    }
  }
}

/** Runs {@link guardStorage} again and again until it is called. */
export function keepGuarding(context: GuardContext): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const round = async (): Promise<void> => {
    const before = performance.now();
    await guardStorage(context).catch((fault: unknown) => {
      context.log.error({ err: fault }, "failed to guard storage");
    });
    if (isClosed) return;
    const rest = (performance.now() - before) * REST_FACTOR;
    timer = setTimeout(
      () => {
        running = round();
      },
      Math.min(Math.max(rest, SHORTEST_REST_MS), LONGEST_REST_MS),
    ).unref();
  };
  let running = round();
  return async () => {
    isClosed = true;
    clearTimeout(timer);
    await running;
  };
}
