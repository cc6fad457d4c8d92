export { allocate } from "./allocate/allocate.ts";
export {
  addLeases,
  eachLease,
  endpointsOverlap,
  findOverlap,
  type HostEndpoint,
  type Lease,
  type Leases,
  leasesOf,
  NO_LEASES,
  removeLeases,
} from "./allocate/leases.ts";
export type { PortConflict } from "./allocate/port-conflict.ts";
export { type PortHolder, portHolders } from "./allocate/port-holders.ts";
export { DEFAULT_PORT_POLICY, type PortPolicy } from "./allocate/port-policy.ts";
export type { PortAssignment, PortWish, PortWishes } from "./allocate/port-wish.ts";
export { compareApiVersions } from "./rules/api-version.ts";
export { type ImagePorts, type ResolvedPorts, resolveCreatePorts } from "./rules/create-ports.ts";
export type { CreatePorts, HostPorts, PartialBinding } from "./rules/create-request.ts";
export { formatDockerPort, formatPublicPort } from "./rules/docker-port.ts";
export { formatPorts } from "./rules/format-ports.ts";
export {
  type InspectedPorts,
  type InspectPortSettings,
  type InspectPorts,
  inspectPorts,
} from "./rules/inspect-ports.ts";
export { type ListedPort, listPorts } from "./rules/list-ports.ts";
export {
  START_PORTS_RULES,
  type StartPorts,
  type StartPortsRule,
  startPortsRule,
  startTimePorts,
} from "./rules/start-ports.ts";
export {
  type EnginePorts,
  type ExposedPorts,
  fromEngine,
  type PortBinding,
  type PortBindings,
  toEngine,
} from "./spec/bindings.ts";
export { type Cidr, cidrContains, cidrOverlaps, formatCidr, formatIp, parseCidr, parseIp } from "./spec/cidr.ts";
export { canonicalIp, formatEndpoint, type IpFamily, ipFamily, isIp } from "./spec/ip-address.ts";
export type { PortError, PortErrorCode } from "./spec/port-error.ts";
export { type ContainerPort, formatPortKey, type PortKey, parsePortKey } from "./spec/port-key.ts";
export { formatPortRange, MAX_PORT, type PortRange, parsePortRange, portRangeSize } from "./spec/port-range.ts";
export {
  ALL_PORTS,
  formatPortSet,
  NO_PORTS,
  type PortSet,
  parsePortSet,
  portSet,
  portSetContains,
  portSetIncludes,
  portSetIntersect,
  portSetIsEmpty,
  portSetSize,
  portSetSubtract,
  portSetUnion,
} from "./spec/port-set.ts";
export { formatPortSpec, type PortSpec, parsePortSpec } from "./spec/port-spec.ts";
export { PROTOCOLS, type Protocol, parseProtocol } from "./spec/protocol.ts";
export { err, ok, type Result } from "./spec/result.ts";
