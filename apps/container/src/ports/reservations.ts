import { randomUUID } from "node:crypto";
import {
  findOverlap,
  formatPortRange,
  type HostEndpoint,
  type Lease,
  type Leases,
  leasesOf,
  portRangeSize,
} from "@berth/port-spec";
import { SYSTEM_CLOCK } from "../engine/clock.ts";
import { EngineError } from "../engine/errors.ts";
import { closeAll, holdAll } from "./held-ports.ts";
import { bindError, describeHolder } from "./lease-conflict.ts";
import type { Holder } from "./lease-store.ts";
import { findPortProcess } from "./process-ports.ts";
import type { Claimant, Reservation, ReservationRequest, ReservationStore } from "./reservation.ts";

/** Whose container asks for ports. */
export interface Requester {
  /** The owner's directory id; undefined for an administrator's container. */
  readonly owner: string | undefined;
  /** The ids of the owner's groups. Undefined where nobody was asked: then no reservation of a group excludes the container. */
  readonly groups?: ReadonlySet<string> | undefined;
}

const NOBODY: Requester = { owner: undefined };

/** How many sockets a check of ports opens at once. */
const PROBED_AT_ONCE = 256;

/** The reservations of this host. */
export class Reservations {
  readonly #store: ReservationStore;
  readonly #anyAddress: readonly string[];
  readonly #all = new Map<string, Reservation>();

  /** @param anyAddress the addresses that an empty HostIp stands for. */
  constructor(store: ReservationStore, anyAddress: readonly string[]) {
    this.#store = store;
    this.#anyAddress = anyAddress;
  }

  async load(): Promise<void> {
    for (const reservation of await this.#store.load()) this.#all.set(reservation.id, reservation);
  }

  all(): readonly Reservation[] {
    return [...this.#all.values()];
  }

  /** What keeps ports from the requester: a lease for each reserved port and address. */
  against(requester: Requester): Leases<Holder> {
    const others = this.all().filter(({ claimant }) => !isClaimedBy(claimant, requester));
    return leasesOf(others.flatMap((reservation) => this.#leasesOf(reservation)));
  }

  /** Reserves ports beside the leases `taken`; throws as `PortBook.reserve` does. */
  async reserve(request: ReservationRequest, taken: Leases<Holder>): Promise<Reservation> {
    const reservation = { ...request, id: randomUUID(), since: SYSTEM_CLOCK.now() };
    const wanted = this.#leasesOf(reservation);
    const reserved = this.against(NOBODY);
    const unleased = wanted.filter((endpoint) => !isHeldFor(request.claimant, findOverlap(taken, endpoint)));
    for (const endpoint of wanted) assertFree(endpoint, findOverlap(reserved, endpoint));
    for (const endpoint of unleased) assertFree(endpoint, findOverlap(taken, endpoint));
    // From here on no container of anybody else gets them.
    this.#all.set(reservation.id, reservation);
    try {
      await assertBindable(unleased);
      await this.#store.insert(reservation);
      return reservation;
    } catch (thrown) {
      this.#all.delete(reservation.id);
      throw thrown;
    }
  }

  /** Throws `not-found`. */
  async remove(id: string): Promise<void> {
    if (!this.#all.has(id)) throw new EngineError("not-found", `No such reservation: ${id}`);
    await this.#store.delete(id);
    this.#all.delete(id);
  }

  #leasesOf(reservation: Reservation): readonly Lease<Holder>[] {
    const { hostIp, hostPorts, protocol } = reservation;
    const holder: Holder = { kind: "reservation", reservation };
    const addresses = hostIp === "" ? this.#anyAddress : [hostIp];
    const ports = Array.from({ length: portRangeSize(hostPorts) }, (_, at) => hostPorts.start + at);
    return addresses.flatMap((address) => ports.map((hostPort) => ({ hostIp: address, hostPort, protocol, holder })));
  }
}

/** Whether the requester is the claimant, in it, or a member of it. */
export function isClaimedBy({ kind, id }: Claimant, { owner, groups }: Requester): boolean {
  if (owner === undefined) return false;
  return kind === "group" ? groups === undefined || groups.has(id) : id === owner;
}

/** Whether a container of that very user has the lease. Who is in a group is not known here. */
function isHeldFor({ kind, id }: Claimant, lease: Lease<Holder> | undefined): boolean {
  return kind === "user" && lease?.holder.kind === "container" && lease.holder.owner === id;
}

function assertFree(endpoint: HostEndpoint, lease: Lease<Holder> | undefined): void {
  if (lease !== undefined) throw conflictOf(endpoint, lease.holder);
}

function conflictOf({ hostPort, protocol }: HostEndpoint, holder: Holder): EngineError {
  const what = holder.kind === "reservation" ? "already reserved" : "in use";
  const spec = formatPortRange({ start: hostPort, end: hostPort });
  return new EngineError("conflict", `cannot reserve ${spec}/${protocol}: it is ${what}${describeHolder(holder)}`);
}

/** Throws unless every endpoint can be bound now: `conflict` for one that another program has, `invalid` for an address of no interface. */
async function assertBindable(endpoints: readonly HostEndpoint[]): Promise<void> {
  for (let from = 0; from < endpoints.length; from += PROBED_AT_ONCE) {
    const probed = endpoints.slice(from, from + PROBED_AT_ONCE);
    const { held, refused } = await holdAll(probed.map((endpoint) => ({ ...endpoint, containerPort: 1 })));
    await closeAll(held);
    for (const { assignment, error } of refused) {
      if (error.code === "EADDRINUSE")
        throw conflictOf(assignment, await findPortProcess(assignment.protocol, assignment.hostPort));
      throw new EngineError("invalid", bindError(assignment, error).message, { cause: error });
    }
  }
}
