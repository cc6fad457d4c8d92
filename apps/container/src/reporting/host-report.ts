import type { RefusedUser } from "../actions/refusals.ts";
import type { Container } from "../containers/records/container.ts";
import type { HostDefaults } from "../engine/host-defaults.ts";
import type { HostReport } from "../engine/host-report.ts";
import { userOf } from "../engine/owners.ts";
import { type DecidedContainer, usedBy } from "../policy/facts.ts";
import type { HeldLease } from "../ports/ports.ts";
import type { ProcessPort } from "../ports/process-ports.ts";
import type { Reservation } from "../ports/reservation.ts";

/** What a report is made of. */
export interface Reported {
  readonly engineVersion: string;
  readonly containers: readonly Container[];
  readonly leases: readonly HeldLease[];
  readonly reservations: readonly Reservation[];
  readonly processPorts: readonly ProcessPort[];
  readonly refusals: { readonly since: string; list(): readonly RefusedUser[] };
  /** What counts against quotas beside containers, such as builds. */
  readonly held: readonly (DecidedContainer & { readonly owner: string })[];
  /** Bytes that an owner's layers, logs and volumes take. */
  readonly storageOf: (owner: string) => number;
  readonly host: HostDefaults;
}

const MAX_TEXT = 300;

/** The host's report. Pure: nothing in it is a value that a container was given, such as a command or a variable. */
export function hostReport(reported: Reported): HostReport {
  return {
    engineVersion: reported.engineVersion,
    containers: reported.containers.map(({ id, name, image, state, owner, createdAt }) => ({
      id,
      name: text(name),
      image: text(image),
      state: state.status,
      ownerId: idOf(owner),
      createdAt,
      startedAt: state.startedAt ?? null,
    })),
    heldPorts: [...reported.leases.map(leased), ...reported.reservations.map(reserved)],
    processPorts: reported.processPorts.map(({ hostIp, hostPort, protocol, holder }) => ({
      ...{ hostIp, port: hostPort, protocol },
      pid: holder.pid ?? null,
      command: holder.command === undefined ? null : text(holder.command),
    })),
    refusedSince: reported.refusals.since,
    refusedUsers: reported.refusals.list().map(({ user, count, at, action, reason }) => ({
      ...{ userId: idOf(user), times: count, at, action },
      reason: text(reason),
    })),
    usage: usageOf(reported),
  };
}

function leased({ hostIp, hostPort, protocol, containerPort, holder }: HeldLease): HostReport["heldPorts"][number] {
  const { containerId, containerName, owner, since } = holder;
  return {
    ...{ hostIp, start: hostPort, end: hostPort, protocol, since },
    ...{ containerPort, containerId, containerName: text(containerName), ownerId: idOf(owner), reservedFor: null },
  };
}

function reserved({ hostIp, hostPorts, protocol, claimant, since }: Reservation): HostReport["heldPorts"][number] {
  const id = idOf(claimant.id);
  return {
    ...{ hostIp, start: hostPorts.start, end: hostPorts.end, protocol, since },
    ...{ containerPort: null, containerId: null, containerName: null, ownerId: null },
    reservedFor:
      id === null ? null : { type: claimant.kind === "group" ? "group" : "user", id, name: text(claimant.name) },
  };
}

function usageOf({ containers, held, storageOf, host }: Reported): HostReport["usage"] {
  const everything = [...containers, ...held];
  const owners = [...new Set(everything.map(({ owner }) => owner))].filter((owner) => owner !== undefined);
  const users = [...new Set(owners.map(userOf))];
  return users.flatMap((user) => {
    const ownerId = idOf(user);
    // A place counts with its size, as one of the user's containers; what is in it adds only what it stores.
    const own = everything.filter((one) => one.owner === user);
    const stored = owners.filter((owner) => userOf(owner) === user).reduce((sum, owner) => sum + storageOf(owner), 0);
    return ownerId === null ? [] : [{ ownerId, used: usedBy(own, host, stored) }];
  });
}

/** The id of the user in the directory, also of what is in a place of the user; null where there is none. */
function idOf(owner: string | undefined): number | null {
  const user = owner && userOf(owner);
  return user === undefined || !/^[1-9]\d{0,15}$/.test(user) ? null : Number(user);
}

function text(of: string): string {
  return of.replaceAll(/\p{Cc}/gu, " ").slice(0, MAX_TEXT);
}
