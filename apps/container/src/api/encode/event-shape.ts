import type { EngineEvent } from "../../events/events.ts";

/**
 * One line of `GET /events`, with its newline. The fields before `Type` are those of clients before API 1.22. `timeNano`
 * is beyond what a double holds exactly, so it is written as digits.
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
