import type { MembershipRole, OwnFields } from "@berth/directory-domain";

export interface NamedMembership {
  readonly userId: number;
  readonly groupId: number;
  readonly user: string;
  readonly group: string;
  readonly role: MembershipRole;
}

export interface NamedSubgroup {
  readonly groupId: number;
  readonly subgroupId: number;
  readonly group: string;
  readonly subgroup: string;
}

/** A constraint as it is stored, whether or not this version can read it. */
export interface StoredConstraint {
  readonly effect: string;
  readonly kind: string;
  readonly value: object;
  readonly note: string | null;
  readonly expiresAt: string | null;
}
export type NamedConstraint = StoredConstraint & {
  readonly id: number;
  /** One of them is the owner's name; the other is null. */
  readonly user: string | null;
  readonly group: string | null;
};
export type NewConstraintRow = StoredConstraint & { readonly userId: number | null; readonly groupId: number | null };

/** Many records at once, by name, for exports and imports of a whole directory. Pages are in the order of ids. */
export interface TransferStore {
  passHashes(userIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** The ids of users and groups by the folded names that exist. */
  userIds(logins: readonly string[]): Promise<ReadonlyMap<string, number>>;
  groupIds(names: readonly string[]): Promise<ReadonlyMap<string, number>>;
  memberships(
    after: { readonly groupId: number; readonly userId: number },
    limit: number,
  ): Promise<readonly NamedMembership[]>;
  subgroups(
    after: { readonly groupId: number; readonly subgroupId: number },
    limit: number,
  ): Promise<readonly NamedSubgroup[]>;
  constraints(afterId: number, limit: number): Promise<readonly NamedConstraint[]>;
  addGroups(
    groups: readonly { readonly name: string; readonly externalId: string | null; readonly fields: OwnFields }[],
  ): Promise<void>;
  /** Adds memberships; of one that exists it sets the role. */
  addMemberships(memberships: readonly Pick<NamedMembership, "userId" | "groupId" | "role">[]): Promise<void>;
  addConstraints(constraints: readonly NewConstraintRow[]): Promise<void>;
  removeConstraintsOf(owners: { readonly users: readonly number[]; readonly groups: readonly number[] }): Promise<void>;
  /** Leaves single changes out of the audit and raises the policy version once, at the end of `work`. */
  inBulk(work: () => Promise<void>): Promise<void>;
}
