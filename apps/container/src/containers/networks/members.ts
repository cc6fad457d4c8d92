import type { Actor } from "../../engine/actor.ts";
import type { EndpointRequest } from "../../networks/networks.ts";

/** Connects containers to networks and disconnects them: running ones immediately, stopped ones from their next start. */
export interface NetworkMembers {
  connect(actor: Actor, network: string, ref: string, request: EndpointRequest): Promise<void>;
  /** With `force`, also for a container that no longer exists. */
  disconnect(actor: Actor, network: string, ref: string, options: { readonly force: boolean }): Promise<void>;
}
