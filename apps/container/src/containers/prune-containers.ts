import { EngineError, isEngineError } from "../errors.ts";
import { parseMoment } from "../images/moment.ts";
import type { Actor } from "../policy/actor.ts";
import { type Filters, holdsLabel } from "../wire/filters.ts";
import type { Container, ContainerId } from "./container.ts";
import type { Context } from "./context.ts";
import { removeStopped } from "./remove-container.ts";

const moment = (until: string, nowMs: number): number => {
  const parsed = parseMoment(until, nowMs);
  if (parsed === undefined)
    throw new EngineError(
      "invalid",
      `Invalid filter 'until=${until}': want a moment such as 2026-01-31T00:00:00Z or a duration such as 24h`,
    );
  return parsed;
};

const passes = (container: Container, filters: Filters, nowMs: number): boolean => {
  for (const [key, values] of filters) {
    if (key === "label") {
      if (!values.every((value) => holdsLabel(container.config.Labels, value))) return false;
    } else if (key === "label!") {
      if (values.some((value) => holdsLabel(container.config.Labels, value))) return false;
    } else if (key === "until") {
      if (!values.every((value) => Date.parse(container.createdAt) < moment(value, nowMs))) return false;
    } else throw new EngineError("invalid", `Invalid filter '${key}'`);
  }
  return true;
};

const isDown = ({ state }: Container): boolean =>
  state.status === "created" || state.status === "exited" || state.status === "dead";

/** `POST /containers/prune`: removes what does not run, the actor's own where it is a user. One that is started meanwhile stays. */
export const pruneContainers = async (
  context: Context,
  actor: Actor,
  filters: Filters,
): Promise<{ readonly deleted: readonly ContainerId[]; readonly spaceReclaimed: number }> => {
  const nowMs = Date.parse(context.chance.now());
  const deleted: ContainerId[] = [];
  let spaceReclaimed = 0;
  for (const container of context.registry
    .visible(actor)
    .filter((found) => isDown(found) && passes(found, filters, nowMs))) {
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
};
