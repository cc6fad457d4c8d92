import { type ContainerFacts, decide, effectivePorts, effectiveQuota, type Privilege } from "@berth/directory-domain";
import type { PortSet, Protocol } from "@berth/port-spec";
import type { Actor } from "../engine/actor.ts";
import { assertAllowed, type User } from "./assert-allowed.ts";

/** The host ports that an allocator may pick from; undefined if no constraint applies. */
export type PermittedPorts = Readonly<Record<Protocol, PortSet>> | undefined;

/**
 * Checks whether the user may run this container now. Runs at create and at every start, so that constraints tightened in between
 * apply. Throws `forbidden` with the whole explanation.
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

/** Whether the user's containers may reach the services of the host itself, beyond the ports that containers publish. */
export function mayReachHost({ effective }: Actor & { readonly kind: "user" }): boolean {
  return decide({ privileges: ["host-services"] }, effective).allowed;
}

/**
 * Checks that the user is within its quota on storage. Throws `forbidden`.
 *
 * @param used bytes that its layers, logs and volumes take.
 * @returns how many bytes it may write yet; Infinity without a quota.
 */
export function assertStorageAllowed(user: User, used: number): number {
  assertAllowed(user, { quantities: { storage: 0 }, used: { storage: used } });
  return effectiveQuota(user.effective, "storage") - used;
}

/**
 * Decides on an exec by the privileges that its container already has and the one it asks for itself, so that a withdrawn grant ends
 * new execs too. Throws `forbidden`.
 *
 * @param held see `privilegesOf`.
 */
export function assertExecAllowed(
  actor: Actor,
  request: { readonly privileged: boolean },
  held: readonly Privilege[],
): void {
  if (actor.kind !== "user") return;
  const privileges = new Set<Privilege>(request.privileged ? [...held, "privileged"] : held);
  assertAllowed(actor, { privileges: [...privileges] });
}
