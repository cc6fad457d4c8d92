import type { ContainerId } from "../../engine/ids.ts";
import type { Container } from "./container.ts";

/** The operation in progress when the row was written, with its options. After a crash the reconciler finishes or undoes it. */
export type Intent =
  | { readonly kind: "create" }
  | { readonly kind: "start" }
  /** Paused while a commit reads its files. */
  | { readonly kind: "commit" }
  | { readonly kind: "stop" | "restart"; readonly signal?: string; readonly timeoutSeconds?: number }
  /** A running container joins or leaves the network with this id: it is to leave it. */
  | { readonly kind: "leave"; readonly network: string }
  /** Kills the process first if it still runs. */
  | { readonly kind: "remove"; readonly volumes: boolean };

export interface StoredContainer {
  readonly container: Container;
  readonly intent: Intent | undefined;
}

/** The durable side of the registry. A write is on disk when it settles. */
export interface ContainerStore {
  load(): Promise<readonly StoredContainer[]>;
  /** Throws `conflict` if the name is taken. */
  insert(container: Container, intent: Intent): Promise<void>;
  save(container: Container, intent: Intent | undefined): Promise<void>;
  delete(id: ContainerId): Promise<void>;
}
