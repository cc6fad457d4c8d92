import type { EngineEvent } from "../../events/events.ts";

/**
 * One line of `GET /events`, with its newline. The fields before `Type` are for clients before API 1.22. `timeNano` exceeds the exact
 * range of a double, so it is written as digits.
 */
export function formatEvent({ type, action, actor, time }: EngineEvent): string {
  const event = {
    ...(type === "container" || type === "image" ? { status: action, id: actor.id } : {}),
    ...(type === "container" && { from: actor.attributes.image ?? "" }),
    Type: type,
    Action: action,
    Actor: { ID: actor.id, Attributes: actor.attributes },
    scope: "local",
    time: Number(time / 1_000_000_000n),
  };
  return `${JSON.stringify(event).slice(0, -1)},"timeNano":${time}}\n`;
}
