import type { Filters } from "../engine/filters.ts";
import type { ContainerId } from "../engine/ids.ts";

/** What is asked of a network, and kept as it was asked. */
interface NetworkSettings {
  readonly name: string;
  readonly internal: boolean;
  readonly attachable: boolean;
  readonly enableIPv6: boolean;
  readonly options: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly ipam: {
    readonly driver: string;
    readonly options: Readonly<Record<string, string>> | null;
    readonly config: readonly IpamConfig[];
  };
}

/** A Docker network as the service keeps it. */
export interface Network extends NetworkSettings {
  readonly id: string;
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

/** A container's place in one network. Empty strings and zero where it has no address now, as Docker shows them. */
export interface Endpoint {
  readonly networkId: string;
  readonly networkName: string;
  readonly endpointId: string;
  readonly address: string;
  readonly prefixLength: number;
  readonly gateway: string;
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
}

export interface SandboxRequest {
  readonly containerId: ContainerId;
  /** Names that the container answers to on user networks: its name, its short id, its aliases per network. */
  readonly containerName: string;
  /** A further name that it answers to. */
  readonly hostname?: string;
  /** By network name or id; the first has the default route. */
  readonly endpoints: Readonly<Record<string, EndpointRequest>>;
  /** Whom the name service asks for other names (`--dns`); absent or empty means the host's resolvers. */
  readonly nameservers?: readonly string[];
}

export interface CreateNetworkRequest extends NetworkSettings {
  readonly driver: string;
  readonly checkDuplicate: boolean;
}

/** Networks and the sandboxes on them. Every failure is an EngineError with Docker's status and message. */
export interface Networks {
  get(ref: string): Network;
  list(filters: Filters): readonly Network[];
  create(request: CreateNetworkRequest): Promise<{ readonly id: string; readonly warning: string }>;
  remove(ref: string): Promise<void>;
  prune(filters: Filters): Promise<readonly string[]>;
  /** The endpoints on a network now, by container. */
  endpointsOn(networkId: string): ReadonlyMap<ContainerId, Endpoint>;

  /** A namespace with all the endpoints; from the pool where the default bridge alone is asked for. `none` gives one with loopback only. */
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
  /** Gives everything back: addresses, links, the namespace. Idempotent. */
  release(containerId: ContainerId): Promise<void>;
  rename(containerId: ContainerId, name: string): void;
  /** Makes the default network and fills the pool; keeps the sandboxes of `running`, sweeps every other of ours. */
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
  readonly DriverOpts?: Readonly<Record<string, string>> | null;
}
