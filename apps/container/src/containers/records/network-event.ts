import type { EventSink } from "../../events/events.ts";
import type { Network } from "../../networks/networks.ts";
import type { Container } from "./container.ts";

/** Emits the event of a container that joined or left a network. */
export function membershipEvent(
  { events }: { readonly events: EventSink },
  { id, name, driver }: Pick<Network, "id" | "name" | "driver">,
  action: "connect" | "disconnect",
  container: Pick<Container, "id" | "owner">,
): void {
  events.emit({
    type: "network",
    action,
    owner: container.owner,
    actor: { id, attributes: { container: container.id, name, type: driver } },
  });
}

/** Emits the event of a created or removed network. */
export function networkEvent(
  { events }: { readonly events: EventSink },
  { id, name, driver, owner }: Pick<Network, "id" | "name" | "driver" | "owner">,
  action: "create" | "destroy",
): void {
  events.emit({ type: "network", action, owner, actor: { id, attributes: { name, type: driver } } });
}
