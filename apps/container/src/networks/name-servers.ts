import { bridgeMacAddress } from "./bridge.ts";
import { isAddressless } from "./bridge-options.ts";
import type { OnLink } from "./filter/name-rules.ts";
import { isUserNetwork, type OpenNetwork } from "./network-table.ts";
import type { PlacedEndpoint } from "./store.ts";

/**
 * What containers on a bridge without an IPv4 address ask names of: the bridge does not have this address, its containers know its hardware
 * address for it, and the packet filter leads their queries on.
 */
const NAMES_ON_LINK = "169.254.0.53";

/** Where the containers of a network ask for names, and where its name service listens. */
export interface NameServer {
  readonly address: string;
  readonly listensAt: string;
  /** Whether containers need be told that the address is on the network's bridge. */
  readonly onLink: boolean;
}

/** The name server of a user network: at its gateway's IPv4 address, or at its IPv6 one where it has no other. */
export function nameServerOf(open: OpenNetwork): NameServer | undefined {
  const { network, book, book6 } = open;
  if (!isUserNetwork(open)) return undefined;
  if (book !== undefined && isAddressless(network, "ipv4"))
    return { address: NAMES_ON_LINK, listensAt: "127.0.0.1", onLink: true };
  const gateway = (book ?? book6)?.gateway;
  return gateway === undefined ? undefined : { address: gateway, listensAt: gateway, onLink: false };
}

/** The name servers of a container on these endpoints, and how it finds those that nothing answers for on their links. */
export function nameServersOf(
  endpoints: readonly PlacedEndpoint[],
  networks: ReadonlyMap<string, OpenNetwork>,
): readonly { readonly address: string; readonly onLink: OnLink | undefined }[] {
  return endpoints.flatMap(({ networkId, interfaceName }) => {
    const open = networks.get(networkId);
    const server = open && nameServerOf(open);
    if (open === undefined || server === undefined) return [];
    const onLink = server.onLink ? { interfaceName, macAddress: bridgeMacAddress(open.network) } : undefined;
    return [{ address: server.address, onLink }];
  });
}
