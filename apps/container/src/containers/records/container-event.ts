import type { EventSink } from "../../events/events.ts";
import type { Container } from "./container.ts";

/** Emits a container event with Docker's attributes: image, name and labels. */
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
