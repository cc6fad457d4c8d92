import { type AddressInfo, createServer, type Server } from "node:net";
import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestDatabase } from "../db/database.testing.ts";
import type { OpenDatabase } from "../db/database.ts";
import { createLeaseStore } from "../db/lease-store.ts";
import { createNetworkStore } from "../db/network-store.ts";
import { createReservationStore } from "../db/reservation-store.ts";
import type { ContainerId } from "../engine/ids.ts";
import { viewerOf } from "../engine/owners.ts";
import { readKernelPorts } from "../ports/kernel-ports.ts";
import type { Ports } from "../ports/ports.ts";
import { HostPorts } from "../ports/ports-service.ts";
import { runCommand } from "./command.ts";
import { openNft } from "./filter/nft.ts";
import {
  askTcp,
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

// Containers of two users and of an administrator on the default network, against each other and against the host.

const instance = uniqueInstance();
const subnet = uniqueSubnet();
const gateway = subnet.replace("0/24", "1");
const nft = openNft();
const RESPONDERS: Responder[] = [];
const PUBLISHED = uniquePort(0);
const LOOPBACK = uniquePort(1);
const [ANN, BOB] = ["1", "2"];
let database: OpenDatabase;
let networks: Networks;
let ports: Ports;

interface Container {
  readonly id: ContainerId;
  readonly namespace: string;
  readonly address: string;
  readonly macAddress: string;
  readonly link: string;
}

function open(): Networks {
  return new BridgeNetworks({
    instance,
    nft,
    store: createNetworkStore(database.db),
    subnet,
    hostId: "tests",
    poolSize: 2,
    log: SILENT,
  });
}

async function start(
  name: string,
  owner: string | undefined,
  {
    hostServices = false,
    endpoints = { bridge: {} },
  }: { readonly hostServices?: boolean; readonly endpoints?: Readonly<Record<string, EndpointRequest>> } = {},
): Promise<Container> {
  const id = newContainerId();
  await insertContainer(database.db, id, name, owner);
  const sandbox = await networks.claim({ containerId: id, containerName: name, owner, hostServices, endpoints });
  const [endpoint] = sandbox.endpoints;
  if (endpoint === undefined) throw new Error("no endpoint");
  const namespace = basename(sandbox.path);
  const port = (await runCommand("ip", ["-j", "-n", namespace, "link", "show", "eth0"])) as string;
  const [{ link_index: peer }] = JSON.parse(port);
  const links: { ifindex: number; ifname: string }[] = JSON.parse(await runCommand("ip", ["-j", "link"]));
  const link = links.find(({ ifindex }) => ifindex === peer)?.ifname ?? "";
  RESPONDERS.push(await startResponder(namespace, name, [80]));
  return { id, namespace, address: endpoint.address, macAddress: endpoint.macAddress, link };
}

/** Ends the service, and starts it with the containers that run. */
async function restart(): Promise<void> {
  await networks.close();
  networks = open();
  await networks.recover(new Set([ann.id, ann2.id, bob.id, admin.id]));
}

function ask({ namespace }: Container, host: string, port = 80): Promise<string> {
  return inside(namespace, "sh", "-c", `echo -n hi | timeout 1 busybox nc ${host} ${port}`);
}

async function publish({ id }: Container, address: string, hostPort: number, hostIp: string) {
  await ports.lease({
    containerId: id,
    containerName: "c",
    owner: ANN,
    wishes: [{ containerPort: 80, protocol: "tcp", hostIp, hostPorts: { start: hostPort, end: hostPort } }],
  });
  await ports.publish(id, { ipv4: address, ipv6: undefined });
}

let ann: Container;
let ann2: Container;
let bob: Container;
let admin: Container;

beforeAll(async () => {
  database = await openTestDatabase();
  networks = open();
  await networks.recover(new Set());
  ports = new HostPorts({
    instance,
    nft,
    store: createLeaseStore(database.db),
    reservations: createReservationStore(database.db),
    kernel: await readKernelPorts(),
    log: SILENT,
  });
  ann = await start("ann", ANN);
  ann2 = await start("ann2", ANN);
  bob = await start("bob", BOB);
  admin = await start("admin", undefined);
  await publish(ann, ann.address, PUBLISHED, "0.0.0.0");
  await publish(admin, admin.address, LOOPBACK, "127.0.0.1");
});

afterAll(async () => {
  for (const responder of RESPONDERS) await responder.stop();
  await ports.close();
  for (const { id } of [ann, ann2, bob, admin]) await networks.release(id);
  await networks.close();
  await removeInstance(instance, nft);
  await database.close();
});

describe("the default network", () => {
  it("joins the containers of one owner", async () => {
    expect(await ask(ann2, ann.address)).toBe(`ann ${ann2.address} hi`);
    expect(await ask(ann, ann2.address)).toBe(`ann2 ${ann.address} hi`);
  });

  it("keeps containers of different owners apart, administrators' among them", async () => {
    const pairs = [ann, bob, admin].flatMap((from) => [ann, bob, admin].map((to) => [from, to] as const));
    await Promise.all(
      pairs
        .filter(([from, to]) => from !== to)
        .map(([from, to]) => expect(ask(from, to.address)).rejects.toThrow("ended with")),
    );
  });

  it("keeps them apart on the way through the gateway", async () => {
    await inside(bob.namespace, "ip", "route", "add", `${ann.address}/32`, "via", gateway);
    await inside(ann2.namespace, "ip", "route", "add", `${ann.address}/32`, "via", gateway);
    try {
      await expect(ask(bob, ann.address)).rejects.toThrow("ended with");
      expect(await ask(ann2, ann.address)).toContain("ann ");
    } finally {
      for (const { namespace } of [bob, ann2]) await inside(namespace, "ip", "route", "del", `${ann.address}/32`);
    }
  });

  it("leads everyone to a port published on every address, and only the host to one on loopback", async () => {
    for (const from of [ann, ann2, bob, admin]) expect(await ask(from, gateway, PUBLISHED)).toContain("ann ");
    expect(await askTcp("127.0.0.1", PUBLISHED)).toContain("ann ");
    expect(await askTcp("127.0.0.1", LOOPBACK)).toContain("admin ");
    await expect(ask(bob, gateway, LOOPBACK)).rejects.toThrow("ended with");
  });
});

describe("the services of the host", () => {
  let server: Server;
  let port: number;

  beforeAll(async () => {
    server = createServer((socket) => socket.end("host"));
    await new Promise<void>((resolve) => server.listen({ host: "0.0.0.0", port: 0 }, resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => void server.close());

  it("are reached by administrators' containers and by users' that may, and refused to other users'", async () => {
    const guest = await start("guest", BOB, { hostServices: true });
    expect(await ask(admin, gateway, port)).toBe("host");
    expect(await ask(guest, gateway, port)).toBe("host");
    await expect(ask(bob, gateway, port)).rejects.toThrow("ended with");
    await expect(ask(bob, "192.0.2.1", port)).rejects.toThrow("ended with");
    expect(await inside(bob.namespace, "busybox", "ping", "-c", "1", "-W", "1", gateway)).toContain(
      "1 packets received",
    );
    await networks.release(guest.id);
  });

  it("leave the name service to a user's container on a network of its own", async () => {
    const creator = { viewer: viewerOf(BOB), authorize: () => undefined };
    await networks.create(
      {
        name: "own",
        driver: "bridge",
        internal: false,
        attachable: false,
        enableIPv4: true,
        enableIPv6: false,
        options: {},
        labels: {},
        ipam: { driver: "default", options: null, config: [{ Subnet: uniqueSubnet() }] },
        checkDuplicate: true,
      },
      creator,
    );
    const one = await start("one", BOB, { endpoints: { own: {} } });
    const two = await start("two", BOB, { endpoints: { own: {} } });
    expect(await inside(one.namespace, "busybox", "nslookup", "two", "127.0.0.11")).toContain(two.address);
    const own = networks.get("own", viewerOf(BOB)).ipam.config[0]?.Gateway ?? "";
    await expect(ask(one, own, port)).rejects.toThrow("ended with");
    expect(await ask(one, two.address)).toBe(`two ${one.address} hi`);
    for (const { id } of [one, two]) await networks.release(id);
    await networks.remove("2/own", HOST_VIEWER);
  });
});

describe("a container that pretends to be another", () => {
  /** Runs `attack` in bob's namespace while ann's address is asked for, then gives bob its own address again. */
  async function attacked(commands: readonly string[]): Promise<string> {
    await runCommand("ip", ["neigh", "flush", "dev", `${instance}0`]);
    await inside(bob.namespace, "sh", "-e", "-c", commands.join("\n"));
    try {
      return await askTcp("127.0.0.1", PUBLISHED);
    } finally {
      await inside(
        bob.namespace,
        "sh",
        "-c",
        `ip link set eth0 address ${bob.macAddress}; ip addr flush dev eth0; ip addr add ${bob.address}/24 dev eth0; ip route replace default via ${gateway}`,
      );
    }
  }
  const announce = (address: string) =>
    `busybox arping -q -c 1 -U -I eth0 -s ${address} ${gateway} || true; busybox arping -q -c 1 -A -I eth0 -s ${address} ${gateway} || true`;

  it.each([
    ["by its IP address", () => [`ip addr add ${ann.address}/24 dev eth0`, announce(ann.address)]],
    [
      "by its hardware address",
      () => [`ip link set eth0 address ${ann.macAddress}`, `busybox ping -c 1 -W 1 ${gateway} >/dev/null || true`],
    ],
    [
      "by both",
      () => [
        `ip link set eth0 address ${ann.macAddress}`,
        `ip addr add ${ann.address}/24 dev eth0`,
        announce(ann.address),
      ],
    ],
  ])("%s gets none of its packets", async (_, commands) => {
    expect(await attacked(commands())).toContain("ann ");
    const neighbours = await runCommand("ip", ["neigh", "show", "dev", `${instance}0`, "to", ann.address]);
    expect(neighbours).toContain(ann.macAddress);
  });

  it("would get them without the rules", async () => {
    await nft.apply([`flush chain bridge ${instance} source`]);
    try {
      const answered = await attacked([
        `ip link set eth0 address ${ann.macAddress}`,
        `ip addr add ${ann.address}/24 dev eth0`,
        announce(ann.address),
      ]).catch(() => "nobody");
      expect(answered).not.toContain("ann ");
    } finally {
      await restart();
    }
    expect(await attacked([])).toContain("ann ");
  });

  it("sends nothing from an address that is not its own", async () => {
    await inside(bob.namespace, "ip", "addr", "add", "203.0.113.7/32", "dev", "eth0");
    const ping = (...from: readonly string[]) =>
      inside(bob.namespace, "busybox", "ping", "-c", "1", "-W", "1", ...from, gateway);
    await expect(ping("-I", "203.0.113.7")).rejects.toThrow("ended with");
    await inside(bob.namespace, "ip", "addr", "del", "203.0.113.7/32", "dev", "eth0");
    // The kernel repeats its question for the gateway's hardware address, which nobody answered, only a second later.
    await inside(bob.namespace, "ip", "neigh", "flush", "dev", "eth0");
    expect(await ping()).toContain("1 packets received");
  });
});

describe("the filter", () => {
  const elements = async (family: string, set: string) =>
    [...(await runCommand("nft", ["list", "set", family, instance, set])).matchAll(/veth\w+|\d+\.\d+\.\d+\.\d+/g)].map(
      ([text]) => text,
    );

  it("loses what a container had when it is released, and what nobody has when the service starts", async () => {
    await restart();
    const more = await start("more", BOB);
    expect(await elements("bridge", "links")).toContain(more.link);
    expect(await elements("ip", "guests")).toContain(more.address);
    await networks.release(more.id);
    await nft.apply([
      `add element bridge ${instance} links { veth00000000 }`,
      `add element ip ${instance} guests { 192.0.2.9 }`,
      `delete element bridge ${instance} owned_links { ${await markOf(bob)} . ${bob.link} }`,
    ]);
    await restart();
    expect((await elements("bridge", "links")).sort()).toEqual([ann, ann2, bob, admin].map(({ link }) => link).sort());
    expect((await elements("ip", "guests")).sort()).toEqual([ann, ann2, bob].map(({ address }) => address).sort());
    expect(await elements("bridge", "owned_links")).toContain(bob.link);
    expect(await ask(ann2, ann.address)).toBe(`ann ${ann2.address} hi`);
    await expect(ask(bob, ann.address)).rejects.toThrow("ended with");
  });

  async function markOf({ link }: Container): Promise<string> {
    const listed = await runCommand("nft", ["list", "map", "bridge", instance, "link_owners"]);
    return new RegExp(`"${link}" : (0x[0-9a-f]+)`).exec(listed)?.[1] ?? "";
  }
});
