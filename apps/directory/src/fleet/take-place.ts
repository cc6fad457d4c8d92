import { decide, explain } from "@berth/directory-domain";
import { DirectoryError } from "../errors/directory-error.ts";
import { amountsOf, requestOf } from "./amounts.ts";
import type { Asker, Fleet } from "./fleet.ts";
import type { FleetPlace, PlaceWish } from "./place.ts";
import { lackOf, offersOf } from "./refusal.ts";
import { placeTopic } from "./signals.ts";

/** How long the host may take to have the place. It may have it later, too: the place is its user's until it is given back. */
const ANSWER_MS = 10_000;
/** Somebody may take what was free a moment ago, or give back what was not. */
const TRIES = 3;

/**
 * Takes a place and waits until its host has it. The place comes back `wanted` if the host has not answered by then.
 *
 * @throws `forbidden` with the whole explanation where the user may not have it; `conflict` where no host has room or a port, with what
 * each has free, or where the host refuses.
 */
export async function takePlace(fleet: Fleet, asker: Asker, wish: PlaceWish): Promise<FleetPlace> {
  if (wish.userId !== asker.userId && asker.role !== "admin")
    throw new DirectoryError("forbidden", "Only administrators take places for other users.");
  const host = await chosenHost(fleet, wish);
  const id = await granted(fleet, asker, { ...wish, host });
  let reason: string | undefined;
  const found = await fleet.signals.until(placeTopic(id), ANSWER_MS, async (detail) => {
    reason = detail ?? reason;
    const [place] = await fleet.ledger.places({ id });
    return place === undefined || place.state !== "wanted" ? { place } : undefined;
  });
  const place = found === undefined ? (await fleet.ledger.places({ id }))[0] : found.place;
  if (place !== undefined) return place;
  throw new DirectoryError("conflict", `${host}: ${reason ?? "the place was given back before it was ready"}`);
}

async function chosenHost(fleet: Fleet, wish: PlaceWish): Promise<string> {
  const hosts = await fleet.ledger.hosts();
  const host = await fleet.placement.choose(wish, hosts);
  if (host !== undefined) return host;
  const offers = offersOf(hosts, wish, await fleet.ledger.holders(wish.ports));
  const why = wish.host === undefined ? "Name a host for the place" : `There is no host ${wish.host} in the fleet`;
  throw new DirectoryError("conflict", `${why}: ${offers}`);
}

async function granted(fleet: Fleet, asker: Asker, wish: PlaceWish & { readonly host: string }): Promise<number> {
  const { ledger } = fleet;
  for (let tries = 1; ; tries++) {
    const { effective } = await fleet.effectiveOf(wish.userId);
    if (effective.subject.role === "admin")
      throw new DirectoryError(
        "conflict",
        `${effective.subject.login} is an administrator, whom no place would limit; take the place for another user or a service account.`,
      );
    const amounts = amountsOf(wish, effective);
    const used = await ledger.used(amounts.map(({ account }) => account));
    const decision = decide(requestOf(wish, effective, used), effective);
    if (!decision.allowed) throw new DirectoryError("forbidden", explain(decision));
    const outcome = await ledger.take(asker.userId, wish, amounts);
    if (typeof outcome === "number") return outcome;
    if (outcome === "name")
      throw new DirectoryError("conflict", `User ${effective.subject.login} has a place ${wish.name} already.`);
    const hosts = await ledger.hosts();
    const holders = await ledger.holders(wish.ports);
    const named = hosts.find(({ name }) => name === wish.host);
    if (named === undefined || lackOf(named, wish, holders) !== undefined || tries === TRIES)
      throw new DirectoryError("conflict", `No such place on ${wish.host}: ${offersOf(hosts, wish, holders)}`);
  }
}
