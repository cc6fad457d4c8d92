import type { PortRange, Protocol } from "@berth/port-spec";
import type { GroupId } from "./group.ts";
import type { UserId } from "./user.ts";

/** How a constraint changes what its owner may do: `grant` adds values, `limit` keeps only its values, `deny` removes its values. */
export const EFFECTS = ["limit", "deny", "grant"] as const;
export type Effect = (typeof EFFECTS)[number];

/** Host ports, both ends included; every protocol if `protocol` is omitted. */
export interface HostPortRange extends PortRange {
  readonly protocol?: Protocol;
}

/** A host folder and all below it. `readOnly` covers only read-only mounts, except in a deny, which covers both. */
export interface HostFolder {
  readonly path: string;
  readonly readOnly: boolean;
}

/** Ways out of the container: each could make a user root on the host, or reach another user's container. */
export const HOST_PRIVILEGES = [
  "privileged",
  "host-network",
  "host-pid",
  "host-ipc",
  "host-uts",
  "host-users",
  "host-cgroups",
  "host-services",
  "join-container",
  "devices",
  "unconfined",
  "sysctls",
  "runtime",
  "cgroup-parent",
] as const;
export type HostPrivilege = (typeof HOST_PRIVILEGES)[number];
/** A capability beyond the default set, as in `capability:NET_ADMIN`; `capability:ALL` is all of them. */
export type CapabilityPrivilege = `capability:${string}`;
export type Privilege = HostPrivilege | CapabilityPrivilege;

/** What members of a group can share a quota of. `memory` is in bytes, `cpu` in processors (0.5 is half of one). */
export const SHARED_RESOURCES = ["containers", "published-ports", "memory", "cpu", "pids"] as const;
export type SharedResource = (typeof SHARED_RESOURCES)[number];
/** Resources of a quota, which covers all that a user has. `storage` is in bytes that writable layers, logs and volumes take of the disk. */
export const RESOURCES = [...SHARED_RESOURCES, "networks", "storage"] as const;
export type Resource = (typeof RESOURCES)[number];

/** A kind with its value. */
export type Rule =
  | { readonly kind: "host-ports"; readonly ports: readonly HostPortRange[] }
  | { readonly kind: "host-interfaces"; readonly addresses: readonly string[] }
  | { readonly kind: "images"; readonly patterns: readonly string[] }
  | { readonly kind: "mounts"; readonly folders: readonly HostFolder[] }
  | { readonly kind: "privileges"; readonly privileges: readonly Privilege[] }
  | { readonly kind: "networks"; readonly names: readonly string[] }
  | { readonly kind: "subnets"; readonly subnets: readonly string[] }
  | { readonly kind: "quota"; readonly resource: Resource; readonly max: number }
  /** One amount for all members of a group together, those of its subgroups among them; always a group's, and always a limit. */
  | { readonly kind: "shared-quota"; readonly resource: SharedResource; readonly max: number };

export const KINDS = [
  "host-ports",
  "host-interfaces",
  "images",
  "mounts",
  "privileges",
  "networks",
  "subnets",
  "quota",
  "shared-quota",
] as const;
export type Kind = (typeof KINDS)[number];

export type Constraint = { readonly effect: Effect } & Rule;

/** Exactly one user or one group owns a constraint. A group's name is for messages. */
export type Owner =
  | { readonly type: "user"; readonly id: UserId }
  | { readonly type: "group"; readonly id: GroupId; readonly name?: string };

/** The owner of what a place imposes on everything in it; see `withinPlace`. */
export interface PlaceOwner {
  readonly type: "place";
  readonly id: string;
  readonly name: string;
}

declare const constraintId: unique symbol;
export type ConstraintId = number & { readonly [constraintId]: true };

export type OwnedConstraint = Constraint & {
  readonly id: ConstraintId;
  readonly owner: Owner | PlaceOwner;
  /** UTC instant (`2030-01-31T00:00:00.000Z`) at which it expires; null if it does not. */
  readonly expiresAt: string | null;
};

/** A constraint that this version cannot read. Its users are refused everything, because ignoring it could permit too much. */
export interface UnreadableConstraint {
  readonly id: ConstraintId;
  readonly owner: Owner;
  readonly kind: string;
}
