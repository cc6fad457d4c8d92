import { DirectoryError } from "../errors/directory-error.ts";
import type { Asker, Declined, Fleet, Granted } from "./fleet.ts";
import type { FleetPlace, PlaceWish } from "./place.ts";
import { placeTopic } from "./signals.ts";

/** How long the host may take to have the place. It may have it later, too: the place is its user's until it is given back. */
const ANSWER_MS = 10_000;
/** How long the reason why a place is gone may take. */
const REASON_MS = 1_000;
/** How many hosts may decline before the user learns why. */
const MOST_DECLINED = 3;

/**
 * Takes a place and waits until its host has it. The place comes back `wanted` if the host has not answered by then.
 *
 * @throws `forbidden` with the whole explanation where the user may not have it; `conflict` where no host has room or a port, with what
 * each has free, or where hosts decline; `unavailable` where what chooses the hosts is away.
 */
export async function takePlace(fleet: Fleet, asker: Asker, wish: PlaceWish): Promise<FleetPlace> {
  if (wish.userId !== asker.userId && asker.role !== "admin")
    throw new DirectoryError("forbidden", "Only administrators take places for other users.");
  const declined = new Map<string, string>();
  for (;;) {
    const granted = await fleet.placement.grant(fleet, asker, wish, declined);
    const outcome = "id" in granted ? await answerOf(fleet, granted) : granted;
    if ("id" in outcome) return outcome;
    declined.set(outcome.host, outcome.reason);
    if (!fleet.placement.choosesHosts || wish.host !== undefined || declined.size === MOST_DECLINED)
      throw new DirectoryError("conflict", [...declined].map(([host, reason]) => `${host}: ${reason}`).join("; "));
  }
}

/** @throws `conflict` where the place was given back meanwhile. */
async function answerOf(fleet: Fleet, { id, host }: Granted): Promise<FleetPlace | Declined> {
  const topic = placeTopic(id);
  const found = await fleet.signals.until(topic, ANSWER_MS, async () => {
    const [place] = await fleet.ledger.places({ id });
    return place === undefined || place.state !== "wanted" ? { place } : undefined;
  });
  const place = found === undefined ? (await fleet.ledger.places({ id }))[0] : found.place;
  if (place !== undefined) return place;
  // The word of a host that declined may come after the place is gone.
  const reason = await fleet.signals.until(topic, REASON_MS, async (detail) => detail);
  if (reason !== undefined) return { host, reason };
  throw new DirectoryError("conflict", `${host}: the place was given back before it was ready`);
}
