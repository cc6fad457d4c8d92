import type { EventSink } from "../../events/events.ts";
import type { Container } from "./container.ts";

/** Tells of a container as Docker does: its image, its name and its labels go along. */
export function containerEvent(
  { events }: { readonly events: EventSink },
  container: Container,
  action: string,
  attributes: Readonly<Record<string, string>> = {},
): void {
  events.emit({
    type: "container",
    action,
    owner: container.owner,
    actor: {
      id: container.id,
      attributes: { image: container.image, name: container.name, ...container.config.Labels, ...attributes },
    },
  });
}
