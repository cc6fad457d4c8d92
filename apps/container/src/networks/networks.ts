import { EngineError, isEngineError } from "../engine/errors.ts";
import type { Filters } from "../engine/filters.ts";
import type { ContainerId } from "../engine/ids.ts";
import type { Viewer } from "../engine/owners.ts";

/** A reference that several ids start with, and that is no network's name. */
export class AmbiguousNetworkId extends EngineError {
  constructor(ref: string, count: number) {
    super("invalid", `network ${ref} is ambiguous (${count} matches found on ID prefix)`);
  }
}

/** Whether a look-up failed because no network has the name, as opposed to several. */
export function isNameOfNone(thrown: unknown): thrown is EngineError {
  return isEngineError(thrown, "not-found") || thrown instanceof AmbiguousNetworkId;
}

/** What a request asks of a network, stored as it was asked. */
interface NetworkSettings {
  readonly name: string;
  readonly internal: boolean;
  readonly attachable: boolean;
  readonly enableIPv4: boolean;
  readonly enableIPv6: boolean;
  readonly options: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly ipam: {
    readonly driver: string;
    readonly options: Readonly<Record<string, string>> | null;
    readonly config: readonly IpamConfig[];
  };
}

/** A Docker network as the service stores it. */
export interface Network extends NetworkSettings {
  readonly id: string;
  /** The directory's id of the user who created it; undefined for the default networks and for those of the host's own socket. */
  readonly owner?: string | undefined;
  readonly driver: "bridge" | "host" | "null";
  /** RFC 3339. */
  readonly createdAt: string;
}

export interface IpamConfig {
  readonly Subnet?: string;
  readonly Gateway?: string;
  readonly IPRange?: string;
  readonly AuxiliaryAddresses?: Readonly<Record<string, string>>;
}

/** An address of an endpoint. Empty strings and zero where it has none, as Docker shows them. */
export interface InetAddress {
  readonly address: string;
  readonly prefixLength: number;
  readonly gateway: string;
}

export const NO_ADDRESS: InetAddress = { address: "", prefixLength: 0, gateway: "" };

/** A container's place in one network, with its IPv4 address if it has one. */
export interface Endpoint extends InetAddress {
  readonly networkId: string;
  readonly networkName: string;
  readonly endpointId: string;
  readonly ipv6: InetAddress;
  readonly macAddress: string;
  readonly aliases: readonly string[];
  readonly request: EndpointRequest;
  /** The host's bridge; `NetworkSettings.Bridge`. */
  readonly bridge: string;
}

/** A network namespace with its addresses, ready for one container. */
export interface Sandbox {
  /** The namespace's file. */
  readonly path: string;
  readonly endpoints: readonly Endpoint[];
  /** Where names of the user networks are answered; undefined on the default bridge, which has no names. */
  readonly nameserver: string | undefined;
  /** The sysctls of its interfaces, which the endpoints' options ask for. */
  readonly sysctls: Readonly<Record<string, string>>;
}

export interface SandboxRequest {
  readonly containerId: ContainerId;
  /** Names that the container answers to on user networks: its name, its short id, its aliases per network. */
  readonly containerName: string;
  /** The container's owner: names of networks mean its own. */
  readonly owner: string | undefined;
  /** Whether it may reach the services of the host itself; an administrator's container always may. */
  readonly hostServices: boolean;
  /** A further name that it answers to. */
  readonly hostname?: string;
  /** By network name or id. */
  readonly endpoints: Readonly<Record<string, EndpointRequest>>;
  /** Whom the name service asks for other names (`--dns`); absent or empty means the host's resolvers. */
  readonly nameservers?: readonly string[];
}

export interface CreateNetworkRequest extends NetworkSettings {
  readonly driver: string;
  readonly checkDuplicate: boolean;
}

/** Who creates a network, and the policy's say in it. */
export interface NetworkCreator {
  readonly viewer: Viewer;
  /** Throws where the creator may not have one more network beside the `held` ones. */
  readonly authorize: (held: number) => void;
}

/**
 * Networks and the sandboxes on them. A user sees its own networks and the default ones; names are unique per owner. Every failure
 * is an EngineError with Docker's status and message.
 */
export interface Networks {
  /** By id, by name, by `OWNER/NAME`, or by the unique start of an id, among those that the viewer sees. */
  get(ref: string, viewer: Viewer): Network;
  /** The network that a container's record means by `ref`; undefined where it was removed. A full id means a network of any owner. */
  recorded(ref: string, owner: string | undefined): Network | undefined;
  list(filters: Filters, viewer: Viewer): readonly Network[];
  create(
    request: CreateNetworkRequest,
    creator: NetworkCreator,
  ): Promise<{ readonly id: string; readonly warning: string }>;
  remove(ref: string, viewer: Viewer): Promise<void>;
  /** Removes the viewer's networks that nothing uses, an administrator's call everyone's; returns them. */
  prune(filters: Filters, viewer: Viewer): Promise<readonly Network[]>;
  /** The endpoints on a network now, by container. */
  endpointsOn(networkId: string): ReadonlyMap<ContainerId, Endpoint>;

  /** A namespace with all the endpoints; from the pool where only the default bridge is asked for. `none` gives one with loopback only. */
  claim(request: SandboxRequest): Promise<Sandbox>;
  sandboxOf(containerId: ContainerId): Sandbox | undefined;
  /** Joins a running container to a further network. */
  connect(
    containerId: ContainerId,
    containerName: string,
    ref: string,
    request: EndpointRequest,
    hostname?: string,
  ): Promise<Endpoint>;
  disconnect(containerId: ContainerId, ref: string): Promise<void>;
  /** Frees everything: addresses, links, the namespace. Idempotent. */
  release(containerId: ContainerId): Promise<void>;
  rename(containerId: ContainerId, name: string): void;
  /** Makes the default networks and fills the pool; keeps the sandboxes of `running` and removes every other one of the instance. */
  recover(running: ReadonlySet<ContainerId>): Promise<void>;
  /** Stops pool and name service; sandboxes in use stay. */
  close(): Promise<void>;
}

/** The part of an endpoint that a client asks for. */
export interface EndpointRequest {
  readonly IPAMConfig?: {
    readonly IPv4Address?: string;
    readonly IPv6Address?: string;
    readonly LinkLocalIPs?: readonly string[];
  } | null;
  readonly Links?: readonly string[] | null;
  readonly Aliases?: readonly string[] | null;
  readonly MacAddress?: string;
  /** The endpoint with the highest one has the default route; 0 where absent. */
  readonly GwPriority?: number;
  readonly DriverOpts?: Readonly<Record<string, string>> | null;
}
