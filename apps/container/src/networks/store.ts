import type { ContainerId } from "../engine/ids.ts";
import type { Endpoint, Network } from "./networks.ts";

/** An endpoint with what it takes to undo it. */
export interface PlacedEndpoint extends Endpoint {
  /** The host's end of its links. */
  readonly link: string;
  readonly interfaceName: string;
}

/** A running container's namespace, as it is kept. */
export interface StoredSandbox {
  readonly containerId: ContainerId;
  readonly containerName: string;
  /** The container's owner; undefined for an administrator. */
  readonly owner: string | undefined;
  readonly hostServices: boolean;
  readonly path: string;
  readonly endpoints: readonly PlacedEndpoint[];
  /** Whom to ask for other names instead of the host's resolvers. */
  readonly nameservers: readonly string[] | undefined;
}

/** The networks and sandboxes that survive a crash. */
export interface NetworkStore {
  load(): Promise<{ readonly networks: readonly Network[]; readonly sandboxes: readonly StoredSandbox[] }>;
  /** Throws `conflict` where the name is taken. */
  insertNetwork(network: Network): Promise<void>;
  deleteNetwork(id: string): Promise<void>;
  /** Writes the sandbox, over the container's earlier one. */
  saveSandbox(sandbox: StoredSandbox): Promise<void>;
  deleteSandboxes(containerIds: readonly ContainerId[]): Promise<void>;
}
