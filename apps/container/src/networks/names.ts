import { parseIp } from "@berth/port-spec";
import type { ContainerId } from "../engine/ids.ts";
import type { Log } from "../engine/log.ts";
import { hostResolvers } from "../host/resolv-conf.ts";
import { gatewaysOf } from "./default-routes.ts";
import { nameServerOf } from "./name-servers.ts";
import { type NameAnswer, openNameService } from "./name-service/name-service.ts";
import { isUserNetwork, type OpenNetwork } from "./network-table.ts";
import type { PlacedEndpoint, StoredSandbox } from "./store.ts";

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
 *
 * On a network of several owners, the asker's own containers come first, then those of the network's owner. A container of another owner
 * does not answer to a name with a dot, which may be an outside name, nor to a name that two of them claim. A container's own name
 * outranks an alias.
 */
export function answerName(
  { networkId, from, name, reverse }: NameQuestion,
  networks: ReadonlyMap<string, OpenNetwork>,
  sandboxes: ReadonlyMap<ContainerId, StoredSandbox>,
): NameAnswer {
  const asked = networks.get(networkId);
  const asker =
    asked === undefined
      ? undefined
      : [...asked.endpoints].find(([, endpoint]) => addressesOf(endpoint).includes(from))?.[0];
  const sandbox = asker === undefined ? undefined : sandboxes.get(asker);
  const seen = (sandbox?.endpoints.map((endpoint) => networks.get(endpoint.networkId)) ?? [asked])
    .filter((open) => open !== undefined)
    .filter(isUserNetwork);

  const asWritten = name.toLowerCase().replace(/\.$/, "");
  for (const { network, endpoints } of seen) {
    const suffix = `.${network.name.toLowerCase()}`;
    const wanted = (asker && linked(endpoints.get(asker)?.request.Links ?? [], asWritten)) ?? asWritten;
    const claims: Claim[] = [];
    for (const [containerId, endpoint] of endpoints) {
      const { containerName, owner } = sandboxes.get(containerId) ?? {};
      if (containerName === undefined) continue;
      if (reverse) {
        if (addressesOf(endpoint).some((address) => wanted === reverseName(address)))
          return { kind: "name", name: `${containerName}.${network.name}` };
        continue;
      }
      const found = [containerName, ...endpoint.aliases]
        .map((text) => text.toLowerCase())
        .find((text) => text === wanted || `${text}${suffix}` === wanted);
      if (found === undefined) continue;
      const isOwnName = found === containerName.toLowerCase() || found === containerId.slice(0, 12);
      claims.push({ addresses: addressesOf(endpoint), owner, isOwnName, isDotted: found.includes(".") });
    }
    const addresses = awarded(claims, [sandbox?.owner, network.owner]);
    if (addresses.length > 0) return { kind: "addresses", addresses };
  }
  const out = sandbox === undefined || sandbox.endpoints.some((endpoint) => gatewaysOf(endpoint).length > 0);
  return {
    kind: "forward",
    servers: out ? sandbox?.nameservers : [],
    networkScope: sandbox?.owner === undefined ? "everywhere" : "beyond-host",
  };
}

/** A container's claim to answer to the name in question. */
interface Claim {
  readonly addresses: readonly string[];
  readonly owner: string | undefined;
  /** Its name or short id, not an alias. */
  readonly isOwnName: boolean;
  readonly isDotted: boolean;
}

/** The addresses of those whose claim holds. @param trusted owners whose claims come first, in order. */
function awarded(claims: readonly Claim[], trusted: readonly (string | undefined)[]): readonly string[] {
  const addresses = (held: readonly Claim[]) => held.flatMap(({ addresses: own }) => own);
  for (const owner of trusted) {
    const held = claims.filter((claim) => claim.owner === owner);
    if (held.length > 0) return addresses(held);
  }
  const plain = claims.filter(({ isDotted }) => !isDotted);
  for (const held of [plain.filter(({ isOwnName }) => isOwnName), plain])
    if (new Set(held.map(({ owner }) => owner)).size === 1) return addresses(held);
  return [];
}

/** The container that the sender's own links (`CONTAINER:ALIAS`) give that alias; undefined if there is none. */
function linked(links: readonly string[], alias: string): string | undefined {
  const found = links.map((link) => link.split(":")).find(([target = "", as = target]) => as.toLowerCase() === alias);
  return found?.[0]?.toLowerCase();
}

function addressesOf({ address, ipv6 }: PlacedEndpoint): readonly string[] {
  return [address, ipv6.address].filter((one) => one !== "");
}

/** `172.29.0.2` or `fd00::2` as a name of the reverse tree (RFC 1035, 3.5; RFC 3596, 2.5). */
function reverseName(address: string): string {
  if (!address.includes(":")) return `${address.split(".").reverse().join(".")}.in-addr.arpa`;
  const digits = (parseIp(address) ?? 0n).toString(16).padStart(32, "0");
  return `${[...digits].reverse().join(".")}.ip6.arpa`;
}

/** Serves the names of the network's containers at its gateway; undefined for a network that has no such names. */
export async function openNames(
  open: OpenNetwork,
  networks: ReadonlyMap<string, OpenNetwork>,
  sandboxes: { readonly all: ReadonlyMap<ContainerId, StoredSandbox> },
  log: Log,
): Promise<OpenNetwork["nameService"]> {
  const server = nameServerOf(open);
  if (server === undefined) return undefined;
  const { id } = open.network;
  return await openNameService({
    ...server,
    answer: (from, name, { reverse }) => answerName({ networkId: id, from, name, reverse }, networks, sandboxes.all),
    resolvers: hostResolvers,
    log,
  });
}
