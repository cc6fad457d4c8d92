import {
  addLeases,
  allocate,
  findOverlap,
  type HostEndpoint,
  type Lease,
  type Leases,
  NO_LEASES,
  type PortAssignment,
  type PortConflict,
  type PortSet,
  type Result,
  removeLeases,
} from "@berth/port-spec";
import { SYSTEM_CLOCK } from "../engine/clock.ts";
import type { ContainerId } from "../engine/ids.ts";
import type { Log } from "../engine/log.ts";
import type { Nft } from "../networks/filter/nft.ts";
import { dynamicPorts, seedAfter } from "./dynamic-ports.ts";
import { closeAll, type Held, holdAll, leadAll } from "./held-ports.ts";
import { sortLeases } from "./kept-leases.ts";
import type { KernelPorts } from "./kernel-ports.ts";
import { allocationError, bindError, withProcess } from "./lease-conflict.ts";
import type { ContainerHolder, Holder, LeaseStore } from "./lease-store.ts";
import { hostWishes, OpenedPorts } from "./opened-ports.ts";
import type { HeldLease, LeaseRequest, PortBook, Ports, PortTarget } from "./ports.ts";
import { bothFamilies, openPorts, type ProcessPort, ProcessPorts, UNKNOWN_PROCESS } from "./process-ports.ts";
import { createPublisher, isRedirected, type PublishedPorts, type Publisher } from "./publisher.ts";
import type { Reservation, ReservationRequest, ReservationStore } from "./reservation.ts";
import { Reservations } from "./reservations.ts";
import { type MissingPorts, retryBind } from "./retry-bind.ts";

export interface HostPortsOptions {
  /** Names the instance's table. */
  readonly instance: string;
  readonly nft: Nft;
  readonly store: LeaseStore;
  readonly reservations: ReservationStore;
  readonly kernel: KernelPorts;
  /** The range of dynamic ports; the kernel's if undefined. */
  readonly dynamic?: PortSet;
  readonly log: Log;
}

/** The leases of one container, with their sockets. */
interface ContainerPorts {
  holder: ContainerHolder;
  readonly assignments: readonly PortAssignment[];
  held: readonly Held[];
  /** Leased but not bound, because another program has them. */
  readonly missing: MissingPorts;
  /** Where the ports lead; undefined until they are published. */
  target: PortTarget | undefined;
}

const NONE_MISSING: MissingPorts = { assignments: () => [], stop: async () => undefined };

/** The ports of this host: rows in the database, listening sockets, and paths in the kernel. */
export class HostPorts implements Ports, PortBook {
  readonly #store: LeaseStore;
  readonly #reservations: Reservations;
  readonly #kernel: KernelPorts;
  readonly #dynamic: PortSet;
  readonly #log: Log;
  readonly #publisher: Publisher;
  readonly #containers = new Map<ContainerId, ContainerPorts>();
  /** What containers have open at their own addresses. */
  readonly #opened = new OpenedPorts();
  readonly #processes = new ProcessPorts();
  /** The stored leases, and those in progress. */
  #taken: Leases<Holder> = NO_LEASES;
  /** Where the next search for a dynamic port begins: after the last pick, to reuse a released port as late as possible. */
  #seed = 0;

  constructor({ instance, nft, store, reservations, kernel, dynamic, log }: HostPortsOptions) {
    this.#store = store;
    this.#reservations = new Reservations(reservations, kernel.anyAddress);
    this.#kernel = kernel;
    this.#dynamic = dynamic ?? kernel.dynamic;
    this.#log = log;
    this.#publisher = createPublisher(nft, instance);
  }

  /** The range that dynamic ports come from. */
  get dynamic(): PortSet {
    return this.#dynamic;
  }

  async lease(request: LeaseRequest): Promise<readonly PortAssignment[]> {
    const { containerId } = request;
    await this.release(containerId);
    const { wishes } = hostWishes(request, this.#kernel.anyAddress);
    if (wishes.length === 0) return [];
    const holder = holderOf(request);
    let foreign: readonly Lease<Holder>[] = [];
    for (;;) {
      const chosen = this.#choose(request, holder, foreign);
      if (!chosen.ok) throw allocationError(await withProcess(chosen.error), holder.owner);
      const assignments = chosen.value;
      this.#seed = seedAfter(this.#dynamic, assignments, wishes) ?? this.#seed;
      const tried = await this.#tryLease(holder, assignments);
      if ("held" in tried) {
        const ports = { holder, assignments, held: tried.held, missing: NONE_MISSING, target: undefined };
        this.#containers.set(containerId, ports);
        return assignments;
      }
      foreign = [...foreign, ...tried.foreign];
    }
  }

  async foresee(request: LeaseRequest): Promise<readonly PortAssignment[]> {
    if (hostWishes(request, this.#kernel.anyAddress).wishes.length === 0) return [];
    const holder = holderOf(request);
    const foreign = (await this.#processes.list(this.leases())).flatMap(bothFamilies);
    const chosen = this.#choose(request, holder, foreign);
    if (!chosen.ok) throw allocationError(chosen.error, holder.owner);
    return chosen.value;
  }

  async publish(containerId: ContainerId, target: PortTarget): Promise<void> {
    const ports = this.#containers.get(containerId);
    if (ports === undefined && !target.opened?.length && !this.#opened.has(containerId)) return;
    await this.#publisher.publish(containerId, ports?.assignments ?? [], target);
    this.#opened.set(containerId, target.opened ?? []);
    if (ports === undefined) return;
    ports.target = target;
    leadAll(ports.held, target);
  }

  async release(containerId: ContainerId): Promise<void> {
    const ports = this.#containers.get(containerId);
    if (ports !== undefined || this.#opened.has(containerId)) await this.#publisher.unpublish(containerId);
    this.#opened.set(containerId, []);
    if (ports === undefined) return;
    await ports.missing.stop();
    await closeAll(ports.held);
    ports.held = [];
    await this.#store.delete([containerId]);
    this.#taken = removeLeases(this.#taken, ports.assignments);
    this.#containers.delete(containerId);
  }

  rename(containerId: ContainerId, containerName: string): void {
    const ports = this.#containers.get(containerId);
    if (ports === undefined) return;
    ports.holder = { ...ports.holder, containerName };
    this.#take(ports.holder, ports.assignments);
  }

  assignments(containerId: ContainerId): readonly PortAssignment[] {
    const { assignments = [], missing = NONE_MISSING, target } = this.#containers.get(containerId) ?? {};
    // A published port that nftables does not redirect is unreachable without its socket.
    const unreachable = target && missing.assignments().filter((assignment) => !isRedirected(assignment, target));
    const reachable = assignments.filter((assignment) => !unreachable?.includes(assignment));
    return this.#opened.beside(containerId, reachable);
  }

  async recover(running: ReadonlyMap<ContainerId, PortTarget | undefined>): Promise<void> {
    await this.#reservations.load();
    const { kept, gone } = sortLeases(await this.#store.load(), new Set(running.keys()));
    const published = new Map<ContainerId, PublishedPorts>();
    for (const [containerId, target] of running) {
      const held = kept.get(containerId);
      if (held !== undefined) await this.#restore(held.holder, held.assignments, target);
      this.#opened.set(containerId, target?.opened ?? []);
      if (target !== undefined && (held ?? target.opened) !== undefined)
        published.set(containerId, { assignments: held?.assignments ?? [], target });
    }
    await this.#publisher.reset(published);
    await this.#store.delete(gone);
  }

  leases(): readonly HeldLease[] {
    return [...this.#containers.values()].flatMap(({ holder, assignments }) =>
      assignments.map((assignment) => ({ ...assignment, holder })),
    );
  }

  processPorts(): Promise<readonly ProcessPort[]> {
    return this.#processes.glance(this.leases());
  }

  reservations(): readonly Reservation[] {
    return this.#reservations.all();
  }

  reserve(request: ReservationRequest): Promise<Reservation> {
    return this.#reservations.reserve(request, this.#taken);
  }

  unreserve(id: string): Promise<void> {
    return this.#reservations.remove(id);
  }

  async close(): Promise<void> {
    for (const { held, missing } of this.#containers.values()) {
      await missing.stop();
      await closeAll(held);
    }
    this.#containers.clear();
  }

  #choose(
    request: LeaseRequest,
    holder: ContainerHolder,
    foreign: readonly Lease<Holder>[],
  ): Result<readonly PortAssignment[], PortConflict<Holder>> {
    const { permitted, owner, groups } = request;
    const { wishes, anyAddress } = hostWishes(request, this.#kernel.anyAddress);
    const policy = {
      anyAddress,
      dynamic: dynamicPorts(this.#dynamic, permitted),
      reserved: this.#kernel.reserved,
      reservations: this.#reservations.against({ owner, groups }),
      seed: this.#seed,
    };
    const chosen = allocate<Holder>(
      [{ holder, wishes }],
      addLeases(this.#taken, foreign),
      permitted === undefined ? policy : { ...policy, permitted },
    );
    return chosen.ok ? { ok: true, value: chosen.value.map(({ holder: _, ...assignment }) => assignment) } : chosen;
  }

  /** One attempt: the row, then the sockets. On a conflict, undoes the attempt and returns the foreign leases. */
  async #tryLease(
    holder: ContainerHolder,
    assignments: readonly PortAssignment[],
  ): Promise<{ readonly held: readonly Held[] } | { readonly foreign: readonly Lease<Holder>[] }> {
    this.#take(holder, assignments);
    try {
      const excluding = await this.#store.insert(holder.containerId, assignments);
      if (excluding.length > 0) {
        this.#taken = removeLeases(this.#taken, assignments);
        return { foreign: excluding };
      }
      const { held, refused } = await holdAll(assignments);
      if (refused.length === 0) return { held };
      await closeAll(held);
      const fault = refused.find(({ error }) => error.code !== "EADDRINUSE");
      if (fault !== undefined) throw bindError(fault.assignment, fault.error);
      await this.#store.delete([holder.containerId]);
      this.#taken = removeLeases(this.#taken, assignments);
      // All that are open, since each try takes a row: another engine may have hundreds in the range.
      const others = (await openPorts()).filter((port) => findOverlap(this.#taken, port) === undefined);
      return { foreign: leasesFor(UNKNOWN_PROCESS, [...others, ...refused.map(({ assignment }) => assignment)]) };
    } catch (thrown) {
      await this.#store.delete([holder.containerId]).finally(() => {
        this.#taken = removeLeases(this.#taken, assignments);
      });
      throw thrown;
    }
  }

  /** Binds the ports of a container that outlived the service; retries those that another program has taken. */
  async #restore(
    holder: ContainerHolder,
    assignments: readonly PortAssignment[],
    target: PortTarget | undefined,
  ): Promise<void> {
    const { containerId } = holder;
    this.#take(holder, assignments);
    const { held, refused } = await holdAll(assignments);
    // nftables still redirects what it can, and the lease stays, so that no other container gets the port.
    for (const { assignment, error } of refused)
      this.#log.warn({ containerId, assignment, code: error.code }, "failed to re-bind published port; retrying");
    const missing = retryBind(
      refused.map(({ assignment }) => assignment),
      (more) => this.#addHeld(containerId, more),
    );
    this.#containers.set(containerId, { holder, assignments, held, missing, target });
    if (target !== undefined) leadAll(held, target);
  }

  /** Publishes ports that another program has released. */
  #addHeld(containerId: ContainerId, held: readonly Held[]): void {
    const ports = this.#containers.get(containerId);
    if (ports === undefined) return void closeAll(held);
    ports.held = [...ports.held, ...held];
    if (ports.target !== undefined) leadAll(held, ports.target);
    for (const { assignment } of held) this.#log.info({ containerId, assignment }, "re-bound published port");
  }

  #take(holder: Holder, endpoints: readonly HostEndpoint[]): void {
    this.#taken = addLeases(this.#taken, leasesFor(holder, endpoints));
  }
}

function holderOf({ containerId, containerName, owner }: LeaseRequest): ContainerHolder {
  return { kind: "container", containerId, containerName, owner, since: SYSTEM_CLOCK.now() };
}

function leasesFor(holder: Holder, endpoints: readonly HostEndpoint[]): readonly Lease<Holder>[] {
  return endpoints.map(({ hostIp, hostPort, protocol }) => ({ hostIp, hostPort, protocol, holder }));
}
