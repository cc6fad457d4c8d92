import { formatEndpoint, type PortAssignment } from "@berth/port-spec";
import { EngineError } from "../engine/errors.ts";
import type { Holder } from "./lease-store.ts";

/** Why a lease was refused: the `cause` of its error. port-spec's `PortConflict`, with the holder as the host knows it. */
export interface LeaseConflict {
  /** The requested endpoint. */
  readonly wanted: Pick<PortAssignment, "hostIp" | "hostPort" | "protocol">;
  /** The conflicting lease; it may be on another address of the same port. */
  readonly held: Pick<PortAssignment, "hostIp" | "hostPort" | "protocol"> | undefined;
  readonly holder: Holder | undefined;
}

/**
 * Docker's message, followed by the holder: a container's name, or a process's id and command. A user does not learn the names of other
 * owners' containers or of the host's processes.
 *
 * @param reason dockerd's words: `Bind for 0.0.0.0:8080 failed: port is already allocated`.
 */
export function leaseConflictError(
  reason: string,
  conflict: LeaseConflict,
  requester: string | undefined,
): EngineError {
  const holder =
    conflict.holder === undefined ? "" : `: address already in use by ${describeHolder(conflict.holder, requester)}`;
  const { held, wanted } = conflict;
  const elsewhere = held !== undefined && holder !== "" && held.hostIp !== wanted.hostIp;
  const where = elsewhere ? ` (on ${formatEndpoint(held.hostIp, held.hostPort)})` : "";
  return new EngineError("failed", `${reason}${holder}${where}`, { cause: conflict });
}

function describeHolder(holder: Holder, requester: string | undefined): string {
  if (holder.kind === "container")
    return requester === undefined || holder.owner === requester
      ? `container ${holder.containerName}`
      : "another user's container";
  if (holder.pid === undefined || requester !== undefined) return "another process";
  return `process ${holder.pid}${holder.command === undefined ? "" : ` (${holder.command})`}`;
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
