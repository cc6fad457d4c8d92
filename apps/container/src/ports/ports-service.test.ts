import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import type { PortWish, Protocol } from "@berth/port-spec";
import { portSet } from "@berth/port-spec";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openTestDatabase } from "../db/database.testing.ts";
import type { OpenDatabase } from "../db/database.ts";
import { createLeaseStore } from "../db/lease-store.ts";
import { createReservationStore } from "../db/reservation-store.ts";
import type { ContainerId } from "../engine/ids.ts";
import { makeBridge } from "../networks/bridge.ts";
import { runCommand } from "../networks/command.ts";
import { openNft } from "../networks/filter/nft.ts";
import { rulesetCommands } from "../networks/filter/ruleset.ts";
import { dropTableCommands } from "../networks/filter/tables.ts";
import { enableForwarding } from "../networks/forwarding.ts";
import {
  askTcp,
  askUdp,
  insertContainer,
  inside,
  newContainerId,
  type Responder,
  SILENT,
  startResponder,
  uniqueInstance,
  uniquePort,
  uniqueSubnet,
} from "../networks/host.testing.ts";
import { makeNamespaces, type Place, removeLinks, removeNamespaces } from "../networks/namespace.ts";
import { readKernelPorts } from "./kernel-ports.ts";
import type { LeaseConflict } from "./lease-conflict.ts";
import { HostPorts } from "./ports-service.ts";

const instance = uniqueInstance();
const subnet = uniqueSubnet();
const other = uniqueSubnet();
function addressIn(net: string, host: number) {
  return net.replace(/0\/24$/, String(host));
}
const nft = openNft();
const NAMESPACES = [`${instance}-a`, `${instance}-b`, `${instance}-c`];
const [a, b, c] = NAMESPACES as [string, string, string];
function targetOf(namespace: string) {
  return { ipv4: ADDRESSES[namespace], ipv6: undefined };
}
const ADDRESSES: Readonly<Record<string, string>> = {
  [a]: addressIn(subnet, 2),
  [b]: addressIn(subnet, 3),
  [c]: addressIn(other, 2),
};
const HOST_ADDRESS = Object.values(networkInterfaces())
  .flat()
  .find((found) => found !== undefined && found.family === "IPv4" && !found.internal)?.address;

let database: OpenDatabase;
let ports: HostPorts;
const RESPONDERS: Responder[] = [];
const SERVERS: Server[] = [];
const STARTED: ContainerId[] = [];

function place(namespace: string, bridge: string, net: string): Place {
  return {
    bridge,
    link: `${namespace}v`,
    interfaceName: "eth0",
    addresses: [`${ADDRESSES[namespace]}/24`],
    macAddress: `02:42:0a:00:00:0${NAMESPACES.indexOf(namespace) + 1}`,
    gateways: [addressIn(net, 1)],
    mtu: 1500,
    neighbours: [],
    settings: {},
  };
}

async function open() {
  return new HostPorts({
    instance,
    nft,
    store: createLeaseStore(database.db),
    reservations: createReservationStore(database.db),
    kernel: await readKernelPorts(),
    dynamic: portSet({ start: uniquePort(8), end: uniquePort(15) }),
    log: SILENT,
  });
}

beforeAll(async () => {
  database = await openTestDatabase();
  await enableForwarding();
  const networks = [
    {
      bridge: `${instance}0`,
      subnets6: [],
      subnets: [subnet],
      internal: false,
      masquerade: true,
      isolated: false,
      separatesOwners: false,
      modes: { ipv4: "nat", ipv6: "nat" } as const,
      addressless: false,
    },
    {
      bridge: `${instance}1`,
      subnets6: [],
      subnets: [other],
      internal: false,
      masquerade: true,
      isolated: false,
      separatesOwners: false,
      modes: { ipv4: "nat", ipv6: "nat" } as const,
      addressless: false,
    },
  ];
  for (const [index, net] of [subnet, other].entries())
    await makeBridge({
      name: `${instance}${index}`,
      instance,
      addresses: [`${addressIn(net, 1)}/24`],
      macAddress: `02:42:0b:00:00:0${index}`,
      mtu: 1500,
      routes: [],
      ipv6: "default",
    });
  await nft.apply(rulesetCommands(instance, networks));
  await makeNamespaces([
    { name: a, places: [place(a, `${instance}0`, subnet)] },
    { name: b, places: [place(b, `${instance}0`, subnet)] },
    { name: c, places: [place(c, `${instance}1`, other)] },
  ]);
  for (const namespace of NAMESPACES) RESPONDERS.push(await startResponder(namespace, namespace, [80, 81]));
  ports = await open();
});

afterAll(async () => {
  await ports.close();
  for (const responder of RESPONDERS) await responder.stop();
  await removeNamespaces(NAMESPACES.map((name) => ({ name, links: [`${name}v`] })));
  await removeLinks([`${instance}0`, `${instance}1`]);
  await nft.apply(dropTableCommands(instance));
  await database.close();
});

afterEach(async () => {
  for (const id of STARTED.splice(0)) await ports.release(id);
  for (const server of SERVERS.splice(0)) await new Promise((resolve) => server.close(resolve));
});

function wish(hostPorts?: number | readonly [number, number], more: Partial<PortWish> = {}): PortWish {
  return {
    containerPort: 80,
    protocol: "tcp",
    hostIp: "",
    hostPorts:
      hostPorts === undefined
        ? undefined
        : typeof hostPorts === "number"
          ? { start: hostPorts, end: hostPorts }
          : { start: hostPorts[0], end: hostPorts[1] },
    ...more,
  };
}

function lease(name: string, ...wishes: readonly PortWish[]) {
  return leaseAs("owner-1", name, ...wishes);
}

async function leaseAs(owner: string | undefined, name: string, ...wishes: readonly PortWish[]) {
  const containerId = newContainerId();
  await insertContainer(database.db, containerId, `${name}-${containerId.slice(0, 6)}`, owner);
  STARTED.push(containerId);
  const assignments = await ports.lease({ containerId, containerName: name, owner, wishes });
  return { containerId, assignments };
}

function listen(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ host, port, exclusive: true, ipv6Only: true }, () => {
      SERVERS.push(server);
      resolve(server);
    });
  });
}

async function rows() {
  return (await createLeaseStore(database.db).load()).length;
}

describe("a reserved port", () => {
  it("goes to its user's container alone, and is passed over by ranges", async () => {
    const port = uniquePort(0);
    const claimant = { kind: "user", id: "owner-1", name: "ann" } as const;
    const hostPorts = { start: port, end: port + 1 };
    const reserved = await ports.reserve({ hostIp: "", hostPorts, protocol: "tcp", claimant });
    const words = `Bind for 0.0.0.0:${port} failed: port is reserved`;
    await expect(leaseAs(undefined, "host", wish(port))).rejects.toThrow(`${words} for user ann`);
    await expect(leaseAs("owner-2", "bobs", wish(port))).rejects.toThrow(`${words} for somebody else`);
    const { assignments } = await leaseAs("owner-2", "bobs", wish([port, port + 2]));
    expect(assignments.map(({ hostPort }) => hostPort)).toEqual([port + 2, port + 2]);
    const own = await leaseAs("owner-1", "anns", wish(port));
    expect(ports.leases().find(({ hostPort }) => hostPort === port)?.holder).toMatchObject({ containerName: "anns" });
    // It stays reserved when its user gives the port back, until the reservation is given up.
    await ports.release(own.containerId);
    await expect(leaseAs(undefined, "host", wish(port))).rejects.toThrow(words);
    await ports.unreserve(reserved.id);
    expect((await leaseAs(undefined, "host", wish(port))).assignments).toHaveLength(2);
  });
});

describe("a published port", () => {
  it("answers on loopback, on the host's address, over IPv6, over UDP, and from other containers", async () => {
    const port = uniquePort(0);
    const web = await lease("web", wish(port), wish(port, { protocol: "udp" }));
    expect(web.assignments.map(({ hostIp, protocol }) => `${hostIp} ${protocol}`)).toEqual([
      "0.0.0.0 tcp",
      ":: tcp",
      "0.0.0.0 udp",
      ":: udp",
    ]);
    await ports.publish(web.containerId, targetOf(a));
    const gateway = addressIn(subnet, 1);
    expect(await askTcp("127.0.0.1", port, "one")).toBe(`${a} ${gateway} one`);
    expect(await askTcp("127.5.0.1", port, "two")).toBe(`${a} ${gateway} two`);
    expect(await askTcp("::1", port, "three")).toBe(`${a} ${gateway} three`);
    expect(await askUdp("127.0.0.1", port, "four")).toBe(`${a} ${gateway} four`);
    expect(await askUdp("::1", port, "five")).toBe(`${a} ${gateway} five`);
    expect(await askTcp(gateway, port, "six")).toBe(`${a} ${gateway} six`);
    if (HOST_ADDRESS !== undefined)
      expect(await askTcp(HOST_ADDRESS, port, "seven")).toBe(`${a} ${HOST_ADDRESS} seven`);
    const ask = (from: string, host: string) =>
      inside(from, "sh", "-c", `echo -n x | timeout 5 busybox nc ${host} ${port}`);
    // Itself and a neighbour through the bridge's address, and a container of another network.
    expect(await ask(a, gateway)).toBe(`${a} ${gateway} x`);
    expect(await ask(b, gateway)).toBe(`${a} ${gateway} x`);
    expect(await ask(c, addressIn(other, 1))).toContain(`${a} `);
  });

  it("transfers more than the buffers hold, over both families, and forwards a half-close", async () => {
    const port = uniquePort(1);
    const web = await lease("bulk", wish(port));
    await ports.publish(web.containerId, targetOf(a));
    const bulk = "0123456789".repeat(800_000);
    for (const host of ["127.0.0.1", "::1"]) {
      const answer = await askTcp(host, port, bulk);
      expect(answer.length).toBe(`${a} ${addressIn(subnet, 1)} `.length + bulk.length);
      expect(answer.endsWith(bulk)).toBe(true);
    }
  });

  it("answers only on the requested address", async () => {
    const port = uniquePort(2);
    const one = await lease("one", wish(port, { hostIp: "127.0.0.1" }));
    const two = await lease("two", wish(port, { hostIp: "127.0.0.2", containerPort: 81 }));
    await ports.publish(one.containerId, targetOf(a));
    await ports.publish(two.containerId, targetOf(b));
    expect(await askTcp("127.0.0.1", port)).toContain(a);
    expect(await askTcp("127.0.0.2", port)).toContain(b);
    await expect(askTcp("127.0.0.3", port)).rejects.toThrow("ECONNREFUSED");
    await expect(inside(b, "busybox", "nc", "-w", "2", addressIn(subnet, 1), String(port))).rejects.toThrow(
      "ended with",
    );
  });

  it("refuses connections before publishing and after release, and is then free", async () => {
    const port = uniquePort(3);
    const web = await lease("web", wish(port));
    for (const host of ["127.0.0.1", "::1"]) await expect(askTcp(host, port)).rejects.toThrow(/ECONN(RESET|REFUSED)/);
    await expect(listen("127.0.0.1", port)).rejects.toThrow("EADDRINUSE");
    await expect(listen("::1", port)).rejects.toThrow("EADDRINUSE");
    await ports.publish(web.containerId, targetOf(a));
    await ports.release(web.containerId);
    await ports.release(web.containerId);
    expect(ports.assignments(web.containerId)).toEqual([]);
    await listen("0.0.0.0", port);
    await listen("::", port);
    expect(await rows()).toBe(0);
    expect(await runCommand("nft", ["list", "map", "ip", instance, "ports"])).not.toContain("elements");
  });

  it("reaches its next holder over UDP, even from a client that never stops sending", async () => {
    const port = uniquePort(4);
    const { createSocket } = await import("node:dgram");
    const client = createSocket("udp4");
    let heard: (text: string) => void = () => undefined;
    client.on("message", (text) => heard(text.toString()));
    const chatter = setInterval(() => client.send("x", port, "127.0.0.1"), 20);
    const answerOf = (name: string) =>
      new Promise<void>((resolve) => {
        heard = (text) => {
          if (text.startsWith(name)) resolve();
        };
      });
    try {
      for (const namespace of [a, b]) {
        const { containerId } = await lease("udp", wish(port, { protocol: "udp" }));
        await ports.publish(containerId, targetOf(namespace));
        await answerOf(namespace);
        await ports.release(containerId);
      }
    } finally {
      clearInterval(chatter);
      client.close();
    }
  });
});

describe("a lease", () => {
  const conflicts: readonly [string, Partial<PortWish>, Partial<PortWish>, string][] = [
    ["the same port", {}, {}, "0.0.0.0"],
    ["a wildcard and then an address", {}, { hostIp: "127.0.0.1" }, "127.0.0.1"],
    ["an address and then the wildcard", { hostIp: "127.0.0.1" }, {}, "0.0.0.0"],
    ["the IPv6 wildcard and then its loopback", { hostIp: "::" }, { hostIp: "::1" }, "::1"],
  ];
  it.each(conflicts)("names the conflicting container: %s", async (_, first, second, bound) => {
    const port = uniquePort(5);
    await lease("holder", wish(port, first));
    const shown = bound.includes(":") ? `(${bound}|\\[${bound}\\])` : bound.replaceAll(".", "\\.");
    const refused = lease("late", wish(port, second));
    await expect(refused).rejects.toMatchObject({ kind: "failed" });
    await expect(refused).rejects.toThrow(
      new RegExp(
        `^Bind for ${shown}:${port} failed: port is already allocated: address already in use by container holder`,
      ),
    );
    const { cause } = (await refused.catch((thrown: Error) => thrown)) as Error & { cause: LeaseConflict };
    expect(cause.holder).toMatchObject({ kind: "container", owner: "owner-1" });
  });

  it("names neither another user's container nor a process to a user, and both to an administrator", async () => {
    const port = uniquePort(9);
    await lease("holder", wish(port));
    await listen("0.0.0.0", port + 1);
    await expect(leaseAs("owner-2", "late", wish(port))).rejects.toThrow(/by another user's container$/);
    await expect(leaseAs("owner-2", "late", wish(port + 1))).rejects.toThrow(/by another process$/);
    await expect(leaseAs(undefined, "late", wish(port))).rejects.toThrow(/by container holder$/);
    await expect(leaseAs(undefined, "late", wish(port + 1))).rejects.toThrow(`by process ${process.pid} (`);
  });

  const independent: readonly [string, Partial<PortWish>, Partial<PortWish>][] = [
    ["two addresses", { hostIp: "127.0.0.1" }, { hostIp: "127.0.0.2" }],
    ["two protocols", {}, { protocol: "udp" }],
    ["two families", { hostIp: "0.0.0.0" }, { hostIp: "::" }],
  ];
  it.each(independent)("does not conflict: %s", async (_, first, second) => {
    const port = uniquePort(6);
    await lease("one", wish(port, first));
    await expect(lease("two", wish(port, second))).resolves.toBeDefined();
  });

  it("skips other programs' ports for a dynamic port and a range, and names the program for a fixed one", async () => {
    const first = uniquePort(8);
    await listen("127.0.0.1", first);
    await listen("::", first + 1);
    const dynamic = await lease("dynamic", wish());
    expect(dynamic.assignments.map(({ hostPort }) => hostPort)).toEqual([first + 2, first + 2]);
    const range = await lease("range", wish([first, first + 4]));
    expect(range.assignments[0]?.hostPort).toBe(first + 3);
    await expect(leaseAs(undefined, "fixed", wish(first))).rejects.toThrow(
      `Bind for 0.0.0.0:${first} failed: port is already allocated: address already in use by process ${process.pid} (`,
    );
    expect(await rows()).toBe(4);
  });

  it("looks for the program of a port only to name it in a refusal", async () => {
    const taken = uniquePort(9);
    await listen("127.0.0.1", taken);
    const readFolder = vi.spyOn(fs, "readdirSync");
    syncBuiltinESMExports();
    onTestFinished(() => {
      readFolder.mockRestore();
      syncBuiltinESMExports();
    });
    const searches = () => readFolder.mock.calls.filter(([folder]) => folder === "/proc").length;
    const passed = await lease("range", wish([taken, taken + 1]));
    expect(passed.assignments[0]?.hostPort).toBe(taken + 1);
    expect(searches()).toBe(0);
    await expect(lease("fixed", wish(taken))).rejects.toThrow("already allocated");
    expect(searches()).toBe(1);
  });

  it("finds a dynamic port in two tries, however many other programs have", async () => {
    const free = uniquePort(14);
    for (let number = 8; number <= 15; number++)
      if (uniquePort(number) !== free) await listen("0.0.0.0", uniquePort(number));
    const statements = vi.spyOn(database.db, "execute");
    onTestFinished(() => statements.mockRestore());
    const { assignments } = await lease("dynamic", wish(undefined));
    expect(assignments[0]?.hostPort).toBe(free);
    expect(statements.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it("takes all or nothing", async () => {
    const port = uniquePort(5);
    await listen("0.0.0.0", port + 1);
    const before = await rows();
    await expect(lease("partial", wish(port), wish(port + 1, { containerPort: 81 }))).rejects.toThrow(
      "already allocated",
    );
    expect(await rows()).toBe(before);
    await listen("0.0.0.0", port);
  });

  it("reports an exhausted range or dynamic range, and reuses a released port last", async () => {
    const seen = new Set<number | undefined>();
    for (let count = 0; count < 8; count++) seen.add((await lease(`d${count}`, wish())).assignments[0]?.hostPort);
    expect(seen.size).toBe(8);
    await expect(lease("late", wish())).rejects.toThrow("all ports are allocated");
    const [gone] = STARTED.splice(3, 1);
    await ports.release(gone as ContainerId);
    await expect(lease("next", wish())).resolves.toBeDefined();
  });

  it("names an address that the host lacks", async () => {
    await expect(lease("lost", wish(uniquePort(5), { hostIp: "203.0.113.9" }))).rejects.toThrow(
      /cannot assign requested address.*203\.0\.113\.9/,
    );
    expect(await rows()).toBe(0);
  });

  it.each(["tcp", "udp", "sctp"] satisfies Protocol[])("never goes to two containers at once: %s", async (protocol) => {
    const first = uniquePort(8);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => lease(`racer${index}`, wish([first, first + 7], { protocol }))),
    );
    const got = outcomes.flatMap((outcome) =>
      outcome.status === "fulfilled" ? outcome.value.assignments.slice(0, 1).map(({ hostPort }) => hostPort) : [],
    );
    expect(new Set(got).size).toBe(got.length);
    expect(got.length).toBe(8);
  });

  it("names a renamed container by its new name", async () => {
    const port = uniquePort(5);
    const { containerId } = await lease("old", wish(port));
    ports.rename(containerId, "new");
    await expect(lease("late", wish(port))).rejects.toThrow("by container new");
  });
});

describe("after a crash", () => {
  const published = async (port: number) => {
    const held = await lease("holds", wish(port));
    await ports.publish(held.containerId, targetOf(a));
    return held;
  };

  it("binds and publishes the ports of running containers, and frees all others", async () => {
    const port = uniquePort(0);
    const runs = await lease("runs", wish(port));
    const died = await lease("died", wish(port + 1));
    await ports.publish(runs.containerId, targetOf(a));
    await ports.publish(died.containerId, targetOf(b));
    await nft.apply([`add element ip ${instance} ports { tcp . ${port + 2} : 10.0.0.9 . 80 }`]);
    // What a SIGKILL leaves: the rows and the kernel's paths, but no socket.
    await ports.close();
    expect(await askTcp("127.0.0.1", port)).toContain(a);
    ports = await open();
    await ports.recover(new Map([[runs.containerId, targetOf(a)]]));
    expect(await askTcp("127.0.0.1", port)).toContain(a);
    expect(await askTcp("::1", port)).toContain(a);
    expect(ports.assignments(runs.containerId)).toEqual(runs.assignments);
    await expect(listen("0.0.0.0", port)).rejects.toThrow("EADDRINUSE");
    await listen("0.0.0.0", port + 1);
    const elements = await runCommand("nft", ["list", "map", "ip", instance, "ports"]);
    expect(elements).toContain(`tcp . ${port} :`);
    expect(elements).not.toContain(`. ${port + 1} :`);
    expect(elements).not.toContain(`. ${port + 2} :`);
    expect(await rows()).toBe(2);
    await ports.release(runs.containerId);
    await listen("0.0.0.0", port);
  });

  it("re-binds a port once the other program releases it, and hides its IPv6 binding until then", async () => {
    const taken = uniquePort(4);
    const { containerId: running, assignments: all } = await published(taken);
    expect(all.map(({ hostIp }) => hostIp)).toEqual(["0.0.0.0", "::"]);
    await ports.close();
    const others = [await listen("0.0.0.0", taken), await listen("::", taken)];
    ports = await open();
    await ports.recover(new Map([[running, targetOf(a)]]));
    // The kernel leads past the other program over IPv4, and not over IPv6.
    expect(await askTcp("127.0.0.1", taken)).toContain(a);
    expect(ports.assignments(running).map(({ hostIp }) => hostIp)).toEqual(["0.0.0.0"]);
    for (const server of others) await new Promise((resolve) => server.close(resolve));
    await expect.poll(() => ports.assignments(running), { timeout: 20_000 }).toEqual(all);
    expect(await askTcp("::1", taken)).toContain(a);
    await expect(listen("0.0.0.0", taken)).rejects.toThrow("EADDRINUSE");
    await ports.release(running);
    await listen("0.0.0.0", taken);
  });

  it("leaves a port to another program when its container ends", async () => {
    const taken = uniquePort(5);
    const { containerId: running } = await published(taken);
    await ports.close();
    const other = await listen("0.0.0.0", taken);
    ports = await open();
    await ports.recover(new Map([[running, targetOf(a)]]));
    await ports.release(running);
    expect(ports.assignments(running)).toEqual([]);
    expect(other.listening).toBe(true);
  });
});
