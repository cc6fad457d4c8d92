import { basename } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestDatabase } from "../db/database.testing.ts";
import type { OpenDatabase } from "../db/database.ts";
import { createLeaseStore } from "../db/lease-store.ts";
import { createNetworkStore } from "../db/network-store.ts";
import { createReservationStore } from "../db/reservation-store.ts";
import { readKernelPorts } from "../ports/kernel-ports.ts";
import type { Ports } from "../ports/ports.ts";
import { HostPorts } from "../ports/ports-service.ts";
import { runCommand } from "./command.ts";
import { openNft } from "./filter/nft.ts";
import {
  askUdpFrom,
  HOST_CREATOR,
  HOST_VIEWER,
  insertContainer,
  inside,
  newContainerId,
  type Responder,
  SILENT,
  startResponder,
  uniqueInstance,
  uniquePort,
  uniqueSubnet,
} from "./host.testing.ts";
import type { EndpointRequest, Networks } from "./networks.ts";
import { BridgeNetworks } from "./networks-service.ts";
import { removeInstance } from "./sweep.ts";

// A machine beside the host, on a wire of its own: what a container sees of the world, and the world of it.
const instance = uniqueInstance();
const wire = uniqueSubnet();
const host = wire.replace("0/24", "1");
const machine = wire.replace("0/24", "2");
const OUTSIDE = `${instance}outside`;
const nft = openNft();
const RESPONDERS: Responder[] = [];
let database: OpenDatabase;
let networks: Networks;
let ports: Ports;

beforeAll(async () => {
  await runCommand(
    "ip",
    ["-batch", "-"],
    [
      `netns add ${OUTSIDE}`,
      `link add ${instance}w type veth peer name eth0 netns ${OUTSIDE}`,
      `addr add ${host}/24 dev ${instance}w`,
      `link set ${instance}w up`,
      "",
    ].join("\n"),
  );
  await runCommand(
    "ip",
    ["-n", OUTSIDE, "-batch", "-"],
    ["link set lo up", `addr add ${machine}/24 dev eth0`, "link set eth0 up", `route add default via ${host}`, ""].join(
      "\n",
    ),
  );
  database = await openTestDatabase();
  const { db } = database;
  const common = { instance, nft, log: SILENT };
  networks = new BridgeNetworks({
    ...common,
    store: createNetworkStore(db),
    subnet: uniqueSubnet(),
    hostId: "tests",
    poolSize: 1,
  });
  await networks.recover(new Set());
  const ipam = { driver: "default", options: null, config: [{ Subnet: uniqueSubnet() }] };
  const base = {
    driver: "",
    attachable: false,
    enableIPv4: true,
    enableIPv6: false,
    options: {},
    labels: {},
    checkDuplicate: true,
  };
  await networks.create({ ...base, name: "inner", internal: true, ipam }, HOST_CREATOR);
  const open = {
    options: { "com.docker.network.bridge.gateway_mode_ipv4": "nat-unprotected" },
    ipam: { ...ipam, config: [{ Subnet: uniqueSubnet() }] },
  };
  await networks.create({ ...base, ...open, name: "open", internal: false }, HOST_CREATOR);
  const routed = {
    options: { "com.docker.network.bridge.gateway_mode_ipv4": "routed" },
    ipam: { ...ipam, config: [{ Subnet: uniqueSubnet() }] },
  };
  await networks.create({ ...base, ...routed, name: "routed", internal: false }, HOST_CREATOR);
  const isolated = {
    options: { "com.docker.network.bridge.gateway_mode_ipv4": "isolated" },
    ipam: { ...ipam, config: [{ Subnet: uniqueSubnet().replace("0/24", "64/31") }] },
  };
  await networks.create({ ...base, ...isolated, name: "alone", internal: true }, HOST_CREATOR);
  ports = new HostPorts({
    ...common,
    store: createLeaseStore(db),
    reservations: createReservationStore(db),
    kernel: await readKernelPorts(),
  });
  RESPONDERS.push(await startResponder(OUTSIDE, "outside", [80]));
});

afterAll(async () => {
  for (const responder of RESPONDERS) await responder.stop();
  await ports.close();
  await networks.close();
  await removeInstance(instance, nft);
  await runCommand("ip", ["link", "del", `${instance}w`]);
  await runCommand("ip", ["netns", "del", OUTSIDE]);
  await database.close();
});

async function claim(
  name: string,
  asked: Pick<Parameters<Networks["claim"]>[0], "owner" | "hostServices" | "endpoints">,
) {
  const containerId = newContainerId();
  await insertContainer(database.db, containerId, name, asked.owner);
  return { containerId, sandbox: await networks.claim({ containerId, containerName: name, ...asked }) };
}

async function run(name: string, hostPort: number, endpoints: Readonly<Record<string, EndpointRequest>>, hostIp = "") {
  const { containerId, sandbox } = await claim(name, { owner: undefined, hostServices: false, endpoints });
  const address = sandbox.endpoints[0]?.address ?? "";
  const hostPorts = { start: hostPort, end: hostPort };
  const wishes = (["tcp", "udp"] as const).map((protocol) => ({ containerPort: 80, protocol, hostIp, hostPorts }));
  await ports.lease({ containerId, containerName: name, owner: undefined, wishes });
  await ports.publish(containerId, { ipv4: address, ipv6: undefined });
  const namespace = basename(sandbox.path);
  RESPONDERS.push(await startResponder(namespace, name, [80]));
  return { namespace, address };
}

/** What answers; one that does is given the time that a busy machine needs. */
function ask(from: string, to: string, port: number, seconds = 20) {
  return inside(from, "sh", "-c", `echo -n hi | timeout ${seconds} busybox nc ${to} ${port}`);
}

async function expectNoAnswer(from: string, to: string, port: number): Promise<void> {
  await expect(ask(from, to, port, 1)).rejects.toThrow("ended with");
}

it("reaches a published port with the machine's own address, and nothing that is not published", async () => {
  const port = uniquePort(0);
  const web = await run("web", port, { bridge: {} });
  expect(await ask(OUTSIDE, host, port)).toBe(`web ${machine} hi`);
  expect(await askUdpFrom(OUTSIDE, host, port)).toBe(`web ${machine} hello\n`);
  await expectNoAnswer(OUTSIDE, web.address, 80);
});

it("reaches every port on a network whose gateway does not protect, as other networks' containers do not", async () => {
  const open = await run("open", uniquePort(4), { open: {} });
  expect(await ask(OUTSIDE, open.address, 80)).toBe(`open ${machine} hi`);
  const neighbour = await run("neighbour", uniquePort(5), { bridge: {} });
  await expectNoAnswer(neighbour.namespace, open.address, 80);
  expect(await ask(open.namespace, machine, 80)).toBe(`outside ${host} hi`);
});

it("reaches what a container of a routed network publishes, at its own address alone, as other networks' containers do", async () => {
  const port = uniquePort(6);
  const { containerId, sandbox } = await claim("routed", {
    owner: undefined,
    hostServices: false,
    endpoints: { routed: {} },
  });
  const address = sandbox.endpoints[0]?.address ?? "";
  const hostRange = { start: port, end: port };
  const wishes = [{ containerPort: 80, protocol: "tcp", hostIp: "0.0.0.0", hostPorts: hostRange } as const];
  const routed = ["ipv4"] as const;
  const opened = [{ address, containerPort: 80, protocol: "tcp" } as const];
  expect(await ports.lease({ containerId, containerName: "routed", owner: undefined, wishes, routed })).toEqual([]);
  RESPONDERS.push(await startResponder(basename(sandbox.path), "routed", [80, 81]));
  await expectNoAnswer(OUTSIDE, address, 80);
  await ports.publish(containerId, { ipv4: address, ipv6: undefined, routed, opened });
  expect(ports.assignments(containerId)).toEqual([
    { hostIp: "0.0.0.0", hostPort: 0, containerPort: 80, protocol: "tcp" },
  ]);
  expect(await ask(OUTSIDE, address, 80)).toBe(`routed ${machine} hi`);
  await expectNoAnswer(OUTSIDE, address, 81);
  await expectNoAnswer(OUTSIDE, host, port);
  await inside(OUTSIDE, "busybox", "ping", "-c1", "-W20", address);
  const neighbour = await run("beside", uniquePort(7), { bridge: {} });
  expect(await ask(neighbour.namespace, address, 80)).toContain("hi");
  await expectNoAnswer(neighbour.namespace, address, 81);
  // It speaks with its own address: the machine has a way back over the host.
  expect(await ask(basename(sandbox.path), machine, 80)).toBe(`outside ${address} hi`);
  await ports.recover(new Map([[containerId, { ipv4: address, ipv6: undefined, routed, opened }]]));
  expect(await ask(OUTSIDE, address, 80)).toBe(`routed ${machine} hi`);
  await ports.release(containerId);
  await expectNoAnswer(OUTSIDE, address, 80);
  expect(ports.assignments(containerId)).toEqual([]);
});

it("is nowhere for an isolated network, whose two addresses are its containers', and the host neither; names are answered", async () => {
  const { Subnet = "", Gateway } = networks.get("alone", HOST_VIEWER).ipam.config[0] ?? {};
  expect(Gateway).toBeUndefined();
  const joined = await Promise.all(
    ["one", "two"].map((name) => claim(name, { owner: undefined, hostServices: false, endpoints: { alone: {} } })),
  );
  const [one, two] = joined.map(({ sandbox }) => ({
    namespace: basename(sandbox.path),
    address: sandbox.endpoints[0]?.address ?? "",
  }));
  if (one === undefined || two === undefined) throw new Error("no sandboxes");
  const first = Subnet.split("/")[0] ?? "";
  expect([one.address, two.address].sort()).toEqual([first, first.replace("64", "65")]);
  RESPONDERS.push(await startResponder(two.namespace, "two", [80]));
  expect(await ask(one.namespace, two.address, 80)).toBe(`two ${one.address} hi`);
  expect(await inside(one.namespace, "busybox", "nslookup", "two", "127.0.0.11")).toContain(two.address);
  const bridge = `br-${networks.get("alone", HOST_VIEWER).id.slice(0, 12)}`;
  expect((await runCommand("ip", ["-o", "-4", "addr", "show", "dev", bridge])).trim()).toBe("");
  await expect(runCommand("busybox", ["ping", "-c1", "-W1", two.address])).rejects.toThrow("ended with 1");
  await expectNoAnswer(OUTSIDE, two.address, 80);
  await expectNoAnswer(one.namespace, machine, 80);
});

it("is reached from a container with the host's address", async () => {
  const client = await run("client", uniquePort(1), { bridge: {} });
  expect(await ask(client.namespace, machine, 80)).toBe(`outside ${host} hi`);
});

it("is kept from a port that is published on loopback", async () => {
  const port = uniquePort(2);
  await run("local", port, { bridge: {} }, "127.0.0.1");
  await expectNoAnswer(OUTSIDE, host, port);
});

it("is out of reach for an internal network, both ways", async () => {
  const port = uniquePort(3);
  const inner = await run("inner", port, { inner: {} });
  await inside(
    inner.namespace,
    "ip",
    "route",
    "add",
    "default",
    "via",
    networks.get("inner", HOST_VIEWER).ipam.config[0]?.Gateway ?? "",
  );
  await expectNoAnswer(inner.namespace, machine, 80);
  await expectNoAnswer(OUTSIDE, host, port);
});

it("is kept from users' containers where it is the cloud's service for this machine alone", async () => {
  // As a cloud's 169.254.169.254, by an address that no other test run has.
  const service = `169.254.${100 + (process.pid % 100)}.${1 + ((process.pid >> 7) % 250)}`;
  await runCommand("ip", ["-n", OUTSIDE, "addr", "add", `${service}/32`, "dev", "eth0"]);
  await runCommand("ip", ["route", "add", `${service}/32`, "via", machine]);
  const places = [
    ["admins", undefined, false],
    ["trusted", "1", true],
    ["users", "2", false],
  ] as const;
  const [admins = "", trusted = "", users = ""] = await Promise.all(
    places.map(async ([name, owner, hostServices]) => {
      const { sandbox } = await claim(name, { owner, hostServices, endpoints: { bridge: {} } });
      return basename(sandbox.path);
    }),
  );
  for (const from of [admins, trusted]) expect(await ask(from, service, 80)).toBe(`outside ${host} hi`);
  await expectNoAnswer(users, service, 80);
  expect(await ask(users, machine, 80)).toBe(`outside ${host} hi`);
});
