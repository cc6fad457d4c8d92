import { formatEndpoint, formatPortRange, type PortRange } from "@berth/port-spec";
import type { Hono } from "hono";
import type { ActedOn } from "../../containers/containers.ts";
import type { Actor } from "../../engine/actor.ts";
import { EngineError } from "../../engine/errors.ts";
import { userOf } from "../../engine/owners.ts";
import { groupIdsOf } from "../../policy/containers.ts";
import type { HeldLease } from "../../ports/ports.ts";
import type { Reservation, ReservationRequest } from "../../ports/reservation.ts";
import { isClaimedBy } from "../../ports/reservations.ts";
import { reservationBody } from "../decode/reservation-body.ts";
import { requireJson } from "../go-json/json-body.ts";
import type { Deps, Edge } from "../http/edge.ts";

/**
 * `GET /berth/ports`: who holds and who reserves host ports, and since when; to a user only what is its own or its groups'.
 * `POST /berth/ports/reservations` and `DELETE /berth/ports/reservations/{id}`, for administrators.
 */
export function portRoutes(app: Hono<Edge>, { ports }: Deps): void {
  app.get("/berth/ports", (context) => {
    const actor = context.get("actor");
    const leases = ports.leases().filter(({ holder }) => actor.kind === "administrator" || holder.owner === actor.id);
    const reservations = ports.reservations().filter((reservation) => concerns(reservation, actor));
    const entries = [
      ...leases.map((lease) => ({ first: lease.hostPort, shape: leaseShape(lease) })),
      ...reservations.map((one) => ({ first: one.hostPorts.start, shape: reservationShape(one) })),
    ];
    return context.json(entries.sort((a, b) => a.first - b.first).map(({ shape }) => shape));
  });

  app.post("/berth/ports/reservations", async (context) => {
    const request = await requireJson(context, reservationBody);
    context.set("actedOn", actedOn(request));
    return context.json(reservationShape(await ports.reserve(request)), 201);
  });

  app.delete("/berth/ports/reservations/:id", async (context) => {
    const id = context.req.param("id");
    const reservation = ports.reservations().find((one) => one.id === id);
    if (reservation?.claimant.kind === "place")
      throw new EngineError("conflict", `the port belongs to place ${reservation.claimant.name}: give that back`);
    if (reservation !== undefined) context.set("actedOn", actedOn(reservation));
    await ports.unreserve(id);
    return context.body(null, 204);
  });
}

function concerns({ claimant }: Reservation, actor: Actor): boolean {
  return (
    actor.kind === "administrator" || isClaimedBy(claimant, { owner: actor.id, groups: groupIdsOf(actor.effective) })
  );
}

/** The ports by name, and the user that they are reserved for. */
function actedOn({ hostIp, hostPorts, protocol, claimant }: ReservationRequest): ActedOn {
  const range = formatPortRange(hostPorts);
  const name = `${hostIp === "" ? range : formatEndpoint(hostIp, range)}/${protocol}`;
  return { name, owner: claimant.kind === "group" ? undefined : userOf(claimant.id) };
}

function leaseShape({ hostIp, hostPort, protocol, containerPort, holder }: HeldLease) {
  const { containerId, containerName, owner, since } = holder;
  return {
    kind: "lease",
    ...hostShape(hostIp, { start: hostPort, end: hostPort }, protocol),
    containerPort,
    container: { id: containerId, name: containerName },
    owner: owner ?? null,
    since,
  };
}

function reservationShape({ id, hostIp, hostPorts, protocol, claimant, since }: Reservation) {
  return { kind: "reservation", id, ...hostShape(hostIp, hostPorts, protocol), claimant, since };
}

function hostShape(hostIp: string, hostPorts: PortRange, protocol: string) {
  return { hostIp, hostPorts: formatPortRange(hostPorts), protocol };
}
