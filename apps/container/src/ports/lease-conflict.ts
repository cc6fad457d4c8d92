import { formatEndpoint, type PortAssignment, type PortConflict } from "@berth/port-spec";
import { EngineError } from "../engine/errors.ts";
import type { Holder } from "./lease-store.ts";
import { findPortProcess, UNKNOWN_PROCESS } from "./process-ports.ts";

/** Why a lease was refused: the `cause` of its error. port-spec's `PortConflict`, with the holder as the host knows it. */
export interface LeaseConflict {
  /** The requested endpoint. */
  readonly wanted: Pick<PortAssignment, "hostIp" | "hostPort" | "protocol">;
  /** The conflicting lease; it may be on another address of the same port. */
  readonly held: Pick<PortAssignment, "hostIp" | "hostPort" | "protocol"> | undefined;
  readonly holder: Holder | undefined;
}

/** The conflict with the process that has the port: only a refusal names it, because the search reads the open files of every process. */
export async function withProcess(conflict: PortConflict<Holder>): Promise<PortConflict<Holder>> {
  const { lease } = conflict;
  if (lease?.holder !== UNKNOWN_PROCESS) return conflict;
  return { ...conflict, lease: { ...lease, holder: await findPortProcess(lease.protocol, lease.hostPort) } };
}

/**
 * The error of ports that cannot be allocated: dockerd's words, such as `Bind for 0.0.0.0:8080 failed: port is already allocated`, and who
 * has the port.
 *
 * @param requester as in {@link describeHolder}.
 */
export function allocationError(
  { message, wish, hostIp, lease }: PortConflict<Holder>,
  requester: string | undefined,
): EngineError {
  const wanted = { hostIp, hostPort: lease?.hostPort ?? wish.hostPorts?.start ?? 0, protocol: wish.protocol };
  const cause: LeaseConflict = { wanted, held: lease, holder: lease?.holder };
  if (lease === undefined) return new EngineError("failed", message, { cause });
  const inUse = lease.holder.kind === "reservation" ? "" : ": address already in use";
  const where = lease.hostIp === hostIp ? "" : ` (on ${formatEndpoint(lease.hostIp, lease.hostPort)})`;
  return new EngineError("failed", `${message}${inUse}${describeHolder(lease.holder, requester)}${where}`, { cause });
}

/**
 * Names the holder, as in ` by container web` or ` for user ann`. A user learns the names of its own containers alone.
 *
 * @param requester whom the message is for: a user's directory id, or undefined for an administrator.
 */
export function describeHolder(holder: Holder, requester?: string): string {
  const isUser = requester !== undefined;
  switch (holder.kind) {
    case "reservation": {
      const { kind, name } = holder.reservation.claimant;
      return isUser ? " for somebody else" : ` for ${kind} ${name}`;
    }
    case "container":
      return isUser && holder.owner !== requester
        ? " by another user's container"
        : ` by container ${holder.containerName}`;
    case "process": {
      if (isUser || holder.pid === undefined) return " by another process";
      return ` by process ${holder.pid}${holder.command === undefined ? "" : ` (${holder.command})`}`;
    }
  }
}

/** The error for an address that cannot be bound, with the system's reason. */
export function bindError({ hostIp, hostPort, protocol }: PortAssignment, cause: NodeJS.ErrnoException): EngineError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRNOTAVAIL: `cannot assign requested address: no interface of this host has ${hostIp}`,
    // A link-local address needs a zone, which HostIp cannot express.
    EINVAL: `cannot assign requested address: ${hostIp} is not usable without an interface`,
    EAFNOSUPPORT: "address family not supported by this host",
    EACCES: "permission denied",
    EMFILE: "too many open files: the service holds a socket for every published port",
  };
  const reason = reasons[cause.code ?? ""] ?? cause.message;
  return new EngineError("failed", `listen ${protocol} ${formatEndpoint(hostIp, hostPort)}: bind: ${reason}`, {
    cause,
  });
}
