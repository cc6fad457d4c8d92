import { decide } from "@berth/directory-domain";
import { cidrContains, parseCidr } from "@berth/port-spec";
import type { Actor } from "../engine/actor.ts";
import { isHostOnly } from "../engine/host-addresses.ts";
import { type Owned, ownedKey, type Viewer } from "../engine/owners.ts";
import { assertAllowed, denied } from "./assert-allowed.ts";

/** What a user's network asks for, in Docker's words. */
interface NetworkWish {
  readonly options: Readonly<Record<string, string>>;
  readonly ipam: { readonly config: readonly { readonly Subnet?: string }[] };
}

/** The driver's options that stay inside the network. Every other one names something of the host, such as a bridge. */
const USER_OPTIONS: ReadonlySet<string> = new Set([
  "com.docker.network.driver.mtu",
  "com.docker.network.bridge.enable_icc",
  "com.docker.network.bridge.enable_ip_masquerade",
  "com.docker.network.container_iface_prefix",
]);

/** Private networks (RFC 1918, RFC 4193). A user's subnet anywhere else would take the host's way to public addresses. */
const PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fd00::/8"].flatMap((text) => parseCidr(text) ?? []);
const SHORTEST_PREFIX = { ipv4: 16, ipv6: 48 };

/** How constraints name a network: by its owner, too, unless an administrator made it on the host's own socket. */
export function networkName({ owner, name }: Owned): string {
  return owner === undefined ? name : ownedKey(owner, name);
}

/** Whether a constraint shares the network of another owner with the viewer. */
export function isShared({ effective }: Viewer, network: Owned): boolean {
  return effective !== undefined && decide({ networks: [networkName(network)] }, effective).allowed;
}

/**
 * Decides on a user's own name servers, which the name service asks from the host's side. Throws `forbidden` for one that stands for
 * the host itself.
 */
export function assertNameServersAllowed(servers: readonly string[]): void {
  const ofHost = servers.find(isHostOnly);
  if (ofHost !== undefined)
    throw denied(
      `name server ${ofHost} is an address of the host itself; use one that other machines can reach, or none`,
    );
}

/**
 * Decides whether the actor may create a network: the quota `networks`, a private subnet within its constraints, and no option that
 * names something of the host. Throws `forbidden` with what would pass. An administrator may create any.
 *
 * @param held how many networks the actor has.
 */
export function assertNetworkAllowed(actor: Actor, { options, ipam }: NetworkWish, held: number): void {
  if (actor.kind === "administrator") return;
  const option = Object.keys(options).find((name) => !USER_OPTIONS.has(name));
  if (option !== undefined) throw denied(`only an administrator may set the network option ${option}; leave it out`);
  for (const { Subnet = "" } of ipam.config)
    if (Subnet !== "" && !isPrivate(Subnet))
      throw denied(
        Subnet.includes(":")
          ? `subnet ${Subnet} is not a private IPv6 network of /${SHORTEST_PREFIX.ipv6} or smaller; use one such as fd00:1:2::/64, or none`
          : `subnet ${Subnet} is not a private IPv4 network of /${SHORTEST_PREFIX.ipv4} or smaller; use one such as 10.1.2.0/24, or none`,
      );
  const subnets = ipam.config.flatMap(({ Subnet = "" }) => (Subnet === "" ? [] : [Subnet]));
  assertAllowed(actor, { subnets, quantities: { networks: 1 }, used: { networks: held } });
}

function isPrivate(text: string): boolean {
  const subnet = parseCidr(text);
  return (
    subnet !== undefined &&
    subnet.prefixLength >= SHORTEST_PREFIX[subnet.family] &&
    PRIVATE.some((range) => cidrContains(range, subnet.start) && cidrContains(range, subnet.end))
  );
}
