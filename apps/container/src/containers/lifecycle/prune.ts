import type { Actor } from "../../engine/actor.ts";
import { EngineError, isEngineError } from "../../engine/errors.ts";
import { type Filters, labelsPass, requireKnownFilters } from "../../engine/filters.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { earliest, parseMoment } from "../../engine/moment.ts";
import type { Context } from "../context.ts";
import type { Container } from "../records/container.ts";
import type { RemoveContext } from "./contexts.ts";
import { removeStopped } from "./remove.ts";

function moment(until: string, nowMs: number): number {
  const parsed = parseMoment(until, nowMs);
  if (parsed === undefined)
    throw new EngineError(
      "invalid",
      `invalid filter 'until=${until}': want a moment such as 2026-01-31T00:00:00Z or a duration such as 24h`,
    );
  return parsed;
}

/** Builds the predicate that selects stopped containers for prune. Throws `invalid` for a filter that Docker does not support. */
function pruneFilter(filters: Filters, nowMs: number): (container: Container) => boolean {
  requireKnownFilters(filters, ["label", "label!", "until"]);
  const until = earliest((filters.get("until") ?? []).map((value) => moment(value, nowMs)));
  return ({ config, createdAt }) => labelsPass(filters, config.Labels) && Date.parse(createdAt) < until;
}

function isDown({ state }: Container): boolean {
  return state.status === "created" || state.status === "exited" || state.status === "dead";
}

/** `POST /containers/prune`: removes stopped containers; a user's prune covers only that user's. Skips a container started in between. */
export async function pruneContainers(
  context: RemoveContext & Pick<Context, "clock">,
  actor: Actor,
  filters: Filters,
): Promise<{ readonly deleted: readonly ContainerId[]; readonly spaceReclaimed: number }> {
  const nowMs = Date.parse(context.clock.now());
  const passes = pruneFilter(filters, nowMs);
  const deleted: ContainerId[] = [];
  let spaceReclaimed = 0;
  for (const container of context.registry.visible(actor).filter((found) => isDown(found) && passes(found))) {
    try {
      const { writable } = await context.runtime.usage(container.id);
      await removeStopped(context, container.id, { volumes: false });
      deleted.push(container.id);
      spaceReclaimed += writable;
    } catch (thrown) {
      if (!isEngineError(thrown, "conflict")) throw thrown;
    }
  }
  return { deleted, spaceReclaimed };
}
