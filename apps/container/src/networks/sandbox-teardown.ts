import { basename } from "node:path";
import type { Log } from "../engine/log.ts";
import { removeNamespaces } from "./namespace.ts";
import type { OpenNetwork } from "./network-table.ts";
import type { PlacedEndpoint } from "./store.ts";

/** What a leaving sandbox had on a network. */
export type Leaving = Pick<PlacedEndpoint, "networkId" | "link" | "address">;

/** Sandboxes that no container has any more: taken apart away from any request's path, those of a while in one process. */
export interface Departures {
  leave(path: string, endpoints: readonly Leaving[]): void;
  /** Whether addresses are still to come back. */
  pending(): boolean;
  /** Takes apart what waits, and settles when all of it is gone. */
  settle(): Promise<void>;
}

/** Long enough for a response to go out first, and for those of one `compose down` to go together. */
const GATHER_MS = 100;

/** An address is free for others only when nothing on the host has it any more. */
export function createDepartures(networks: ReadonlyMap<string, OpenNetwork>, log: Log): Departures {
  const waiting: { readonly path: string; readonly endpoints: readonly Leaving[] }[] = [];
  const underWay = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  const takeApart = () => {
    clearTimeout(timer);
    timer = undefined;
    const gone = waiting.splice(0);
    const names = gone.map(({ path, endpoints }) => ({
      name: basename(path),
      links: endpoints.map(({ link }) => link).filter((link) => link !== ""),
    }));
    const work = removeNamespaces(names)
      .then(() => {
        for (const { networkId, address } of gone.flatMap(({ endpoints }) => endpoints))
          networks.get(networkId)?.book?.give(address);
      })
      .catch((thrown: unknown) => log.error({ names, err: thrown }, "sandboxes could not be removed"))
      .finally(() => underWay.delete(work));
    underWay.add(work);
  };

  return {
    leave: (path, endpoints) => {
      waiting.push({ path, endpoints });
      timer ??= setTimeout(takeApart, GATHER_MS).unref();
    },
    pending: () => waiting.length + underWay.size > 0,
    settle: async () => {
      takeApart();
      await Promise.all(underWay);
    },
  };
}
