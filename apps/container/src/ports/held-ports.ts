import { ipFamily, type PortAssignment } from "@berth/port-spec";
import { type HeldPort, holdPort } from "./held-port.ts";
import type { PortTarget } from "./ports.ts";

/** A host port with the socket that holds it. */
export interface Held {
  readonly assignment: PortAssignment;
  readonly port: HeldPort;
}

/** Binds the assignments; returns those that failed with the system's errors. */
export async function holdAll(assignments: readonly PortAssignment[]) {
  const held: Held[] = [];
  const refused: { readonly assignment: PortAssignment; readonly error: NodeJS.ErrnoException }[] = [];
  await Promise.all(
    assignments.map((assignment) =>
      holdPort(assignment).then(
        (port) => held.push({ assignment, port }),
        (error: NodeJS.ErrnoException) => refused.push({ assignment, error }),
      ),
    ),
  );
  return { held, refused };
}

/** Leads each socket to the container's address of its own family, or to the other one. */
export function leadAll(held: readonly Held[], { ipv4, ipv6 }: PortTarget): void {
  for (const { assignment, port } of held) {
    const address = ipFamily(assignment.hostIp) === "ipv4" ? (ipv4 ?? ipv6) : (ipv6 ?? ipv4);
    port.lead(address === undefined ? undefined : { address, port: assignment.containerPort });
  }
}

export async function closeAll(held: readonly Held[]): Promise<void> {
  await Promise.all(held.map(({ port }) => port.close()));
}
