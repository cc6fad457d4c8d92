import { formatEndpoint, type PortAssignment } from "@berth/port-spec";
import { EngineError } from "../engine/errors.ts";
import type { Holder } from "./lease-store.ts";

/** Why a lease was refused: the `cause` of its error. */
export interface PortConflict {
  /** What was asked for. */
  readonly wanted: Pick<PortAssignment, "hostIp" | "hostPort" | "protocol">;
  /** What is in the way; may be another address of the same port. */
  readonly held: Pick<PortAssignment, "hostIp" | "hostPort" | "protocol"> | undefined;
  readonly holder: Holder | undefined;
}

/**
 * Docker's text, then the holder as far as known: the container by its name (its owner is in the cause, for whoever may know it),
 * the process by its id and command.
 *
 * @param reason dockerd's words: `Bind for 0.0.0.0:8080 failed: port is already allocated`.
 */
export function portConflictError(reason: string, conflict: PortConflict): EngineError {
  const holder = conflict.holder === undefined ? "" : `: address already in use by ${describeHolder(conflict.holder)}`;
  const { held, wanted } = conflict;
  const elsewhere = held !== undefined && holder !== "" && held.hostIp !== wanted.hostIp;
  const where = elsewhere ? ` (on ${formatEndpoint(held.hostIp, held.hostPort)})` : "";
  return new EngineError("failed", `${reason}${holder}${where}`, { cause: conflict });
}

function describeHolder(holder: Holder): string {
  if (holder.kind === "container") return `container ${holder.containerName}`;
  if (holder.pid === undefined) return "another process";
  return `process ${holder.pid}${holder.command === undefined ? "" : ` (${holder.command})`}`;
}

/** The address itself can't be bound: the host lacks it, or the system refuses. Says which, and what the system said. */
export function bindError({ hostIp, hostPort, protocol }: PortAssignment, cause: NodeJS.ErrnoException): EngineError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRNOTAVAIL: `cannot assign requested address: no interface of this host has ${hostIp}`,
    // A link-local address needs a zone, which HostIp has no room for.
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
