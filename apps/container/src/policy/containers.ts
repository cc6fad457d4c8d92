import { type ContainerFacts, effectivePorts } from "@berth/directory-domain";
import type { PortSet, Protocol } from "@berth/port-spec";
import type { Actor } from "../engine/actor.ts";
import { assertAllowed } from "./assert-allowed.ts";

/** The host ports that an allocator may pick from; undefined where no constraint speaks. */
export type PermittedPorts = Readonly<Record<Protocol, PortSet>> | undefined;

/**
 * Whether the user may have this container as it would run now: asked at create, and again at every start, so that a constraint
 * tightened in between holds. Throws `forbidden` with the whole explanation.
 *
 * @param facts see `containerFacts`.
 */
export function assertContainerAllowed(user: Actor & { readonly kind: "user" }, facts: ContainerFacts): PermittedPorts {
  assertAllowed(user, facts);
  return {
    tcp: effectivePorts(user.effective, "tcp"),
    udp: effectivePorts(user.effective, "udp"),
    sctp: effectivePorts(user.effective, "sctp"),
  };
}

/** An exec may take no more of the host than a container may. Throws `forbidden`. */
export function assertExecAllowed(actor: Actor, request: { readonly privileged: boolean }): void {
  if (actor.kind === "user" && request.privileged) assertAllowed(actor, { privileges: ["privileged"] });
}
