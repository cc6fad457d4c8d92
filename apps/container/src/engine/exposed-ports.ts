import { PROTOCOLS } from "@berth/port-spec";

/**
 * The most ports that one list may expose: every port of each protocol. Ranges may overlap, and some thousand of all ports would be more
 * than memory holds.
 */
export const MOST_EXPOSED_PORTS = PROTOCOLS.length * 65_535;
