import {
  type PortSet,
  PROTOCOLS,
  type Protocol,
  portSetIntersect,
  portSetIsEmpty,
  portSetUnion,
} from "@berth/port-spec";

/**
 * The dynamic range of a user who is limited to permitted ports: the permitted part of the host's range, or all permitted ports if
 * that part is empty.
 */
export function dynamicPorts(automatic: PortSet, permitted: Readonly<Record<Protocol, PortSet>> | undefined): PortSet {
  return PROTOCOLS.map((protocol) => permitted?.[protocol] ?? automatic)
    .filter((ports) => portSetIsEmpty(portSetIntersect(automatic, ports)))
    .reduce(portSetUnion, automatic);
}
