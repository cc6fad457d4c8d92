import { DirectoryError, notFound } from "../errors/directory-error.ts";
import type { Asker, Fleet } from "./fleet.ts";
import type { FleetPlace } from "./place.ts";
import { placeTopic } from "./signals.ts";

/** How long giving back waits for the host to stop what runs in the place. */
const END_MS = 20_000;

/** The places that the asker may see: its own, and all to operators and administrators. */
export async function placesFor(
  { ledger }: Pick<Fleet, "ledger">,
  { userId, role }: Asker,
): Promise<readonly FleetPlace[]> {
  return await ledger.places(role === "user" ? { userId } : {});
}

/** Lets a place last so many seconds from now. @throws `not-found`; `conflict` where that shortens it or its host is away. */
export async function extendPlace(fleet: Fleet, asker: Asker, id: number, seconds: number): Promise<FleetPlace> {
  const place = await ownPlace(fleet, asker, id);
  if (place.secondsLeft === undefined)
    throw new DirectoryError(
      "conflict",
      `Place ${place.name} lasts until it is given back; there is nothing to extend.`,
    );
  if (!(await fleet.ledger.extend(asker.userId, id, seconds))) {
    const left = Math.floor(place.secondsLeft);
    const isShorter = place.state !== "ending" && left >= seconds;
    throw new DirectoryError(
      "conflict",
      isShorter
        ? `Place ${place.name} lasts ${left} seconds already.`
        : `Place ${place.name} is ending, or its host ${place.host} is not heard of now.`,
    );
  }
  return (await fleet.ledger.places({ id }))[0] ?? place;
}

/** Gives a place back. Whether nothing of it is left yet; its room and its ports are free only then. @throws `not-found` */
export async function givePlace(fleet: Fleet, asker: Asker, id: number): Promise<"ended" | "ending"> {
  await ownPlace(fleet, asker, id);
  if (!(await fleet.ledger.end(asker.userId, id))) return "ended";
  const ended = await fleet.signals.until(placeTopic(id), END_MS, async () =>
    (await fleet.ledger.places({ id })).length === 0 ? "ended" : undefined,
  );
  return ended ?? "ending";
}

async function ownPlace({ ledger }: Fleet, { userId, role }: Asker, id: number): Promise<FleetPlace> {
  const [place] = await ledger.places({ id });
  if (place === undefined || (place.userId !== userId && role === "user")) throw notFound("place", id);
  if (place.userId !== userId && role !== "admin")
    throw new DirectoryError("forbidden", "Administrators and the place's user only.");
  return place;
}
