import { fullImageName } from "@berth/directory-domain";
import type { Hono } from "hono";
import { z } from "zod";
import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import { parseFilters, requireKnownFilters } from "../../engine/filters.ts";
import type { EngineEvent } from "../../events/events.ts";
import { imageViewer } from "../../policy/images.ts";
import { parseQuery, parseTimestamp, text } from "../decode/query.ts";
import { formatEvent } from "../encode/event-shape.ts";
import type { Deps, Edge } from "../http/edge.ts";
import { streamBody } from "../http/streaming.ts";

const eventsQuery = z.object({ since: text(), until: text(), filters: text() });

const EVENT_FILTERS = [
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

/** The types of things that everyone shares. */
const SHARED_TYPES: readonly string[] = ["image", "daemon"];

/** An administrator gets every event; a user those of what it owns and of what everyone shares, images that it may run among them. */
function sees(actor: Actor) {
  const viewer = imageViewer(actor);
  return ({ owner, type, actor: { id, attributes } }: EngineEvent): boolean => {
    if (actor.kind === "administrator" || owner === actor.id) return true;
    if (owner !== undefined || !SHARED_TYPES.includes(type)) return false;
    const references = () => [id, attributes.name ?? ""].map(fullImageName);
    return type !== "image" || (viewer?.accepts({ references: references(), builtFrom: undefined }) ?? true);
  };
}

async function* lines(events: AsyncIterable<readonly EngineEvent[]>): AsyncGenerator<string> {
  for await (const piece of events) yield piece.map(formatEvent).join("");
}

/** The stream of events. */
export function eventRoutes(app: Hono<Edge>, { events }: Deps): void {
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
    requireKnownFilters(filters, EVENT_FILTERS);
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
}
