import { EngineError } from "../../engine/errors.ts";
import type { ContainerId } from "../../engine/ids.ts";
import type { Viewer } from "../../engine/owners.ts";
import { isNameOfNone, type Network, type Networks } from "../../networks/networks.ts";
import type { Container } from "./container.ts";

interface NetworkLookup {
  readonly networks: Pick<Networks, "recorded" | "sandboxOf">;
}

/** The networks of the container's row, by its keys: a name, or whatever reference the request used. Removed networks are left out. */
export function recordedNetworks(
  { networks }: NetworkLookup,
  { endpoints, owner }: Pick<Container, "endpoints" | "owner">,
): ReadonlyMap<string, Network> {
  return new Map(
    Object.keys(endpoints).flatMap((key) => {
      const network = networks.recorded(key, owner);
      return network === undefined ? [] : [[key, network] as const];
    }),
  );
}

/** The networks that a running container is on. */
export function joinedNetworks({ networks }: NetworkLookup, id: ContainerId): readonly Network[] {
  const endpoints = networks.sandboxOf(id)?.endpoints ?? [];
  return endpoints.flatMap(({ networkId }) => networks.recorded(networkId, undefined) ?? []);
}

/** The key of a network in a container's row: its name where that means this network to the container's owner, else its id. */
export function endpointKey(
  { networks }: NetworkLookup,
  { id, name }: Pick<Network, "id" | "name">,
  owner: string | undefined,
): string {
  return networks.recorded(name, owner)?.id === id ? name : id;
}

/**
 * The endpoints under keys that mean the same networks to the container's owner, whoever asks: an administrator may name one that the
 * owner does not see. A name that nothing has is refused at start, as in Docker.
 */
export function settledEndpoints(
  { networks }: { readonly networks: Pick<Networks, "get" | "recorded"> },
  actor: Viewer,
  { endpoints, owner }: Pick<Container, "endpoints" | "owner">,
): Container["endpoints"] {
  return Object.fromEntries(
    Object.entries(endpoints).map(([ref, endpoint]) => {
      try {
        const network = networks.get(ref, actor);
        const same = networks.recorded(ref, owner)?.id === network.id;
        return [same ? ref : network.id, endpoint];
      } catch (thrown) {
        if (!isNameOfNone(thrown)) throw thrown;
        // A full id means a network of any owner to a start, so one that the actor does not see is refused here. Not with 404, which
        // clients take for a missing image.
        if (networks.recorded(ref, owner) !== undefined) throw new EngineError("invalid", thrown.message);
        return [ref, endpoint];
      }
    }),
  );
}
