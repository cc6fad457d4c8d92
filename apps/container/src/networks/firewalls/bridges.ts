/** The bridges whose packets of one family are to pass. */
export interface FamilyBridges {
  readonly all: readonly string[];
  /** Those with a name service, which their containers ask at an address of the host. */
  readonly named: readonly string[];
}

/** The bridges whose packets are to pass: each for IPv4, those with IPv6 for that too. */
export interface Bridges extends FamilyBridges {
  readonly ipv6: FamilyBridges;
}
