import { expect, test } from "vitest";
import type { Actor } from "../../engine/actor.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { user } from "../../engine/user.testing.ts";
import type { HeldLease } from "../../ports/ports.ts";
import type { Reservation } from "../../ports/reservation.ts";
import { appWith } from "./app.testing.ts";
import { noted } from "./resources.testing.ts";

const SINCE = "2030-01-01T00:00:00Z";

function leaseOf(owner: string | undefined, hostPort: number): HeldLease {
  const containerId = `id-${hostPort}` as ContainerId;
  const holder = { kind: "container", containerId, containerName: `c${hostPort}`, owner, since: SINCE } as const;
  return { hostIp: "0.0.0.0", hostPort, containerPort: 80, protocol: "tcp", holder };
}

function reservationOf(kind: "user" | "group", id: string, port: number): Reservation {
  const claimant = { kind, id, name: `${kind}${id}` };
  return { id: `r${port}`, hostIp: "", hostPorts: { start: port, end: port }, protocol: "tcp", claimant, since: SINCE };
}

const reserve = noted(Promise.resolve(reservationOf("user", "1", 8080)));
const ports = {
  leases: () => [leaseOf("1", 8001), leaseOf("2", 8000), leaseOf(undefined, 9000)],
  reservations: () => [
    reservationOf("group", "3", 8005),
    reservationOf("user", "2", 8006),
    reservationOf("group", "4", 1),
  ],
  reserve: reserve.call,
};

const ANN: Actor = user(1);

async function listed(identify?: () => Promise<Actor>): Promise<readonly string[]> {
  const { request } = appWith({ ports, ...(identify === undefined ? {} : { identify }) });
  const entries = (await (await request("GET", "/berth/ports")).json()) as { kind: string; hostPorts: string }[];
  return entries.map(({ kind, hostPorts }) => `${kind} ${hostPorts}`);
}

test("administrators see every port in its order, users what is their own or their groups'", async () => {
  const all = ["reservation 1", "lease 8000", "lease 8001", "reservation 8005", "reservation 8006", "lease 9000"];
  expect(await listed()).toEqual(all);
  expect(await listed(async () => ANN)).toEqual(["lease 8001", "reservation 8005"]);
});

test("tells a holder, a claimant, and since when", async () => {
  const { request } = appWith({ ports: { ...ports, leases: () => [leaseOf("1", 8001)] } });
  expect(await (await request("GET", "/berth/ports")).json()).toContainEqual({
    kind: "lease",
    hostIp: "0.0.0.0",
    hostPorts: "8001",
    protocol: "tcp",
    containerPort: 80,
    container: { id: "id-8001", name: "c8001" },
    owner: "1",
    since: SINCE,
  });
});

test("reserves what the body says", async () => {
  const { request } = appWith({ ports });
  const claimant = { kind: "user", id: "1", name: "ann" };
  const response = await request("POST", "/berth/ports/reservations", {
    hostIp: "::0001",
    hostPorts: "8080-8081",
    claimant,
  });
  expect(response.status).toBe(201);
  const hostPorts = { start: 8080, end: 8081 };
  expect(reserve.calls).toEqual([[{ hostIp: "::1", hostPorts, protocol: "tcp", claimant }]]);
});

test.each([
  ["no port", { hostPorts: "x" }, "hostPorts"],
  ["port 0", { hostPorts: "0-9" }, "hostPorts"],
  ["a port too large", { hostPorts: "65536" }, "hostPorts"],
  ["no address", { hostIp: "localhost" }, "hostIp"],
  ["no protocol", { protocol: "icmp" }, "protocol"],
  ["no claimant", { claimant: undefined }, "claimant"],
  ["a claimant by name", { claimant: { kind: "user", id: "ann", name: "ann" } }, "claimant"],
  ["a field that there is not", { ports: "8080" }, "ports"],
])("refuses %s", async (_, fields, named) => {
  const { request } = appWith({ ports: { reserve: () => Promise.reject(new Error("not asked")) } });
  const claimant = { kind: "user", id: "1", name: "ann" };
  const response = await request("POST", "/berth/ports/reservations", { hostPorts: "8080", claimant, ...fields });
  expect(response.status).toBe(400);
  expect(((await response.json()) as { message: string }).message).toContain(named);
});
