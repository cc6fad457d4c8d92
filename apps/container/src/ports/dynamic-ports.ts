import {
  type PortSet,
  PROTOCOLS,
  type Protocol,
  portSetIntersect,
  portSetIsEmpty,
  portSetUnion,
} from "@berth/port-spec";

/**
 * Where dynamic ports come from for someone who may have only the permitted ones: the host's range as far as it is permitted; where
 * it is not at all, the permitted ports themselves, since whoever may have some port gets one.
 */
export function dynamicPorts(automatic: PortSet, permitted: Readonly<Record<Protocol, PortSet>> | undefined): PortSet {
  return PROTOCOLS.map((protocol) => permitted?.[protocol] ?? automatic)
    .filter((ports) => portSetIsEmpty(portSetIntersect(automatic, ports)))
    .reduce(portSetUnion, automatic);
}
