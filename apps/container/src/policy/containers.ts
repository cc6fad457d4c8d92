import {
  type ContainerFacts,
  type Decision,
  decide,
  type EffectiveConstraints,
  effectivePorts,
  effectiveQuota,
  type Privilege,
} from "@berth/directory-domain";
import type { PortSet, Protocol } from "@berth/port-spec";
import type { Actor } from "../engine/actor.ts";
import { assertAllowed, type User } from "./assert-allowed.ts";

/** What the owner of a container may do with host ports. */
export interface PortRights {
  readonly permitted: Readonly<Record<Protocol, PortSet>>;
  /** The ids of its groups, whose reservations it may use. */
  readonly groups: ReadonlySet<string>;
}

/** The ids of the user's groups, as owners and claimants have them. */
export function groupIdsOf({ groups }: EffectiveConstraints): ReadonlySet<string> {
  return new Set(groups.map(({ id }) => String(id)));
}

/**
 * Checks whether the user may run this container now. Runs at create and at every start, so that constraints tightened in between
 * apply. Throws `forbidden` with the whole explanation.
 *
 * @param facts see `containerFacts`.
 */
export function assertContainerAllowed(user: Actor & { readonly kind: "user" }, facts: ContainerFacts): PortRights {
  assertAllowed(user, facts);
  return portRightsOf(user);
}

/** What the user's constraints permit of host ports. */
function portRightsOf({ effective }: User): PortRights {
  return {
    permitted: {
      tcp: effectivePorts(effective, "tcp"),
      udp: effectivePorts(effective, "udp"),
      sctp: effectivePorts(effective, "sctp"),
    },
    groups: groupIdsOf(effective),
  };
}

/** The decision that {@link assertContainerAllowed} would take, as a value; it counts nowhere. */
export function decideContainer(
  user: User,
  facts: ContainerFacts,
): { readonly decision: Decision; readonly rights: PortRights } {
  return { decision: decide(facts, user.effective), rights: portRightsOf(user) };
}

/** Whether the user's containers may reach the services of the host itself, beyond the ports that containers publish. */
export function mayReachHost({ effective }: Actor & { readonly kind: "user" }): boolean {
  return decide({ privileges: ["host-services"] }, effective).allowed;
}

/** Throws `forbidden`, with the whole explanation, unless {@link mayReachHost}. */
export function assertHostReachAllowed(actor: Actor): void {
  if (actor.kind === "user") assertAllowed(actor, { privileges: ["host-services"] });
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
