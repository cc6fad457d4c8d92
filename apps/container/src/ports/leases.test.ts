import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { endpointsOverlap, type PortAssignment, type Protocol, portSet } from "@berth/port-spec";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestDatabase } from "../db/database.testing.ts";
import type { OpenDatabase } from "../db/database.ts";
import { createLeaseStore } from "../db/lease-store.ts";
import { createReservationStore } from "../db/reservation-store.ts";
import { containers } from "../db/schema.ts";
import type { ContainerId } from "../engine/ids.ts";
import { openNft } from "../networks/filter/nft.ts";
import { dropTableCommands } from "../networks/filter/tables.ts";
import { insertContainer, newContainerId, SILENT, uniqueInstance, uniquePort } from "../networks/host.testing.ts";
import { readKernelPorts } from "./kernel-ports.ts";
import type { LeaseStore } from "./lease-store.ts";
import type { Ports } from "./ports.ts";
import { HostPorts } from "./ports-service.ts";

const instance = uniqueInstance();
const nft = openNft();
const DYNAMIC = { start: uniquePort(8), end: uniquePort(12) };
let database: OpenDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await nft.apply(dropTableCommands(instance));
  await database.close();
});

async function open(store: LeaseStore = createLeaseStore(database.db)): Promise<Ports> {
  return new HostPorts({
    instance,
    nft,
    store,
    reservations: createReservationStore(database.db),
    kernel: await readKernelPorts(),
    dynamic: portSet(DYNAMIC),
    log: SILENT,
  });
}

/** Whether the kernel gives the port to somebody else. */
function isFree({ hostIp, hostPort, protocol }: PortAssignment): Promise<boolean> {
  return new Promise((resolve) => {
    const ipv6Only = hostIp.includes(":");
    if (protocol === "udp") {
      const socket = createSocket({ type: ipv6Only ? "udp6" : "udp4", ipv6Only });
      socket.once("error", () => socket.close(() => resolve(false)));
      socket.bind({ address: hostIp, port: hostPort, exclusive: true }, () => socket.close(() => resolve(true)));
      return;
    }
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host: hostIp, port: hostPort, exclusive: true, ipv6Only }, () => server.close(() => resolve(true)));
  });
}

async function newContainer(name: string): Promise<ContainerId> {
  const id = newContainerId();
  await insertContainer(database.db, id, name);
  return id;
}

describe("leases and the kernel", () => {
  const wishes = fc.array(
    fc.record({
      containerPort: fc.integer({ min: 1, max: 65_535 }),
      protocol: fc.constantFrom<Protocol>("tcp", "udp"),
      hostIp: fc.constantFrom("", "0.0.0.0", "::", "127.0.0.1", "127.0.0.2", "::1"),
      hostPorts: fc.option(
        fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 2 })).map(([start, more]) => ({
          start: DYNAMIC.start + start,
          end: Math.min(DYNAMIC.start + start + more, DYNAMIC.end),
        })),
        { nil: undefined },
      ),
    }),
    { maxLength: 3 },
  );
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("lease" as const), wishes }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("release" as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("crash" as const), which: fc.nat() }) },
  );

  it("agree after any sequence of leases, releases and crashes, and no port is leased twice", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        let ports = await open();
        const live: ContainerId[] = [];
        const check = async () => {
          const held = live.flatMap((id) => ports.assignments(id));
          for (const [index, one] of held.entries()) {
            expect(await isFree(one)).toBe(false);
            for (const other of held.slice(index + 1)) expect(endpointsOverlap(one, other)).toBe(false);
          }
          const key = ({ hostIp, hostPort, protocol, containerPort }: PortAssignment) =>
            `${protocol} ${hostIp} ${hostPort} ${containerPort}`;
          const rows = await createLeaseStore(database.db).load();
          expect(rows.map(key).sort()).toEqual(held.map(key).sort());
        };
        try {
          for (const [index, one] of steps.entries()) {
            if (one.kind === "lease") {
              const containerId = await newContainer(`c${index}`);
              const before = live.flatMap((id) => ports.assignments(id));
              try {
                const got = await ports.lease({
                  containerId,
                  containerName: `c${index}`,
                  owner: undefined,
                  wishes: one.wishes,
                });
                expect(got).toEqual(ports.assignments(containerId));
                live.push(containerId);
              } catch (thrown) {
                expect(thrown).toMatchObject({ kind: "failed", message: expect.stringContaining("allocated") });
                // Nothing is free that would have done, for a single wish.
                expect(before.length + one.wishes.length).toBeGreaterThan(1);
              }
            } else if (one.kind === "release") {
              const [gone] = live.splice(one.which % Math.max(live.length, 1), 1);
              const freed = gone === undefined ? [] : ports.assignments(gone);
              if (gone !== undefined) await ports.release(gone);
              for (const assignment of freed) expect(await isFree(assignment)).toBe(true);
            } else {
              await ports.close();
              live.splice(one.which % Math.max(live.length, 1), 1);
              ports = await open();
              await ports.recover(new Map(live.map((id) => [id, undefined])));
            }
            await check();
          }
        } finally {
          for (const id of live) await ports.release(id);
          await ports.close();
          await database.db.delete(containers);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("a lease that fails half-way", () => {
  const port = uniquePort(13);
  const assignment: PortAssignment = { hostIp: "0.0.0.0", hostPort: port, protocol: "tcp", containerPort: 80 };
  const wishes = [{ containerPort: 80, protocol: "tcp" as const, hostIp: "", hostPorts: { start: port, end: port } }];

  it.each(["insert", "delete"] as const)("leaves nothing if the database fails to %s", async (operation) => {
    const real = createLeaseStore(database.db);
    let failing = true;
    const fail = () => Promise.reject(new Error("disk full"));
    const ports = await open({
      load: real.load,
      insert: (...args) => (failing && operation === "insert" ? fail() : real.insert(...args)),
      delete: (...args) => (failing && operation === "delete" ? fail() : real.delete(...args)),
    });
    const containerId = await newContainer(`failing-${operation}`);
    const request = { containerId, containerName: "c", owner: undefined, wishes };
    if (operation === "insert") {
      await expect(ports.lease(request)).rejects.toThrow("disk full");
    } else {
      await ports.lease(request);
      await expect(ports.release(containerId)).rejects.toThrow("disk full");
    }
    expect(await isFree(assignment)).toBe(true);
    failing = false;
    // Whatever was left of it, the next try is whole.
    await ports.release(containerId);
    expect(await real.load()).toEqual([]);
    expect(await ports.lease(request)).toHaveLength(2);
    await ports.release(containerId);
    await ports.close();
  });

  it("is refused for a row that is not in memory, and names the row's holder", async () => {
    const real = createLeaseStore(database.db);
    const ports = await open();
    const stranger = await newContainer("stranger");
    await real.insert(stranger, [assignment]);
    const containerId = await newContainer("late");
    await expect(ports.lease({ containerId, containerName: "late", owner: undefined, wishes })).rejects.toThrow(
      `Bind for 0.0.0.0:${port} failed: port is already allocated: address already in use by container stranger`,
    );
    await real.delete([stranger]);
    expect(await ports.lease({ containerId, containerName: "late", owner: undefined, wishes })).toHaveLength(2);
    await ports.release(containerId);
    await ports.close();
  });

  it("recovers from a crash between any two steps", async () => {
    const real = createLeaseStore(database.db);
    // The row is written, the socket not yet bound; and the container never came to run.
    const containerId = await newContainer("crashed");
    await real.insert(containerId, [assignment]);
    const ports = await open();
    await ports.recover(new Map());
    expect(await real.load()).toEqual([]);
    expect(ports.assignments(containerId)).toEqual([]);
    // The socket is closed and the path gone, the row not yet deleted, and the container still said to run.
    await real.insert(containerId, [assignment]);
    const again = await open();
    await again.recover(new Map([[containerId, undefined]]));
    expect(await isFree(assignment)).toBe(false);
    await again.release(containerId);
    expect(await isFree(assignment)).toBe(true);
    await again.close();
    await ports.close();
  });
});
