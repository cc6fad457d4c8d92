import { type AddressInfo, createServer } from "node:net";
import { basename } from "node:path";
import { cidrContains, parseCidr, parseIp } from "@berth/port-spec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestDatabase } from "../db/database.testing.ts";
import type { OpenDatabase } from "../db/database.ts";
import { createLeaseStore } from "../db/lease-store.ts";
import { createNetworkStore } from "../db/network-store.ts";
import { createReservationStore } from "../db/reservation-store.ts";
import type { ContainerId } from "../engine/ids.ts";
import { readKernelPorts } from "../ports/kernel-ports.ts";
import type { Ports } from "../ports/ports.ts";
import { HostPorts } from "../ports/ports-service.ts";
import { linkLocalOf } from "./addresses/inet.ts";
import { localPrefix } from "./addresses/pools.ts";
import { runCommand } from "./command.ts";
import { openNft } from "./filter/nft.ts";
import {
  askTcp,
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
  uniqueSubnet6,
} from "./host.testing.ts";
import type { CreateNetworkRequest, Endpoint, EndpointRequest, IpamConfig, Networks } from "./networks.ts";
import { BridgeNetworks } from "./networks-service.ts";
import { removeInstance } from "./sweep.ts";

// IPv6 inside networks, against neighbours, the host, and a machine beside the host on a wire of its own.

const instance = uniqueInstance();
const wire = uniqueSubnet6();
const [HOST, MACHINE] = [at(wire, 1), at(wire, 2)];
const OUTSIDE = `${instance}outside`;
const subnet = uniqueSubnet();
const nft = openNft();
const [ANN, BOB] = ["1", "2"];
const RUNNING = new Map<ContainerId, Responder>();
let database: OpenDatabase;
let networks: Networks;
let ports: Ports;

interface Container extends Endpoint {
  readonly id: ContainerId;
  readonly namespace: string;
  readonly nameserver: string | undefined;
}

function at(net: string, host: number): string {
  return net.replace("::/64", `::${host.toString(16)}`);
}

function open(subnet6: "auto" | undefined): Networks {
  const store = createNetworkStore(database.db);
  return new BridgeNetworks({ instance, nft, store, subnet, subnet6, hostId: instance, poolSize: 1, log: SILENT });
}

async function start(
  name: string,
  owner: string | undefined,
  endpoints: Readonly<Record<string, EndpointRequest>> = { bridge: {} },
): Promise<Container> {
  const id = newContainerId();
  await insertContainer(database.db, id, `${name}-${id.slice(0, 8)}`, owner);
  const claimed = { containerId: id, containerName: name, owner, hostServices: false, endpoints };
  const { path, endpoints: placed, nameserver } = await networks.claim(claimed);
  const namespace = basename(path);
  const [endpoint] = placed;
  if (endpoint === undefined) throw new Error("no endpoint");
  RUNNING.set(id, await startResponder(namespace, name, [80]));
  return { ...endpoint, id, namespace, nameserver };
}

async function stop(...containers: readonly Container[]): Promise<void> {
  for (const { id } of containers) {
    await RUNNING.get(id)?.stop();
    RUNNING.delete(id);
    await ports.release(id);
    await networks.release(id);
  }
}

async function network(name: string, config: readonly IpamConfig[], changes: Partial<CreateNetworkRequest> = {}) {
  const base = { driver: "bridge", internal: false, attachable: false, enableIPv4: true, enableIPv6: true };
  const ipam = { driver: "default", options: null, config };
  return await networks.create(
    { ...base, name, options: {}, labels: {}, ipam, checkDuplicate: true, ...changes },
    HOST_CREATOR,
  );
}

function ask(from: string, host: string, port = 80): Promise<string> {
  return inside(from, "sh", "-c", `echo -n hi | timeout 1 busybox nc ${host} ${port}`);
}

async function publish({ id, address, ipv6 }: Container, hostPort: number, hostIps: readonly string[]) {
  await ports.lease({
    containerId: id,
    containerName: "c",
    owner: undefined,
    wishes: hostIps.flatMap((hostIp) =>
      (["tcp", "udp"] as const).map((protocol) => ({
        containerPort: 80,
        protocol,
        hostIp,
        hostPorts: { start: hostPort, end: hostPort },
      })),
    ),
  });
  await ports.publish(id, { ipv4: address || undefined, ipv6: ipv6.address || undefined });
}

async function restart(subnet6: "auto" | undefined): Promise<void> {
  await networks.close();
  networks = open(subnet6);
  await networks.recover(new Set(RUNNING.keys()));
}

let ann: Container;
let ann2: Container;
let bob: Container;
let admin: Container;

beforeAll(async () => {
  const setUp = [
    `netns add ${OUTSIDE}`,
    `link add ${instance}w type veth peer name eth0 netns ${OUTSIDE}`,
    `addr add ${HOST}/64 dev ${instance}w nodad`,
    `link set ${instance}w up`,
  ];
  await runCommand("ip", ["-batch", "-"], `${setUp.join("\n")}\n`);
  const beyond = ["link set lo up", `addr add ${MACHINE}/64 dev eth0 nodad`, "link set eth0 up"];
  const route = `route add default via ${HOST}`;
  await runCommand("ip", ["-n", OUTSIDE, "-batch", "-"], `${[...beyond, route].join("\n")}\n`);
  database = await openTestDatabase();
  networks = open("auto");
  await networks.recover(new Set());
  const kernel = await readKernelPorts();
  const { db } = database;
  const stores = { store: createLeaseStore(db), reservations: createReservationStore(db) };
  ports = new HostPorts({ ...stores, instance, nft, kernel, log: SILENT });
  ann = await start("ann", ANN);
  ann2 = await start("ann2", ANN);
  bob = await start("bob", BOB);
  admin = await start("admin", undefined);
  RUNNING.set(newContainerId(), await startResponder(OUTSIDE, "outside", [80]));
});

afterAll(async () => {
  for (const responder of RUNNING.values()) await responder.stop();
  await ports.close();
  for (const { id } of [ann, ann2, bob, admin]) await networks.release(id);
  await networks.close();
  await removeInstance(instance, nft);
  await runCommand("ip", ["link", "del", `${instance}w`]);
  await runCommand("ip", ["netns", "del", OUTSIDE]);
  await database.close();
});

describe("the default network, by setting", () => {
  it("has a subnet of the host's own prefix, and its containers exactly one address and one link-local one", async () => {
    const [, config] = networks.get("bridge", HOST_VIEWER).ipam.config;
    const drawn = parseCidr(config?.Subnet ?? "");
    expect(drawn?.prefixLength).toBe(64);
    expect(cidrContains(localPrefix(instance), drawn?.start ?? 0n)).toBe(true);
    const shown = await inside(ann.namespace, "ip", "-6", "-o", "addr", "show", "dev", "eth0");
    expect(shown).not.toContain("tentative");
    expect([...shown.matchAll(/inet6 (\S+)/g)].map(([, address]) => address)).toEqual([
      `${ann.ipv6.address}/64`,
      `${linkLocalOf(ann.macAddress)}/64`,
    ]);
    expect(await inside(ann.namespace, "ip", "-6", "route", "show", "default")).toContain(
      `via ${config?.Gateway} dev eth0`,
    );
    const bridge = await runCommand("ip", ["-6", "-o", "addr", "show", "dev", `${instance}0`]);
    expect(bridge).toContain(`${config?.Gateway}/64`);
  });

  it("joins the containers of one owner, and keeps others apart, on every way", async () => {
    expect(await ask(ann2.namespace, ann.ipv6.address)).toBe(`ann ${ann2.ipv6.address} hi`);
    expect(await ask(ann2.namespace, `${linkLocalOf(ann.macAddress)}%eth0`)).toContain("ann ");
    for (const from of [bob, admin])
      for (const host of [ann.ipv6.address, `${linkLocalOf(ann.macAddress)}%eth0`])
        await expect(ask(from.namespace, host)).rejects.toThrow("ended with");
    await inside(bob.namespace, "ip", "route", "add", `${ann.ipv6.address}/128`, "via", ann.ipv6.gateway);
    await expect(ask(bob.namespace, ann.ipv6.address)).rejects.toThrow("ended with");
    await inside(bob.namespace, "ip", "route", "del", `${ann.ipv6.address}/128`);
  });

  it("refuses the host's services to users' containers, at every address of the host", async () => {
    const server = createServer((socket) => socket.end("host"));
    await new Promise<void>((resolve) => server.listen({ host: "::", port: 0 }, resolve));
    const { port } = server.address() as AddressInfo;
    const bridge = await runCommand("ip", ["-6", "-o", "addr", "show", "dev", `${instance}0`, "scope", "link"]);
    const [, local = ""] = /inet6 ([^/]+)/.exec(bridge) ?? [];
    try {
      expect(await ask(admin.namespace, admin.ipv6.gateway, port)).toBe("host");
      expect(await ask(admin.namespace, `${local}%eth0`, port)).toBe("host");
      for (const host of [bob.ipv6.gateway, HOST, `${local}%eth0`])
        await expect(ask(bob.namespace, host, port)).rejects.toThrow("ended with");
      expect(await inside(bob.namespace, "busybox", "ping6", "-c", "1", "-W", "1", bob.ipv6.gateway)).toContain(
        "1 packets received",
      );
    } finally {
      server.close();
    }
  });
});

describe("a published port", () => {
  it("leads to the container's own IPv6 address, with the client's as the sender", async () => {
    const port = uniquePort(0);
    await publish(ann, port, ["0.0.0.0", "::"]);
    expect(await ask(OUTSIDE, HOST, port)).toBe(`ann ${MACHINE} hi`);
    expect(await askUdpFrom(OUTSIDE, HOST, port)).toBe(`ann ${MACHINE} hello\n`);
    expect(await askTcp(HOST, port)).toContain("ann ");
    expect(await askTcp("::1", port)).toContain("ann ");
    expect(await askTcp("127.0.0.1", port)).toContain("ann ");
    for (const from of [ann, ann2, bob, admin])
      expect(await ask(from.namespace, from.ipv6.gateway, port)).toContain("ann ");
    await expect(ask(OUTSIDE, ann.ipv6.address)).rejects.toThrow("ended with");
    const map = await runCommand("nft", ["list", "map", "ip6", instance, "ports"]);
    expect(map).toContain(`tcp . ${port} : ${ann.ipv6.address} . 80`);
    await ports.release(ann.id);
    await expect(ask(OUTSIDE, HOST, port)).rejects.toThrow("ended with");
  });

  it("on [::1] answers the host, and nobody else", async () => {
    const port = uniquePort(1);
    await publish(ann, port, ["::1"]);
    expect(await askTcp("::1", port)).toBe(`ann ${ann.ipv6.gateway} hello`);
    await expect(ask(OUTSIDE, HOST, port)).rejects.toThrow("ended with");
    await expect(ask(ann2.namespace, ann2.ipv6.gateway, port)).rejects.toThrow("ended with");
    await ports.release(ann.id);
  });

  it("on one address answers there alone", async () => {
    const port = uniquePort(2);
    await publish(ann, port, [HOST]);
    expect(await ask(OUTSIDE, HOST, port)).toBe(`ann ${MACHINE} hi`);
    await expect(askTcp("::1", port)).rejects.toThrow("ECONNREFUSED");
    await ports.release(ann.id);
  });
});

describe("the outside", () => {
  it("is reached with the host's address", async () => {
    expect(await ask(ann.namespace, MACHINE)).toBe(`outside ${HOST} hi`);
  });

  it("is kept from users' containers where it is the cloud's service for this machine alone", async () => {
    const service = `fd00:ec2::${(process.pid & 0xffff).toString(16)}`;
    await runCommand("ip", ["-n", OUTSIDE, "addr", "add", `${service}/128`, "dev", "eth0", "nodad"]);
    await runCommand("ip", ["route", "add", `${service}/128`, "via", MACHINE]);
    expect(await ask(admin.namespace, service)).toBe(`outside ${HOST} hi`);
    await expect(ask(ann.namespace, service)).rejects.toThrow("ended with");
  });

  it("is out of reach for an internal network, both ways", async () => {
    await network("inner", [{ Subnet: uniqueSubnet() }, { Subnet: uniqueSubnet6() }], { internal: true });
    const inner = await start("inner", undefined, { inner: {} });
    expect(inner.ipv6).toMatchObject({ address: expect.stringMatching(/^fd99:/), gateway: "" });
    const gateway = networks.get("inner", HOST_VIEWER).ipam.config[1]?.Gateway ?? "";
    await inside(inner.namespace, "ip", "route", "add", "default", "via", gateway);
    await runCommand("ip", ["-n", OUTSIDE, "route", "replace", `${inner.ipv6.address}/128`, "via", HOST]);
    await expect(ask(inner.namespace, MACHINE)).rejects.toThrow("ended with");
    await expect(ask(OUTSIDE, inner.ipv6.address)).rejects.toThrow("ended with");
    await stop(inner);
  });
});

describe("a container that pretends to be another", () => {
  /** Asks for ann's published port after `attack` in bob's namespace. */
  async function attacked(commands: readonly string[]): Promise<string> {
    const port = uniquePort(3);
    await publish(ann, port, ["::"]);
    await runCommand("ip", ["-6", "neigh", "flush", "dev", `${instance}0`]);
    await inside(bob.namespace, "sh", "-e", "-c", commands.join("\n"));
    try {
      return await askTcp(HOST, port);
    } finally {
      await ports.release(ann.id);
      const restore = [`link set eth0 address ${bob.macAddress}`, `addr del ${ann.ipv6.address}/64 dev eth0`];
      const back = [
        `addr replace ${bob.ipv6.address}/64 dev eth0 nodad`,
        `route replace default via ${bob.ipv6.gateway}`,
      ];
      await runCommand(
        "ip",
        ["-n", bob.namespace, "-force", "-batch", "-"],
        `${[...restore, ...back].join("\n")}\n`,
      ).catch(() => undefined);
    }
  }
  /** An unsolicited advertisement follows each change of the hardware address. */
  const announce = [
    "echo 1 > /proc/sys/net/ipv6/conf/eth0/ndisc_notify",
    "ip link set eth0 address 02:42:00:00:00:99",
    `ip link set eth0 address OWN`,
  ];

  it.each([
    ["by an advertisement of its address", () => bob.macAddress],
    ["by its hardware address too", () => ann.macAddress],
  ])("%s gets none of its packets", async (_, macAddress) => {
    const commands = announce.map((command) => command.replace("OWN", macAddress()));
    expect(await attacked([`ip addr add ${ann.ipv6.address}/64 dev eth0 nodad`, ...commands])).toContain("ann ");
    const neighbours = await runCommand("ip", ["neigh", "show", "dev", `${instance}0`, "to", ann.ipv6.address]);
    expect(neighbours).toContain(ann.macAddress);
  });

  it("would get them without the rules", async () => {
    await nft.apply([`flush chain bridge ${instance} source`]);
    try {
      const commands = announce.map((command) => command.replace("OWN", ann.macAddress));
      const answered = await attacked([`ip addr add ${ann.ipv6.address}/64 dev eth0 nodad`, ...commands]).catch(
        () => "nobody",
      );
      expect(answered).not.toContain("ann ");
    } finally {
      await restart("auto");
    }
    expect(await attacked(["true"])).toContain("ann ");
  });

  it("sends nothing from an address that is not its own", async () => {
    await inside(bob.namespace, "ip", "addr", "add", "2001:db8::7/128", "dev", "eth0", "nodad");
    const ping = (...from: readonly string[]) =>
      inside(bob.namespace, "busybox", "ping6", "-c", "1", "-W", "1", ...from, bob.ipv6.gateway);
    await expect(ping("-I", "2001:db8::7")).rejects.toThrow("ended with");
    await inside(bob.namespace, "ip", "addr", "del", "2001:db8::7/128", "dev", "eth0");
    // For three seconds it may still look for the gateway with the address that is not its own.
    await expect.poll(() => ping().catch(String), { timeout: 10_000 }).toContain("1 packets received");
  });
});

describe("a user network", () => {
  it("answers names with addresses of the family in question", async () => {
    await network("both", [{ Subnet: uniqueSubnet() }]);
    const one = await start("one", undefined, { both: {} });
    const two = await start("two", undefined, { both: {} });
    const answered = (type: string) =>
      inside(one.namespace, "busybox", "nslookup", `-type=${type}`, "two", "127.0.0.11");
    expect(await answered("aaaa")).toContain(two.ipv6.address);
    expect(await answered("aaaa")).not.toContain(two.address);
    expect(await answered("a")).toContain(two.address);
    expect(await inside(one.namespace, "busybox", "nslookup", two.ipv6.address, "127.0.0.11")).toContain("two.both");
    expect(await ask(one.namespace, two.ipv6.address)).toBe(`two ${one.ipv6.address} hi`);
    await stop(one, two);
  });

  it("gives the addresses asked for, to one container each", async () => {
    const given = uniqueSubnet6();
    await network("given", [
      { Subnet: uniqueSubnet() },
      { Subnet: given, Gateway: at(given, 9), AuxiliaryAddresses: { router: at(given, 2) } },
    ]);
    const asked = {
      given: { IPAMConfig: { IPv6Address: `${at(given, 0x77)}`, LinkLocalIPs: ["169.254.7.7", "fe80::77"] } },
    };
    const one = await start("one", undefined, asked);
    expect(one.ipv6).toEqual({ address: at(given, 0x77), prefixLength: 64, gateway: at(given, 9) });
    const shown = await inside(one.namespace, "ip", "-o", "addr", "show", "dev", "eth0");
    for (const address of ["169.254.7.7/16", "fe80::77/64"]) expect(shown).toContain(address);
    await expect(start("two", undefined, asked)).rejects.toThrow("Address already in use: 169.254.7.7");
    const taken = (IPv6Address: string) => start("two", undefined, { given: { IPAMConfig: { IPv6Address } } });
    for (const address of [at(given, 0x77), at(given, 2), at(given, 9)])
      await expect(taken(address)).rejects.toThrow(`Address already in use: ${address}`);
    await expect(taken("fd00::1")).rejects.toThrow("out of range");
    const next = await start("next", undefined, { given: {} });
    expect(next.ipv6.address).toBe(at(given, 1));
    await stop(one, next);
  });

  it("keeps its containers apart with enable_icc=false, but for published ports", async () => {
    const options = { "com.docker.network.bridge.enable_icc": "false" };
    await network("apart", [{ Subnet: uniqueSubnet() }], { options });
    const one = await start("one", undefined, { apart: {} });
    const two = await start("two", undefined, { apart: {} });
    await expect(ask(one.namespace, two.ipv6.address)).rejects.toThrow("ended with");
    await inside(one.namespace, "ip", "route", "add", `${two.ipv6.address}/128`, "via", one.ipv6.gateway);
    await expect(ask(one.namespace, two.ipv6.address)).rejects.toThrow("ended with");
    const port = uniquePort(4);
    await publish(two, port, ["::"]);
    expect(await ask(one.namespace, one.ipv6.gateway, port)).toContain("two ");
    await stop(one, two);
  });

  it("has no IPv4 where that is off: names, neighbours, and ports of both families", async () => {
    await network("six", [{ Subnet: uniqueSubnet6() }], { enableIPv4: false });
    const one = await start("one", undefined, { six: {} });
    const two = await start("two", undefined, { six: {} });
    expect(one).toMatchObject({ address: "", prefixLength: 0, gateway: "", nameserver: one.ipv6.gateway });
    expect(await inside(one.namespace, "ip", "-4", "-o", "addr", "show", "dev", "eth0")).toBe("");
    const named = await inside(one.namespace, "busybox", "nslookup", "-type=aaaa", "two", one.ipv6.gateway);
    expect(named).toContain(two.ipv6.address);
    expect(await inside(one.namespace, "busybox", "nslookup", "-type=a", "two", one.ipv6.gateway)).not.toContain(
      "Address: ",
    );
    expect(await ask(one.namespace, two.ipv6.address)).toBe(`two ${one.ipv6.address} hi`);
    const port = uniquePort(5);
    await publish(two, port, ["0.0.0.0", "::"]);
    expect(await ask(OUTSIDE, HOST, port)).toBe(`two ${MACHINE} hi`);
    expect(await askTcp("127.0.0.1", port)).toBe(`two ${two.ipv6.gateway} hello`);
    expect(await askUdpFrom(OUTSIDE, HOST, port)).toBe(`two ${MACHINE} hello\n`);
    await stop(one, two);
  });

  it.each([
    ["fe80::/64", "invalid subnet fe80::/64"],
    ["ff05::/64", "invalid subnet"],
    ["fd00:1::/127", "invalid subnet"],
    ["fd00::/8", "invalid subnet"],
  ])("cannot have the subnet %s", async (Subnet, message) => {
    await expect(network("no", [{ Subnet }])).rejects.toThrow(message);
  });

  it("draws subnets that nothing else has", async () => {
    const subnets: string[] = [];
    for (const name of ["drawn1", "drawn2"]) {
      await network(name, []);
      subnets.push(networks.get(name, HOST_VIEWER).ipam.config[1]?.Subnet ?? "");
    }
    expect(new Set(subnets).size).toBe(2);
    for (const text of subnets) {
      const drawn = parseCidr(text);
      expect(drawn && cidrContains(localPrefix(instance), drawn.start)).toBe(true);
    }
    const overlapping = network("no", [{ Subnet: subnets[0] ?? "" }]);
    await expect(overlapping).rejects.toThrow("Pool overlaps with other one on this address space");
    expect((await network("unused", [{ Subnet: "fd00:1::/64" }], { enableIPv6: false })).warning).toBe(
      "subnet fd00:1::/64 is not used: set EnableIPv6 for it",
    );
  });
});

describe("the default routes", () => {
  const routes = async ({ namespace }: Container) =>
    Promise.all(
      ["-4", "-6"].map(async (family) => {
        const [, gateway] = /default via (\S+)/.exec(await inside(namespace, "ip", family, "route")) ?? [];
        return gateway;
      }),
    );
  const gatewaysOf = (name: string) => networks.get(name, HOST_VIEWER).ipam.config.map(({ Gateway }) => Gateway);

  it("are those of the network with the highest priority, also of one that is joined or left later", async () => {
    for (const name of ["left", "right"]) await network(name, [{ Subnet: uniqueSubnet() }]);
    const one = await start("one", undefined, { left: {}, right: { GwPriority: 1 } });
    expect(await routes(one)).toEqual(gatewaysOf("right"));
    await networks.disconnect(one.id, "right");
    expect(await routes(one)).toEqual(gatewaysOf("left"));
    await networks.connect(one.id, "one", "right", { GwPriority: 5 });
    expect(await routes(one)).toEqual(gatewaysOf("right"));
    await networks.disconnect(one.id, "right");
    await networks.connect(one.id, "one", "right", { GwPriority: -1 });
    expect(await routes(one)).toEqual(gatewaysOf("left"));
    await stop(one);
  });

  it("may be of two networks, one for each family", async () => {
    await network("four", [{ Subnet: uniqueSubnet() }], { enableIPv6: false });
    await network("zix", [{ Subnet: uniqueSubnet6() }], { enableIPv4: false });
    const one = await start("one", undefined, { four: {}, zix: {} });
    expect(await routes(one)).toEqual([...gatewaysOf("four"), ...gatewaysOf("zix")]);
    expect(one.nameserver).toBe("127.0.0.11");
    await stop(one);
  });
});

describe("a restart of the service", () => {
  it("keeps addresses, filter and names", async () => {
    const { id } = networks.get("both", HOST_VIEWER);
    const one = await start("one", BOB, { [id]: {} });
    await restart("auto");
    expect(networks.sandboxOf(one.id)?.endpoints[0]?.ipv6).toEqual(one.ipv6);
    expect(await ask(ann2.namespace, ann.ipv6.address)).toBe(`ann ${ann2.ipv6.address} hi`);
    await expect(ask(bob.namespace, ann.ipv6.address)).rejects.toThrow("ended with");
    const asked = { [id]: { IPAMConfig: { IPv6Address: one.ipv6.address } } };
    await expect(start("two", undefined, asked)).rejects.toThrow("Address already in use");
    await stop(one);
  });

  it("takes IPv6 from the default network or gives it, as the settings say; running containers keep what they have", async () => {
    const before = networks.get("bridge", HOST_VIEWER).ipam.config[1];
    await restart(undefined);
    expect(networks.get("bridge", HOST_VIEWER)).toMatchObject({ enableIPv6: false, ipam: { config: [{}] } });
    expect(await runCommand("ip", ["-6", "-o", "addr", "show", "dev", `${instance}0`, "scope", "global"])).toBe("");
    const plain = await start("plain", BOB);
    expect(plain.ipv6).toEqual({ address: "", prefixLength: 0, gateway: "" });
    await stop(plain);
    await restart("auto");
    expect(networks.get("bridge", HOST_VIEWER).ipam.config[1]).toEqual(before);
    expect(parseIp((await start("again", BOB)).ipv6.address)).toBeDefined();
    expect(await ask(ann2.namespace, ann.ipv6.address)).toBe(`ann ${ann2.ipv6.address} hi`);
  });
});
