/** The bridges whose packets are to pass. */
export interface Bridges {
  readonly all: readonly string[];
  /** Those with a name service, which their containers ask at an address of the host. */
  readonly named: readonly string[];
}
