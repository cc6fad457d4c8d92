import type { Actor } from "../engine/actor.ts";
import { EngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import { networkName, parseNetworkMode } from "../engine/network-mode.ts";
import type { Networks } from "../networks/networks.ts";
import { mayReachHost } from "../policy/containers.ts";
import type { BuildNetwork } from "./builder.ts";

/** What a build needs of networks and containers to have one of its owner's. */
export interface NetworkSources {
  readonly networks: Pick<Networks, "get" | "claim" | "release">;
  /** The process of a running container that the actor sees, whose network the build joins. Throws EngineError. */
  readonly pidOf: (actor: Actor, ref: string) => number;
  /** `/etc/resolv.conf` for a sandbox with this name service, or for the host's own network. */
  readonly resolvConf: (sandbox: { readonly nameserver: string | undefined } | undefined) => Promise<string>;
}

/** Throws `not-found` where the actor sees no such network or container. */
export function assertNetwork({ networks, pidOf }: NetworkSources, actor: Actor, mode: string): void {
  const parsed = parseNetworkMode(mode);
  if (parsed.kind === "container") pidOf(actor, parsed.ref);
  else if (parsed.kind === "user") networks.get(parsed.name, actor);
}

/** `name:address`, with `host-gateway` for the host's address on the default network. Throws `invalid`. */
function hostEntry(text: string, gateway: string): string {
  const [, name = "", address = ""] = /^([^:=\s]+)[:=]([0-9a-fA-F.:]+|host-gateway)$/.exec(text) ?? [];
  if (name === "") throw new EngineError("invalid", `bad format for add-host: ${JSON.stringify(text.slice(0, 200))}`);
  return `${name}:${address === "host-gateway" ? gateway : address}`;
}

/** Gives a build its network: a sandbox of its own on a network of its owner, or what the mode joins. `release` gives it back. */
export async function claimNetwork(
  { networks, pidOf, resolvConf }: NetworkSources,
  actor: Actor,
  { id, mode, extraHosts }: { readonly id: string; readonly mode: string; readonly extraHosts: readonly string[] },
): Promise<BuildNetwork> {
  const gateway = networks.get("bridge", actor).ipam.config[0]?.Gateway ?? "";
  const hosts = extraHosts.map((entry) => hostEntry(entry, gateway));
  const parsed = parseNetworkMode(mode);
  if (parsed.kind === "host") return { path: undefined, hosts, resolvConf: await resolvConf(undefined) };
  if (parsed.kind === "container")
    return {
      path: `/proc/${pidOf(actor, parsed.ref)}/ns/net`,
      hosts,
      resolvConf: await resolvConf({ nameserver: undefined }),
    };
  const name = networkName(mode) ?? "bridge";
  const sandbox = await networks.claim({
    containerId: id as ContainerId,
    containerName: `build-${id.slice(0, 12)}`,
    owner: actor.id,
    hostServices: actor.kind === "user" && mayReachHost(actor),
    endpoints: { [networks.get(name, actor).id]: {} },
  });
  return { path: sandbox.path, hosts, resolvConf: await resolvConf(sandbox) };
}
