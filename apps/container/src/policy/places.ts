import { type HostPortRange, type PlaceGrant, placePortWishes, withinPlace } from "@berth/directory-domain";
import type { HostDefaults } from "../engine/host-defaults.ts";
import { assertAllowed, type User } from "./assert-allowed.ts";
import { decidedBuild } from "./builds.ts";
import { containerFacts, type DecidedContainer } from "./facts.ts";
import { sharedUses } from "./shared-quotas.ts";

/** The user inside its place: the owner of what it makes is the place, and the place's constraints hold beside its own. */
export function inPlace(user: User, place: PlaceGrant, dynamic: readonly HostPortRange[]): User {
  const { name, size } = place;
  return {
    ...user,
    id: place.id,
    effective: withinPlace(user.effective, place, dynamic),
    place: { name, memory: size.memory, cpu: size.cpu },
  };
}

/** A place as it counts against its user's quotas: as one container with the place's size. */
export function decidedPlace({ size }: Pick<PlaceGrant, "size">): DecidedContainer {
  const limits = { memory: size.memory, cpus: size.cpu, pids: size.pids };
  return decidedBuild({ networkMode: "none", ulimits: [] }, limits);
}

/**
 * Throws `forbidden`, with the whole explanation, unless the user may have a place of that size with each of those ports.
 *
 * @param everything what counts against quotas now, of every owner.
 */
export async function assertPlaceAllowed(
  user: User,
  place: Pick<PlaceGrant, "size" | "ports">,
  {
    everything,
    host,
  }: {
    readonly everything: readonly (DecidedContainer & { readonly owner: string | undefined })[];
    readonly host: HostDefaults;
  },
): Promise<void> {
  const facts = containerFacts(decidedPlace(place), {
    ...{ hostFolders: [], images: [], networks: [], storage: 0, host },
    others: everything.filter(({ owner }) => owner === user.id),
    shared: await sharedUses(user, everything),
  });
  assertAllowed(user, { ...facts, ports: placePortWishes(place.ports, host.defaultHostIp ?? "") });
}
