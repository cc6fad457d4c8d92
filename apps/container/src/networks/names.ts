import type { ContainerId } from "../engine/ids.ts";
import type { NameAnswer } from "./name-service.ts";
import { isUserNetwork, type OpenNetwork } from "./network-table.ts";
import type { StoredSandbox } from "./store.ts";

export interface NameQuestion {
  /** The network whose gateway received the query, and the sender's address. */
  readonly networkId: string;
  readonly from: string;
  readonly name: string;
  /** Whether the query is for the name of an address. */
  readonly reverse: boolean;
}

/**
 * Answers a query as Docker does: a container sees the containers of every user network that it is on, by name, short id and alias, with
 * or without the network's name as a suffix. Letter case does not matter.
 */
export function answerName(
  { networkId, from, name, reverse }: NameQuestion,
  networks: ReadonlyMap<string, OpenNetwork>,
  sandboxes: ReadonlyMap<ContainerId, StoredSandbox>,
): NameAnswer {
  const asked = networks.get(networkId);
  const asker = asked === undefined ? undefined : [...asked.endpoints].find(([, { address }]) => address === from)?.[0];
  const sandbox = asker === undefined ? undefined : sandboxes.get(asker);
  const seen = (sandbox?.endpoints.map((endpoint) => networks.get(endpoint.networkId)) ?? [asked])
    .filter((open) => open !== undefined)
    .filter(isUserNetwork);

  const asWritten = name.toLowerCase().replace(/\.$/, "");
  for (const { network, endpoints } of seen) {
    const suffix = `.${network.name.toLowerCase()}`;
    const wanted = (asker && linked(endpoints.get(asker)?.request.Links ?? [], asWritten)) ?? asWritten;
    const addresses: string[] = [];
    for (const [containerId, endpoint] of endpoints) {
      const containerName = sandboxes.get(containerId)?.containerName;
      if (containerName === undefined) continue;
      if (reverse) {
        if (wanted === reverseName(endpoint.address)) return { kind: "name", name: `${containerName}.${network.name}` };
        continue;
      }
      const names = [containerName, ...endpoint.aliases].map((text) => text.toLowerCase());
      if (names.some((text) => text === wanted || `${text}${suffix}` === wanted)) addresses.push(endpoint.address);
    }
    if (addresses.length > 0) return { kind: "addresses", addresses };
  }
  const out = sandbox === undefined || sandbox.endpoints.some(({ gateway }) => gateway !== "");
  return { kind: "forward", servers: out ? sandbox?.nameservers : [] };
}

/** The container that the sender's own links (`CONTAINER:ALIAS`) give that alias; undefined if there is none. */
function linked(links: readonly string[], alias: string): string | undefined {
  const found = links.map((link) => link.split(":")).find(([target = "", as = target]) => as.toLowerCase() === alias);
  return found?.[0]?.toLowerCase();
}

/** `172.29.0.2` as a name of the reverse tree (RFC 1035, 3.5). */
function reverseName(address: string): string {
  return `${address.split(".").reverse().join(".")}.in-addr.arpa`;
}
