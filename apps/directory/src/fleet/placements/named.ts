import { DirectoryError } from "../../errors/directory-error.ts";
import type { Asker, Fleet, Granted, Placement } from "../fleet.ts";
import type { PlaceWish } from "../place.ts";
import { lackOf, offersOf } from "../refusal.ts";
import { allowanceFor, nameTaken } from "./allowance.ts";

/** Somebody may take what was free a moment ago, or give back what was not. */
const TRIES = 3;

/** The host is the one that the user names. */
export const NAMED: Placement = { choosesHosts: false, grant: grantOnNamed };

async function grantOnNamed(fleet: Fleet, asker: Asker, wish: PlaceWish): Promise<Granted> {
  const { ledger } = fleet;
  const host = await namedHost(fleet, wish);
  for (let tries = 1; ; tries++) {
    const { login, amounts } = await allowanceFor(fleet, wish);
    const outcome = await ledger.take(asker.userId, { ...wish, host }, amounts);
    if (typeof outcome === "number") return { id: outcome, host };
    if (outcome === "name") throw nameTaken(login, wish);
    const hosts = await ledger.hosts();
    const holders = await ledger.holders(wish.ports);
    const named = hosts.find(({ name }) => name === host);
    if (named === undefined || lackOf(named, wish, holders) !== undefined || tries === TRIES)
      throw new DirectoryError("conflict", `No such place on ${host}: ${offersOf(hosts, wish, holders)}`);
  }
}

async function namedHost({ ledger }: Fleet, wish: PlaceWish): Promise<string> {
  const hosts = await ledger.hosts();
  const host = hosts.find(({ name }) => name === wish.host);
  if (host !== undefined) return host.name;
  const offers = offersOf(hosts, wish, await ledger.holders(wish.ports));
  const why = wish.host === undefined ? "Name a host for the place" : `There is no host ${wish.host} in the fleet`;
  throw new DirectoryError("conflict", `${why}: ${offers}`);
}
