import type { ContainerId } from "../../engine/ids.ts";
import type { Container } from "./container.ts";

/** What was under way when the row was written, and how it was asked for: after a crash the reconciler finishes or undoes it. */
export type Intent =
  | { readonly kind: "create" }
  | { readonly kind: "start" }
  /** It is paused for as long as a commit reads its files. */
  | { readonly kind: "commit" }
  | { readonly kind: "stop" | "restart"; readonly signal?: string; readonly timeoutSeconds?: number }
  /** A process that still runs is killed first. */
  | { readonly kind: "remove"; readonly volumes: boolean };

export interface StoredContainer {
  readonly container: Container;
  readonly intent: Intent | undefined;
}

/** The durable side of the registry. Every write is on disk when it settles. */
export interface ContainerStore {
  load(): Promise<readonly StoredContainer[]>;
  /** Throws `conflict` where the name is taken. */
  insert(container: Container, intent: Intent): Promise<void>;
  save(container: Container, intent: Intent | undefined): Promise<void>;
  delete(id: ContainerId): Promise<void>;
}
