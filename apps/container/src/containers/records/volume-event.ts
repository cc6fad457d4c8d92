import type { EventSink } from "../../events/events.ts";
import type { Container } from "./container.ts";

/** Emits an event for each volume that a container mounts at start or unmounts at exit (moby `daemon/volumes_unix.go`). */
export function volumeEvents(
  { events }: { readonly events: EventSink },
  container: Container,
  action: "mount" | "unmount",
): void {
  for (const { type, name, driver, destination, readWrite, propagation } of container.mounts) {
    if (type !== "volume" || name === undefined) continue;
    const place = { destination, "read/write": String(readWrite), propagation };
    events.emit({
      type: "volume",
      action,
      owner: container.owner,
      actor: {
        id: name,
        attributes: { driver: driver ?? "local", container: container.id, ...(action === "mount" ? place : {}) },
      },
    });
  }
}
