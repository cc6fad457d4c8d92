import {
  addLeases,
  allocate,
  DEFAULT_PORT_POLICY,
  type Leases,
  NO_LEASES,
  type PortAssignment,
  removeLeases,
} from "@berth/port-spec";
import { EngineError } from "../engine/errors.ts";
import type { ContainerId } from "../engine/ids.ts";
import type { LeaseRequest, Ports, PortTarget } from "./ports.ts";

/** The ports without a host under them: the same assignments and conflicts, and no socket, row or path. */
export class MemoryPorts implements Ports {
  readonly #assignments = new Map<ContainerId, readonly PortAssignment[]>();
  /** Where each container's ports lead to. */
  readonly published = new Map<ContainerId, PortTarget>();
  #taken: Leases<string> = NO_LEASES;

  async lease(request: LeaseRequest): Promise<readonly PortAssignment[]> {
    const { containerId } = request;
    await this.release(containerId);
    const assignments = await this.foresee(request);
    this.#taken = addLeases(
      this.#taken,
      assignments.map((assignment) => ({ ...assignment, holder: containerId })),
    );
    this.#assignments.set(containerId, assignments);
    return assignments;
  }

  async foresee({ containerId, wishes, permitted }: LeaseRequest): Promise<readonly PortAssignment[]> {
    const policy = permitted === undefined ? DEFAULT_PORT_POLICY : { ...DEFAULT_PORT_POLICY, permitted };
    const chosen = allocate([{ holder: containerId, wishes }], this.#taken, policy);
    if (!chosen.ok) throw new EngineError("failed", `port is already allocated: ${JSON.stringify(chosen.error)}`);
    return chosen.value.map(({ holder: _, ...assignment }) => assignment);
  }

  async publish(containerId: ContainerId, target: PortTarget): Promise<void> {
    if (this.#assignments.has(containerId)) this.published.set(containerId, target);
  }

  async release(containerId: ContainerId): Promise<void> {
    this.#taken = removeLeases(this.#taken, this.assignments(containerId));
    this.#assignments.delete(containerId);
    this.published.delete(containerId);
  }

  rename(): void {}

  assignments(containerId: ContainerId): readonly PortAssignment[] {
    return this.#assignments.get(containerId) ?? [];
  }

  async recover(running: Parameters<Ports["recover"]>[0]): Promise<void> {
    for (const containerId of this.#assignments.keys()) if (!running.has(containerId)) await this.release(containerId);
    for (const [containerId, target] of running) if (target !== undefined) await this.publish(containerId, target);
  }

  async close(): Promise<void> {}
}
