import type { ContainerId } from "../engine/ids.ts";
import type { Endpoint, Network } from "./networks.ts";

/** An endpoint with the names of its links, to remove them. */
export interface PlacedEndpoint extends Endpoint {
  /** The host's end of its links. */
  readonly link: string;
  readonly interfaceName: string;
}

/** A running container's namespace, as stored. */
export interface StoredSandbox {
  readonly containerId: ContainerId;
  readonly containerName: string;
  /** The container's owner; undefined for an administrator. */
  readonly owner: string | undefined;
  readonly hostServices: boolean;
  readonly path: string;
  readonly endpoints: readonly PlacedEndpoint[];
  /** Resolvers for other names, instead of the host's. */
  readonly nameservers: readonly string[] | undefined;
}

/** The networks and sandboxes that survive a crash. */
export interface NetworkStore {
  load(): Promise<{ readonly networks: readonly Network[]; readonly sandboxes: readonly StoredSandbox[] }>;
  /** Throws `conflict` if the name is taken. */
  insertNetwork(network: Network): Promise<void>;
  /** Writes the network over its previous row. */
  updateNetwork(network: Network): Promise<void>;
  deleteNetwork(id: string): Promise<void>;
  /** Writes the sandbox and replaces the container's previous one. */
  saveSandbox(sandbox: StoredSandbox): Promise<void>;
  deleteSandboxes(containerIds: readonly ContainerId[]): Promise<void>;
}
