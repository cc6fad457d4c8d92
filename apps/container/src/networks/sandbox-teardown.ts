import { basename } from "node:path";
import type { Log } from "../engine/log.ts";
import type { EndpointFilter } from "./filter/endpoint-filter.ts";
import { removeNamespaces } from "./namespace.ts";
import { giveAddresses, type OpenNetwork } from "./network-table.ts";
import type { PlacedEndpoint } from "./store.ts";

/** The endpoints of a released sandbox. */
export type ReleasedEndpoint = Pick<PlacedEndpoint, "networkId" | "link" | "address" | "ipv6">;

/** Removes released sandboxes in the background, in batches. */
export interface SandboxTeardown {
  enqueue(path: string, endpoints: readonly ReleasedEndpoint[]): void;
  /** Whether addresses are waiting to be freed. */
  pending(): boolean;
  /** Removes all queued sandboxes. */
  settle(): Promise<void>;
}

/** Long enough for the response to go out first, and for one `compose down` to make one batch. */
const BATCH_DELAY_MS = 100;

/** An address is freed only after no link on the host has it, and no element of the packet filter. */
export function createTeardown({
  networks,
  filter,
  log,
}: {
  readonly networks: ReadonlyMap<string, OpenNetwork>;
  readonly filter: EndpointFilter;
  readonly log: Log;
}): SandboxTeardown {
  const queue: { readonly path: string; readonly endpoints: readonly ReleasedEndpoint[] }[] = [];
  const underWay = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  const removeQueued = () => {
    clearTimeout(timer);
    timer = undefined;
    const gone = queue.splice(0);
    const names = gone.map(({ path, endpoints }) => ({
      name: basename(path),
      links: endpoints.map(({ link }) => link).filter((link) => link !== ""),
    }));
    const work = removeNamespaces(names)
      .then(() => filter.remove(names.flatMap(({ links }) => links)))
      .then(() => {
        for (const endpoint of gone.flatMap(({ endpoints }) => endpoints))
          giveAddresses(networks.get(endpoint.networkId), endpoint);
      })
      .catch((thrown: unknown) => log.error({ names, err: thrown }, "failed to remove sandboxes"))
      .finally(() => underWay.delete(work));
    underWay.add(work);
  };

  return {
    enqueue: (path, endpoints) => {
      queue.push({ path, endpoints });
      timer ??= setTimeout(removeQueued, BATCH_DELAY_MS).unref();
    },
    pending: () => queue.length + underWay.size > 0,
    settle: async () => {
      removeQueued();
      await Promise.all(underWay);
    },
  };
}
