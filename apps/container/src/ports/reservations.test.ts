import { createServer } from "node:net";
import { DEFAULT_PORT_POLICY, eachLease, type Lease, leasesOf, NO_LEASES } from "@berth/port-spec";
import { expect, test } from "vitest";
import type { ContainerId } from "../engine/ids.ts";
import { uniquePort } from "../networks/host.testing.ts";
import type { Holder } from "./lease-store.ts";
import type { Claimant, Reservation, ReservationRequest } from "./reservation.ts";
import { Reservations } from "./reservations.ts";

const port = uniquePort(0);
const ANN: Claimant = { kind: "user", id: "1", name: "ann" };
const WEB: Claimant = { kind: "group", id: "1", name: "web" };

function request(more: Partial<ReservationRequest> = {}): ReservationRequest {
  return { hostIp: "", hostPorts: { start: port, end: port }, protocol: "tcp", claimant: ANN, ...more };
}

/** The reservations over a store in memory. */
function reservationsOver(rows: Map<string, Reservation> = new Map()) {
  return new Reservations(
    {
      load: async () => [...rows.values()],
      insert: async (row) => void rows.set(row.id, row),
      delete: async (id) => void rows.delete(id),
    },
    DEFAULT_PORT_POLICY.anyAddress,
  );
}

function leaseOf(owner: string | undefined, hostIp = "0.0.0.0"): Lease<Holder> {
  const containerId = "c1" as ContainerId;
  const holder = { kind: "container", containerId, containerName: "web", owner, since: "" } as const;
  return { hostIp, hostPort: port, protocol: "tcp", holder };
}

test.each([
  ["the user", ANN, { owner: "1" }, true],
  ["another user", ANN, { owner: "2" }, false],
  ["an administrator's container", ANN, { owner: undefined }, false],
  ["a member", WEB, { owner: "2", groups: new Set(["1", "5"]) }, true],
  ["a user with the group's id", WEB, { owner: "1", groups: new Set<string>() }, false],
  ["a user whose groups nobody asked for", WEB, { owner: "2" }, true],
])("lets %s have the port or not", async (_, claimant, requester, has) => {
  const reservations = reservationsOver();
  await reservations.reserve(request({ claimant }), NO_LEASES);
  const excluded = [...eachLease(reservations.against(requester))].map(({ hostIp, hostPort }) => [hostIp, hostPort]);
  expect(excluded).toEqual(
    has
      ? []
      : [
          ["0.0.0.0", port],
          ["::", port],
        ],
  );
});

test("survive a restart, and are gone when given up", async () => {
  const rows = new Map<string, Reservation>();
  const made = await reservationsOver(rows).reserve(request({ hostIp: "127.0.0.1", claimant: WEB }), NO_LEASES);
  const again = reservationsOver(rows);
  await again.load();
  expect(again.all()).toEqual([made]);
  await again.remove(made.id);
  expect([again.all(), rows.size]).toEqual([[], 0]);
  await expect(again.remove(made.id)).rejects.toThrow(`No such reservation: ${made.id}`);
});

test.each([
  ["of everybody's addresses", {}, {}, true],
  ["of one address and all", { hostIp: "127.0.0.1" }, {}, true],
  ["of two addresses", { hostIp: "127.0.0.1" }, { hostIp: "127.0.0.2" }, false],
  ["of a range around it", {}, { hostPorts: { start: port - 1, end: port + 1 } }, true],
  ["of another protocol", {}, { protocol: "udp" }, false],
  ["for the same claimant", { claimant: ANN }, { claimant: ANN }, true],
] as const)("exclude each other as binds do: %s", async (_, first, second, excluded) => {
  const reservations = reservationsOver();
  await reservations.reserve(request({ claimant: WEB, ...first }), NO_LEASES);
  const other = reservations.reserve(request(second), NO_LEASES);
  if (excluded)
    await expect(other).rejects.toThrow(/^cannot reserve .*: it is already reserved for (group web|user ann)$/);
  else await other;
  expect(reservations.all()).toHaveLength(excluded ? 1 : 2);
});

test("a port that a container has goes to its owner alone", async () => {
  const message = `cannot reserve ${port}/tcp: it is in use by container web`;
  for (const owner of ["2", undefined])
    await expect(reservationsOver().reserve(request(), leasesOf([leaseOf(owner)]))).rejects.toThrow(message);
  // Nobody knows here whether user 1 is in group 1.
  const inGroup = reservationsOver().reserve(request({ claimant: WEB }), leasesOf([leaseOf("1")]));
  await expect(inGroup).rejects.toThrow(message);
  await reservationsOver().reserve(request(), leasesOf([leaseOf("1"), leaseOf("1", "::")]));
});

test("a port of another program is refused by its name, and so is an address of no interface", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "0.0.0.0", resolve));
  try {
    const reservations = reservationsOver();
    await expect(reservations.reserve(request(), NO_LEASES)).rejects.toMatchObject({
      kind: "conflict",
      message: expect.stringMatching(`^cannot reserve ${port}/tcp: it is in use by process ${process.pid} `),
    });
    await expect(reservations.reserve(request({ hostIp: "192.0.2.7" }), NO_LEASES)).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining("no interface of this host has 192.0.2.7"),
    });
    expect(reservations.all()).toEqual([]);
  } finally {
    server.close();
  }
});

test("a row that cannot be written reserves nothing", async () => {
  const reservations = new Reservations(
    { load: async () => [], insert: () => Promise.reject(new Error("disk full")), delete: async () => {} },
    ["0.0.0.0"],
  );
  await expect(reservations.reserve(request(), NO_LEASES)).rejects.toThrow("disk full");
  expect(reservations.all()).toEqual([]);
});
