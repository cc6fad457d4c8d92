import {
  addLeases,
  allocate,
  type HostEndpoint,
  type Lease,
  type Leases,
  NO_LEASES,
  type PortConflict as NoPort,
  type PortAssignment,
  type PortSet,
  portSetContains,
  removeLeases,
} from "@berth/port-spec";
import type { ContainerId } from "../engine/ids.ts";

import type { Log } from "../engine/log.ts";
import type { Nft } from "../networks/nft.ts";
import { dynamicPorts } from "./dynamic-ports.ts";
import { closeAll, type Held, holdAll, leadAll } from "./held-ports.ts";
import type { KernelPorts } from "./kernel-ports.ts";
import type { ContainerHolder, Holder, LeaseStore } from "./lease-store.ts";
import { bindError, portConflictError } from "./port-conflict.ts";
import { findPortProcess } from "./port-process.ts";
import type { LeaseRequest, Ports } from "./ports.ts";
import { createPublisher } from "./publisher.ts";
import { holdAgain, type Wanted } from "./retry-bind.ts";

export interface HostPortsOptions {
  /** Names the instance's table. */
  readonly instance: string;
  readonly nft: Nft;
  readonly store: LeaseStore;
  readonly kernel: KernelPorts;
  /** Where dynamic ports come from instead of the kernel's range. */
  readonly dynamic?: PortSet;
  readonly log: Log;
}

/** The leases of one container, with their sockets. */
interface ContainerPorts {
  holder: ContainerHolder;
  readonly assignments: readonly PortAssignment[];
  held: readonly Held[];
  /** What is leased and not held: another program has it. */
  readonly wanted: Wanted;
  /** Where the ports lead. */
  address: string | undefined;
}

const NOTHING: Wanted = { assignments: () => [], stop: async () => undefined };

/** The ports of this host: rows in the database, listening sockets, and paths in the kernel. */
export function createHostPorts({ instance, nft, store, kernel, dynamic, log }: HostPortsOptions): Ports {
  const publisher = createPublisher(nft, instance);
  const automatic = dynamic ?? kernel.dynamic;
  const containers = new Map<ContainerId, ContainerPorts>();
  /** The projection of the table, and beyond it what is just being taken. */
  let taken: Leases<Holder> = NO_LEASES;
  /** Where the next dynamic search begins: after the last pick, so that a port given back rests as long as possible. */
  let seed = 0;

  const choose = (
    { wishes, permitted }: LeaseRequest,
    holder: ContainerHolder,
    foreign: Leases<Holder>,
  ): readonly PortAssignment[] => {
    const policy = {
      anyAddress: kernel.anyAddress,
      dynamic: dynamicPorts(automatic, permitted),
      reserved: kernel.reserved,
      seed,
    };
    const chosen = allocate<Holder>(
      [{ holder, wishes }],
      foreign,
      permitted === undefined ? policy : { ...policy, permitted },
    );
    if (!chosen.ok) throw refusal(chosen.error);
    return chosen.value.map(({ holder: _, ...assignment }) => assignment);
  };

  const take = (holder: Holder, endpoints: readonly HostEndpoint[]) => {
    taken = addLeases(taken, leasesFor(holder, endpoints));
  };

  /** One try: the row, then the sockets. Gives what stood in the way instead, with nothing left of the try. */
  const tryLease = async (
    holder: ContainerHolder,
    assignments: readonly PortAssignment[],
  ): Promise<{ readonly held: readonly Held[] } | { readonly foreign: readonly Lease<Holder>[] }> => {
    take(holder, assignments);
    try {
      const excluding = await store.insert(holder.containerId, assignments);
      if (excluding.length > 0) {
        taken = removeLeases(taken, assignments);
        return { foreign: excluding };
      }
      const { held, refused } = await holdAll(assignments);
      if (refused.length === 0) return { held };
      await closeAll(held);
      const fault = refused.find(({ error }) => error.code !== "EADDRINUSE");
      if (fault !== undefined) throw bindError(fault.assignment, fault.error);
      await store.delete([holder.containerId]);
      taken = removeLeases(taken, assignments);
      return { foreign: await Promise.all(refused.map(({ assignment }) => foreignLease(assignment))) };
    } catch (thrown) {
      await store.delete([holder.containerId]).finally(() => {
        taken = removeLeases(taken, assignments);
      });
      throw thrown;
    }
  };

  const lease = async (request: LeaseRequest): Promise<readonly PortAssignment[]> => {
    const { containerId, containerName, owner, wishes } = request;
    await release(containerId);
    if (wishes.length === 0) return [];
    const holder: ContainerHolder = { kind: "container", containerId, containerName, owner };
    let foreign: readonly Lease<Holder>[] = [];
    for (;;) {
      const assignments = choose(request, holder, addLeases(taken, foreign));
      seed = seedAfter(automatic, assignments, wishes) ?? seed;
      const tried = await tryLease(holder, assignments);
      if ("held" in tried) {
        containers.set(containerId, { holder, assignments, held: tried.held, wanted: NOTHING, address: undefined });
        return assignments;
      }
      foreign = [...foreign, ...tried.foreign];
    }
  };

  const publish = async (containerId: ContainerId, address: string): Promise<void> => {
    const ports = containers.get(containerId);
    if (ports === undefined) return;
    await publisher.publish(containerId, ports.assignments, address);
    ports.address = address;
    leadAll(ports.held, address);
  };

  const release = async (containerId: ContainerId): Promise<void> => {
    const ports = containers.get(containerId);
    if (ports === undefined) return;
    await publisher.unpublish(containerId);
    await ports.wanted.stop();
    await closeAll(ports.held);
    ports.held = [];
    await store.delete([containerId]);
    taken = removeLeases(taken, ports.assignments);
    containers.delete(containerId);
  };

  /** What another program has given up is held from now on, and leads to the container. */
  const adopt = (containerId: ContainerId, held: readonly Held[]): void => {
    const ports = containers.get(containerId);
    if (ports === undefined) return void closeAll(held);
    ports.held = [...ports.held, ...held];
    if (ports.address !== undefined) leadAll(held, ports.address);
    for (const { assignment } of held) log.info({ containerId, assignment }, "a published port is held again");
  };

  const recover: Ports["recover"] = async (running) => {
    const wanted = new Map<
      ContainerId,
      { readonly assignments: readonly PortAssignment[]; readonly address: string }
    >();
    const gone = new Set<ContainerId>();
    const kept = new Map<ContainerId, { readonly holder: ContainerHolder; readonly assignments: PortAssignment[] }>();
    for (const { holder, ...assignment } of await store.load()) {
      if (!running.has(holder.containerId)) gone.add(holder.containerId);
      else {
        const ports = kept.get(holder.containerId);
        if (ports === undefined) kept.set(holder.containerId, { holder, assignments: [assignment] });
        else ports.assignments.push(assignment);
      }
    }
    for (const [containerId, { holder, assignments }] of kept) {
      take(holder, assignments);
      const { held, refused } = await holdAll(assignments);
      // The kernel's path goes on working over IPv4; the lease stays, so that no other container gets the port.
      for (const { assignment, error } of refused)
        log.warn({ containerId, assignment, code: error.code }, "a published port could not be held again yet");
      const address = running.get(containerId)?.address;
      containers.set(containerId, {
        holder,
        assignments,
        held,
        wanted: holdAgain(
          refused.map(({ assignment }) => assignment),
          (more) => adopt(containerId, more),
        ),
        address,
      });
      if (address === undefined) continue;
      leadAll(held, address);
      wanted.set(containerId, { assignments, address });
    }
    await publisher.reset(wanted);
    await store.delete([...gone]);
  };

  return {
    lease,
    publish,
    release,
    recover,
    assignments: (containerId) => {
      const { assignments = [], wanted = NOTHING } = containers.get(containerId) ?? {};
      // What the kernel cannot translate leads nowhere without its socket.
      const missing = wanted.assignments().filter(({ hostIp }) => hostIp.includes(":"));
      return assignments.filter((assignment) => !missing.includes(assignment));
    },
    rename: (containerId, containerName) => {
      const ports = containers.get(containerId);
      if (ports === undefined) return;
      ports.holder = { ...ports.holder, containerName };
      take(ports.holder, ports.assignments);
    },
    close: async () => {
      for (const { held, wanted } of containers.values()) {
        await wanted.stop();
        await closeAll(held);
      }
      containers.clear();
    },
  };
}

function leasesFor(holder: Holder, endpoints: readonly HostEndpoint[]): readonly Lease<Holder>[] {
  return endpoints.map(({ hostIp, hostPort, protocol }) => ({ hostIp, hostPort, protocol, holder }));
}

async function foreignLease({ hostIp, hostPort, protocol }: PortAssignment): Promise<Lease<Holder>> {
  return {
    hostIp,
    hostPort,
    protocol,
    holder: await findPortProcess(protocol, hostPort),
  };
}

function refusal({ message, wish, hostIp, lease }: NoPort<Holder>) {
  return portConflictError(message, {
    wanted: { hostIp, hostPort: lease?.hostPort ?? wish.hostPorts?.start ?? 0, protocol: wish.protocol },
    held: lease,
    holder: lease?.holder,
  });
}

/** The place in the dynamic range after the last port picked from it; undefined where none was. */
function seedAfter(
  dynamic: PortSet,
  assignments: readonly PortAssignment[],
  wishes: LeaseRequest["wishes"],
): number | undefined {
  if (!wishes.some(({ hostPorts }) => hostPorts === undefined)) return undefined;
  const picks = assignments.map(({ hostPort }) => hostPort).filter((port) => portSetContains(dynamic, port));
  const last = picks.at(-1);
  if (last === undefined) return undefined;
  let before = 0;
  for (const { start, end } of dynamic.ranges) {
    if (last <= end) return before + last - start + 1;
    before += end - start + 1;
  }
  return undefined;
}
