import type { Actor } from "../../engine/actor.ts";
import type { EndpointRequest } from "../../networks/networks.ts";

/** Containers joining and leaving networks: a running one at once, a stopped one from its next start. */
export interface NetworkMembers {
  connect(actor: Actor, network: string, ref: string, request: EndpointRequest): Promise<void>;
  /** `force` also where the container is gone. */
  disconnect(actor: Actor, network: string, ref: string, options: { readonly force: boolean }): Promise<void>;
}
