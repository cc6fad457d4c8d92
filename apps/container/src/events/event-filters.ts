import { anyValue, type Filters, labelsMatch } from "../engine/filters.ts";
import type { EngineEvent } from "./events.ts";

/** Actions with a detail after a colon; a filter may omit the detail. */
const DETAILED = ["exec_create", "exec_start", "health_status"];

function withoutTag(reference: string): string {
  return reference.replace(/:[^:/]*$/, "");
}

function matchesAction(filters: Filters, action: string): boolean {
  return anyValue(
    filters,
    "event",
    (wanted) => wanted === action || (DETAILED.includes(wanted) && action.startsWith(wanted)),
  );
}

/** Docker's fuzzy match: a prefix of the id or the name. */
function matchesActor(filters: Filters, type: EngineEvent["type"], { actor }: EngineEvent): boolean {
  return anyValue(
    filters,
    type,
    (wanted) => actor.id.startsWith(wanted) || (actor.attributes.name ?? "").startsWith(wanted),
  );
}

function matchesImage(filters: Filters, { type, actor }: EngineEvent): boolean {
  const name = actor.attributes[type === "image" ? "name" : "image"] ?? "";
  return anyValue(filters, "image", (wanted) =>
    [actor.id, name, withoutTag(actor.id), withoutTag(name)].includes(wanted),
  );
}

/** Whether an event passes the filters of `GET /events`: every filter must match, with at least one of its values. */
export function passesFilters(filters: Filters, event: EngineEvent): boolean {
  return (
    matchesAction(filters, event.action) &&
    anyValue(filters, "type", (wanted) => wanted === event.type) &&
    anyValue(filters, "scope", (wanted) => wanted === "local") &&
    matchesActor(filters, "container", event) &&
    matchesActor(filters, "network", event) &&
    matchesActor(filters, "volume", event) &&
    matchesActor(filters, "daemon", event) &&
    ["config", "node", "plugin", "secret", "service"].every((key) => anyValue(filters, key, () => false)) &&
    matchesImage(filters, event) &&
    labelsMatch(filters, "label", event.actor.attributes)
  );
}
