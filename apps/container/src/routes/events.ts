import type { Hono } from "hono";
import { z } from "zod";
import { EngineError } from "../errors.ts";
import type { EngineEvent } from "../events/events.ts";
import type { Actor } from "../policy/actor.ts";
import { formatEvent } from "../wire/event-shape.ts";
import { parseFilters, requireKnownFilters } from "../wire/filters.ts";
import { parseQuery, parseTimestamp, text } from "../wire/query.ts";
import { streamBody } from "../wire/streaming.ts";
import type { Deps, Edge } from "./edge.ts";

const eventsQuery = z.object({ since: text(), until: text(), filters: text() });

const eventFilters = [
  "config",
  "container",
  "daemon",
  "event",
  "image",
  "label",
  "network",
  "node",
  "plugin",
  "scope",
  "secret",
  "service",
  "type",
  "volume",
];

/** An administrator hears all; a user what concerns its own containers, and what is no container's. */
const sees =
  (actor: Actor) =>
  ({ owner, type }: EngineEvent): boolean =>
    actor.kind === "administrator" || owner === actor.id || (owner === undefined && type !== "container");

async function* lines(events: AsyncIterable<EngineEvent>): AsyncGenerator<string> {
  for await (const event of events) yield formatEvent(event);
}

/** What happens, as it happens. */
export const eventRoutes = (app: Hono<Edge>, { events }: Deps): void => {
  app.get("/events", (context) => {
    const query = parseQuery(eventsQuery, context.req.query());
    const since = parseTimestamp("since", query.since);
    const until = parseTimestamp("until", query.until);
    if (since !== undefined && until !== undefined && since > until) {
      throw new EngineError(
        "invalid",
        `\`since\` time (${query.since}) cannot be after \`until\` time (${query.until})`,
      );
    }
    const filters = parseFilters(query.filters);
    requireKnownFilters(filters, eventFilters);
    const gone = new AbortController();
    const source = events.read({
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      filters,
      sees: sees(context.get("actor")),
      signal: gone.signal,
    });
    return context.body(streamBody(lines(source), gone), 200, { "Content-Type": "application/json" });
  });
};
