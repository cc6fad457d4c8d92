export { allocate } from "./allocate.ts";
export { compareApiVersions } from "./api-version.ts";
export {
  type EnginePorts,
  type ExposedPorts,
  fromEngine,
  type PortBinding,
  type PortBindings,
  toEngine,
} from "./bindings.ts";
export { type ComposeLongForm, type ComposePort, formatComposePort, parseComposePort } from "./compose-port.ts";
export { type ImagePorts, type ResolvedPorts, resolveCreatePorts } from "./create-ports.ts";
export type { CreatePortsRequest } from "./create-request.ts";
export { formatDockerPort, formatPublicPort } from "./docker-port.ts";
export { formatPorts } from "./format-ports.ts";
export type { PortAssignment, PortRequest } from "./held-claim.ts";
export { type InspectedPorts, type InspectPortSettings, type InspectPorts, inspectPorts } from "./inspect-ports.ts";
export { canonicalIp, formatEndpoint, type IpFamily, ipFamily, isIp } from "./ip-address.ts";
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
} from "./leases.ts";
export { type ListedPort, listPorts } from "./list-ports.ts";
export type { PortConflict } from "./port-conflict.ts";
export type { PortError, PortErrorCode } from "./port-error.ts";
export { type ContainerPort, formatPortKey, type PortKey, parsePortKey } from "./port-key.ts";
export { DEFAULT_PORT_POLICY, type PortPolicy } from "./port-policy.ts";
export { formatPortRange, MAX_PORT, type PortRange, parsePortRange, portRangeSize } from "./port-range.ts";
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
} from "./port-set.ts";
export { formatPortSpec, type PortSpec, parsePortSpec } from "./port-spec.ts";
export type { PortWish } from "./port-wish.ts";
export { PROTOCOLS, type Protocol, parseProtocol } from "./protocol.ts";
export { err, ok, type Result } from "./result.ts";
export { START_PORTS_RULES, type StartPortsRule, startPortsRule, startTimePorts } from "./start-ports.ts";
