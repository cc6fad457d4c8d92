/** The tables that the instance has: one for each family, of one name. */
export type Family = "ip" | "ip6" | "bridge";

/** One element of a set, or of a map where it has a value. */
export interface Element {
  readonly family: Family;
  readonly set: string;
  readonly key: string;
  readonly value?: string;
}

/** A set or a map of the instance's tables. */
export interface SetOfElements {
  readonly family: Family;
  readonly set: string;
  readonly isMap: boolean;
  /** What its elements are, as nft defines it. */
  readonly of: string;
}

/** Elements to add and to delete, the latter first. */
export interface ElementChange {
  readonly add: readonly Element[];
  readonly delete: readonly Element[];
}
