import { type AddressInfo, createServer } from "node:net";
import { basename } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openTestDatabase } from "../db/database.testing.ts";
import type { OpenDatabase } from "../db/database.ts";
import { createNetworkStore } from "../db/network-store.ts";
import { containers } from "../db/schema.ts";
import { noFilters } from "../engine/filters.ts";
import type { ContainerId } from "../engine/ids.ts";
import type { Log } from "../engine/log.ts";
import { type Viewer, viewerOf } from "../engine/owners.ts";
import { bridgesOf } from "./bridge.ts";
import { runCommand } from "./command.ts";
import { type Nft, openNft } from "./filter/nft.ts";
import {
  askTcp,
  HOST_CREATOR,
  HOST_VIEWER,
  insertContainer,
  inside,
  newContainerId,
  type Responder,
  SILENT,
  startResponder,
  uniqueInstance,
  uniqueSubnet,
} from "./host.testing.ts";
import { linkExists, namespaceNames, namespacePath } from "./namespace.ts";
import type { CreateNetworkRequest, EndpointRequest, Networks, Sandbox } from "./networks.ts";
import { BridgeNetworks } from "./networks-service.ts";
import type { NetworkStore } from "./store.ts";
import { removeInstance } from "./sweep.ts";

const instance = uniqueInstance();
const nft = openNft();
const poolSubnet = uniqueSubnet();
let database: OpenDatabase;
let networks: Networks;
const STARTED: ContainerId[] = [];
const RESPONDERS: Responder[] = [];

function open(store: NetworkStore = createNetworkStore(database.db), filter: Nft = nft, log: Log = SILENT): Networks {
  return new BridgeNetworks({ instance, nft: filter, store, subnet: poolSubnet, hostId: "tests", poolSize: 2, log });
}

beforeAll(async () => {
  database = await openTestDatabase();
  networks = open();
  await networks.recover(new Set());
});

afterEach(async () => {
  for (const responder of RESPONDERS.splice(0)) await responder.stop();
  for (const id of STARTED.splice(0)) await networks.release(id);
  for (const { name } of networks.list(new Map([["type", ["custom"]]]), HOST_VIEWER))
    await networks.remove(name, HOST_VIEWER);
  await database.db.delete(containers);
});

afterAll(async () => {
  await networks.close();
  await removeInstance(instance, nft);
  await database.close();
});

function request(name: string, more: Partial<CreateNetworkRequest> = {}): CreateNetworkRequest {
  return {
    name,
    driver: "bridge",
    internal: false,
    attachable: false,
    enableIPv4: true,
    enableIPv6: false,
    options: {},
    labels: {},
    ipam: { driver: "default", options: null, config: [{ Subnet: uniqueSubnet() }] },
    checkDuplicate: true,
    ...more,
  };
}

async function claim(
  name: string,
  endpoints: Readonly<Record<string, EndpointRequest>> = { bridge: {} },
  owner?: string,
): Promise<{
  readonly id: ContainerId;
  readonly sandbox: Sandbox;
  readonly namespace: string;
  readonly address: string;
}> {
  const id = newContainerId();
  await insertContainer(database.db, id, name, owner);
  STARTED.push(id);
  const sandbox = await networks.claim({ containerId: id, containerName: name, owner, hostServices: false, endpoints });
  return { id, sandbox, namespace: basename(sandbox.path), address: sandbox.endpoints[0]?.address ?? "" };
}

async function respond(namespace: string, name: string) {
  const responder = await startResponder(namespace, name, [80]);
  RESPONDERS.push(responder);
  return responder;
}

function ask(namespace: string, host: string): Promise<string> {
  return inside(namespace, "sh", "-c", `echo -n hi | timeout 1 busybox nc ${host} 80`);
}

function resolve(namespace: string, name: string): Promise<string> {
  return inside(namespace, "busybox", "nslookup", name, "127.0.0.11");
}

describe("networks of several owners", () => {
  const [ann, bob] = [viewerOf("1"), viewerOf("2")];
  const creator = (viewer: Viewer) => ({ viewer, authorize: () => undefined });
  const names = (viewer: Viewer) => networks.list(noFilters, viewer).map(({ name, owner }) => `${owner ?? ""}/${name}`);

  it("are apart: one name is a network of each, and a user sees its own and the default ones", async () => {
    for (const viewer of [ann, bob, HOST_VIEWER]) await networks.create(request("front"), creator(viewer));
    await expect(networks.create(request("front"), creator(ann))).rejects.toMatchObject({ kind: "conflict" });
    expect(names(ann)).toEqual(["/host", "/none", "/bridge", "1/front"]);
    expect(networks.get("front", ann).owner).toBe("1");
    expect(networks.get("front", HOST_VIEWER).owner).toBeUndefined();
    expect(networks.get("2/front", HOST_VIEWER).owner).toBe("2");
    const { id } = networks.get("front", bob);
    for (const ref of [id, id.slice(0, 20), "2/front"])
      expect(() => networks.get(ref, ann)).toThrow(`network ${ref} not found`);
    await networks.remove("front", HOST_VIEWER);
    expect(() => networks.get("front", HOST_VIEWER)).toThrow(
      "network name front is ambiguous: use one of 1/front, 2/front, or an id",
    );
    expect((await networks.prune(noFilters, ann)).map(({ owner }) => owner)).toEqual(["1"]);
    expect(names(bob)).toEqual(["/host", "/none", "/bridge", "2/front"]);
    await networks.remove(id, bob);
  });

  it("join and resolve by name inside their owner's networks", async () => {
    for (const viewer of [ann, bob]) await networks.create(request("front"), creator(viewer));
    const db = await claim("db", { front: {} }, "1");
    const app = await claim("app", { front: {} }, "2");
    expect(db.sandbox.endpoints[0]?.networkId).toBe(networks.get("front", ann).id);
    await expect(resolve(app.namespace, "db")).rejects.toThrow("ended with");
    for (const { id } of [db, app]) await networks.release(id);
    for (const viewer of [ann, bob]) await networks.remove("front", viewer);
  });

  it("take small private subnets, and none that the host routes", async () => {
    const { id } = await networks.create(
      request("small", { ipam: { driver: "default", options: null, config: [] } }),
      creator(ann),
    );
    expect(networks.get(id, ann).ipam.config[0]?.Subnet).toMatch(/^(172\.31|192\.168)\.\d+\.0\/24$/);
    await networks.remove(id, ann);
    const [route] = JSON.parse(await runCommand("ip", ["-j", "-4", "route", "show", "scope", "link"])) as {
      dst: string;
    }[];
    const Subnet = route?.dst ?? poolSubnet;
    const asked = request("taken", { ipam: { driver: "default", options: null, config: [{ Subnet }] } });
    await expect(networks.create(asked, creator(ann))).rejects.toThrow("Pool overlaps");
  });
});

it("refuses a MAC address that another container of the network has, also one made ahead", async () => {
  const victim = await claim("victim");
  const MacAddress = victim.sandbox.endpoints[0]?.macAddress ?? "";
  await expect(claim("thief", { bridge: { MacAddress: MacAddress.toUpperCase() } })).rejects.toMatchObject({
    kind: "conflict",
    message: expect.stringContaining("is already in use on network bridge"),
  });
});

describe("the default network", () => {
  it("gives a namespace with loopback, an address, a default route, and no other way to a name", async () => {
    const one = await claim("one");
    const [endpoint] = one.sandbox.endpoints;
    expect(endpoint).toMatchObject({
      networkName: "bridge",
      bridge: `${instance}0`,
      prefixLength: 24,
      gateway: poolSubnet.replace("0/24", "1"),
    });
    expect(endpoint?.macAddress).toMatch(/^02:42:/);
    expect(one.sandbox.nameserver).toBeUndefined();
    const addresses = await inside(one.namespace, "ip", "-o", "addr");
    expect(addresses).toContain("127.0.0.1/8");
    expect(addresses).toContain(`${one.address}/24 brd`);
    expect(addresses).not.toContain("fe80");
    expect(await inside(one.namespace, "ip", "route")).toContain(`default via ${endpoint?.gateway} dev eth0`);
    expect(await inside(one.namespace, "cat", "/proc/sys/net/ipv4/ip_unprivileged_port_start")).toBe("0\n");
    await respond(one.namespace, "one");
    expect(await askTcp(one.address, 80)).toBe(`one ${endpoint?.gateway} hello`);
  });

  it("lets neighbours speak to each other, and gives no address twice while one is in use", async () => {
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map((index) => claim(`c${index}`)));
    expect(new Set(all.map(({ address }) => address)).size).toBe(6);
    const [first, last] = [all[0], all[5]];
    if (first === undefined || last === undefined) throw new Error("no containers");
    await respond(last.namespace, "last");
    expect(await ask(first.namespace, last.address)).toBe(`last ${first.address} hi`);
  });

  it("lets no container at the host's loopback, however it sends", async () => {
    const one = await claim("one");
    const server = createServer((socket) => socket.end("host"));
    await new Promise<void>((resolve) => server.listen({ host: "127.9.9.9", port: 0 }, resolve));
    const { port } = server.address() as AddressInfo;
    try {
      await inside(
        one.namespace,
        "sh",
        "-c",
        `echo 1 > /proc/sys/net/ipv4/conf/eth0/route_localnet; ip route del local 127.0.0.0/8 dev lo table local
         ip route add 127.9.9.9 via ${one.sandbox.endpoints[0]?.gateway} src ${one.address}`,
      );
      const reach = () => inside(one.namespace, "timeout", "1", "busybox", "nc", "127.9.9.9", String(port));
      await expect(reach()).rejects.toThrow("ended with");
      // Without the rule it would get there: the test can tell.
      await nft.apply([`flush chain ip ${instance} loopback`]);
      expect(await reach()).toBe("host");
    } finally {
      server.close();
      await networks.create(request("any"), HOST_CREATOR);
    }
  });

  it("refuses what belongs to user networks, and leaves nothing taken", async () => {
    const before = (await namespaceNames()).length;
    await expect(claim("c", { bridge: { IPAMConfig: { IPv4Address: "10.0.0.9" } } })).rejects.toMatchObject({
      kind: "invalid",
      message: "user specified IP address is supported on user defined networks only",
    });
    await expect(claim("d", { bridge: { Aliases: ["x"] } })).rejects.toMatchObject({ kind: "invalid" });
    await expect(claim("e", { nowhere: {} })).rejects.toMatchObject({
      kind: "not-found",
      message: "network nowhere not found",
    });
    expect(networks.endpointsOn(networks.get("bridge", HOST_VIEWER).id).size).toBe(0);
    expect((await namespaceNames()).length).toBeLessThanOrEqual(before + 2);
  });

  it("has `none` beside it: loopback and nothing else", async () => {
    const lonely = await claim("lonely", { none: {} });
    expect(lonely.sandbox.endpoints).toMatchObject([{ networkName: "none", address: "", gateway: "" }]);
    const more = [await claim("lonelier", { none: {} }), await claim("loneliest", { none: {} })];
    expect(new Set([lonely, ...more].map(({ sandbox }) => sandbox.path)).size).toBe(3);
    for (const { namespace } of [lonely, ...more])
      expect(await inside(namespace, "ip", "-br", "link")).toMatch(/^lo .*\n$/);
  });
});

describe("a user network", () => {
  it("answers names, aliases, short ids and addresses, and forgets them", async () => {
    await networks.create(request("front"), HOST_CREATOR);
    const web = await claim("web", { front: { Aliases: ["www"] } });
    const client = await claim("client", { front: {} });
    expect(client.sandbox.nameserver).toBe("127.0.0.11");
    for (const name of ["web", "WWW", "web.front", web.id.slice(0, 12)])
      expect(await resolve(client.namespace, name)).toContain(web.address);
    expect(await resolve(client.namespace, web.address)).toContain("web.front");
    networks.rename(web.id, "site");
    expect(await resolve(client.namespace, "site")).toContain(web.address);
    await networks.release(web.id);
    await expect(resolve(client.namespace, "www")).rejects.toThrow("ended with");
    await respond(client.namespace, "client");
    const other = await claim("other", { front: {} });
    expect(await ask(other.namespace, client.address)).toBe(`client ${other.address} hi`);
  });

  it("is apart from the others, by address and by name", async () => {
    await networks.create(request("front"), HOST_CREATOR);
    await networks.create(request("back"), HOST_CREATOR);
    const web = await claim("web", { front: {} });
    const base = await claim("base", { back: {} });
    const plain = await claim("plain");
    await respond(web.namespace, "web");
    await Promise.all([
      expect(ask(base.namespace, web.address)).rejects.toThrow("ended with"),
      expect(ask(plain.namespace, web.address)).rejects.toThrow("ended with"),
      expect(resolve(base.namespace, "web")).rejects.toThrow("ended with"),
    ]);
  });

  it("takes a running container in and lets it go", async () => {
    await networks.create(request("front"), HOST_CREATOR);
    await networks.create(request("back"), HOST_CREATOR);
    const web = await claim("web", { front: {} });
    const base = await claim("base", { back: {} });
    await respond(base.namespace, "base");
    const endpoint = await networks.connect(web.id, "web", "back", { Aliases: ["w"] }, "web-host");
    expect(endpoint.aliases).toEqual(["w", web.id.slice(0, 12), "web-host"]);
    expect(await resolve(base.namespace, "web-host")).toContain(endpoint.address);
    expect(networks.sandboxOf(web.id)?.endpoints.map(({ networkName }) => networkName)).toEqual(["front", "back"]);
    expect(await ask(web.namespace, base.address)).toBe(`base ${endpoint.address} hi`);
    expect(await resolve(web.namespace, "base")).toContain(base.address);
    await expect(networks.connect(web.id, "web", "back", {})).rejects.toMatchObject({ kind: "forbidden" });

    // Losing the network with the default route and the name service: both move on to the one that is left.
    await networks.disconnect(web.id, "front");
    expect(await inside(web.namespace, "ip", "route")).toContain(`default via ${endpoint.gateway}`);
    expect(await resolve(web.namespace, "base")).toContain(base.address);
    await networks.disconnect(web.id, "back");
    expect(await inside(web.namespace, "ip", "-br", "link")).toMatch(/^lo .*\n$/);
    await expect(networks.disconnect(web.id, "back")).rejects.toMatchObject({ kind: "forbidden" });
  });

  it("allocates a requested address once, and never picks a reserved one", async () => {
    const Subnet = uniqueSubnet();
    const at = (host: number) => Subnet.replace("0/24", String(host));
    await networks.create(
      request("fixed", {
        ipam: {
          driver: "default",
          options: null,
          config: [{ Subnet, Gateway: at(254), IPRange: at(16).concat("/30"), AuxiliaryAddresses: { router: at(17) } }],
        },
      }),
      HOST_CREATOR,
    );
    const fixed = await claim("fixed", {
      fixed: { IPAMConfig: { IPv4Address: at(77) }, MacAddress: "02:00:00:00:00:07" },
    });
    expect(fixed.sandbox.endpoints[0]).toMatchObject({
      address: at(77),
      gateway: at(254),
      macAddress: "02:00:00:00:00:07",
    });
    await expect(claim("again", { fixed: { IPAMConfig: { IPv4Address: at(77) } } })).rejects.toMatchObject({
      kind: "forbidden",
    });
    await expect(claim("out", { fixed: { IPAMConfig: { IPv4Address: "10.0.0.1" } } })).rejects.toMatchObject({
      kind: "invalid",
    });
    const got = [];
    for (let count = 0; count < 3; count++) got.push((await claim(`auto${count}`, { fixed: {} })).address);
    expect(got.sort()).toEqual([at(16), at(18), at(19)]);
    await expect(claim("full", { fixed: {} })).rejects.toThrow("no available IPv4 addresses");
  });

  it("gives a restarted container the address that it asks for, at once", async () => {
    const Subnet = uniqueSubnet();
    await networks.create(
      request("fixed", { ipam: { driver: "default", options: null, config: [{ Subnet }] } }),
      HOST_CREATOR,
    );
    const address = Subnet.replace("0/24", "9");
    const one = await claim("one", { fixed: { IPAMConfig: { IPv4Address: address } } });
    await networks.release(one.id);
    const again = await networks.claim({
      containerId: one.id,
      containerName: "one",
      owner: undefined,
      hostServices: false,
      endpoints: { fixed: { IPAMConfig: { IPv4Address: address } } },
    });
    expect(again.endpoints[0]?.address).toBe(address);
  });

  it("that is internal has no way out and answers names all the same", async () => {
    await networks.create(request("inner", { internal: true }), HOST_CREATOR);
    const one = await claim("one", { inner: {} });
    const two = await claim("two", { inner: {} });
    expect(await inside(one.namespace, "ip", "route")).not.toContain("default");
    expect(await resolve(one.namespace, "two")).toContain(two.address);
    await expect(resolve(one.namespace, "example.org")).rejects.toThrow("ended with");
  });

  it("of two addresses has a gateway and one container", async () => {
    const Subnet = uniqueSubnet().replace("0/24", "64/31");
    const ipam = { driver: "default", options: null, config: [{ Subnet }] };
    const { id } = await networks.create(request("pair", { internal: true, ipam }), HOST_CREATOR);
    const { Gateway = "" } = networks.get(id, HOST_VIEWER).ipam.config[0] ?? {};
    const only = await claim("only", { pair: {} });
    expect([Gateway, only.address]).toEqual([Subnet.replace("/31", ""), Subnet.replace("64/31", "65")]);
    expect(await inside(only.namespace, "busybox", "ping", "-c1", "-W5", Gateway)).toContain("1 packets received");
    await expect(claim("more", { pair: {} })).rejects.toThrow("no available IPv4 addresses");
  });

  it("without inter-container communication keeps its containers apart", async () => {
    await networks.create(
      request("quiet", { options: { "com.docker.network.bridge.enable_icc": "false" } }),
      HOST_CREATOR,
    );
    const one = await claim("one", { quiet: {} });
    const two = await claim("two", { quiet: {} });
    await respond(two.namespace, "two");
    await expect(ask(one.namespace, two.address)).rejects.toThrow("ended with");
    expect(await askTcp(two.address, 80)).toContain("two");
  });

  it("leaves nothing behind when it goes", async () => {
    const { id } = await networks.create(request("gone"), HOST_CREATOR);
    const bridge = `br-${id.slice(0, 12)}`;
    expect(await linkExists(bridge)).toBe(true);
    const one = await claim("one", { gone: {} });
    await expect(networks.remove("gone", HOST_VIEWER)).rejects.toMatchObject({
      kind: "forbidden",
      message: `error while removing network: network gone id ${id} has active endpoints`,
    });
    await networks.release(one.id);
    await networks.remove(id.slice(0, 6), HOST_VIEWER);
    expect(await linkExists(bridge)).toBe(false);
    expect(await runCommand("nft", ["list", "table", "ip", instance])).not.toContain(bridge);
  });
});

describe("what Docker refuses", () => {
  const refusals: readonly [string, CreateNetworkRequest, string, string][] = [
    ["a predefined name", request("bridge"), "forbidden", "operation is not permitted on predefined bridge network"],
    ["no name", request(" "), "invalid", "invalid name"],
    [
      "a second host network",
      request("h", { driver: "host" }),
      "forbidden",
      'only one instance of "host" network is allowed',
    ],
    ["an unknown driver", request("x", { driver: "fancy" }), "not-found", 'plugin "fancy" not found'],
    [
      "an MTU that is not a number",
      request("x", { options: { "com.docker.network.driver.mtu": "big" } }),
      "invalid",
      "mtu",
    ],
    [
      "the name of a link of the host",
      request("x", { options: { "com.docker.network.bridge.name": "lo" } }),
      "forbidden",
      "lo",
    ],
    [
      "a link name with shell characters",
      request("x", { options: { "com.docker.network.bridge.name": "a b" } }),
      "invalid",
      "a b",
    ],
    ...(["300.0.0.0/8", "10.0.0.0", "fd00", "10.0.0.0/32"] as const).map(
      (Subnet) =>
        [
          `the subnet ${Subnet}`,
          request("x", { ipam: { driver: "default", options: null, config: [{ Subnet }] } }),
          "invalid",
          Subnet,
        ] as [string, CreateNetworkRequest, string, string],
    ),
    [
      "a gateway outside the subnet",
      request("x", {
        ipam: { driver: "default", options: null, config: [{ Subnet: "10.9.9.0/24", Gateway: "10.9.8.1" }] },
      }),
      "invalid",
      "10.9.8.1",
    ],
    [
      "a subnet that is taken",
      request("x", { ipam: { driver: "default", options: null, config: [{ Subnet: poolSubnet }] } }),
      "forbidden",
      "Pool overlaps with other one on this address space",
    ],
  ];
  it.each(refusals)("%s", async (_, asked, kind, message) => {
    const before = networks.list(noFilters, HOST_VIEWER).length;
    const refused = networks.create(asked, HOST_CREATOR);
    await expect(refused).rejects.toMatchObject({ kind });
    await expect(refused).rejects.toThrow(message);
    expect(networks.list(noFilters, HOST_VIEWER).length).toBe(before);
  });

  it("a name twice, at once or in turn", async () => {
    const outcomes = await Promise.allSettled([
      networks.create(request("same"), HOST_CREATOR),
      networks.create(request("same"), HOST_CREATOR),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(networks.create(request("same"), HOST_CREATOR)).rejects.toMatchObject({
      kind: "conflict",
      message: "network with name same already exists",
    });
  });

  it.each(["bridge", "host", "none"])("to remove %s", async (name) => {
    await expect(networks.remove(name, HOST_VIEWER)).rejects.toMatchObject({
      kind: "forbidden",
      message: `${name} is a pre-defined network and cannot be removed`,
    });
  });
});

describe("lists", () => {
  it("are filtered, and prune takes what nothing uses", async () => {
    await networks.create(request("alpha", { labels: { tier: "front" } }), HOST_CREATOR);
    await networks.create(request("beta", { labels: { tier: "back" } }), HOST_CREATOR);
    await claim("one", { alpha: {} });
    const names = (...filters: readonly [string, string][]) =>
      networks.list(new Map(filters.map(([key, value]) => [key, [value]])), HOST_VIEWER).map(({ name }) => name);
    expect(names(["type", "builtin"]).sort()).toEqual(["bridge", "host", "none"]);
    expect(names(["label", "tier=back"])).toEqual(["beta"]);
    expect(names(["name", "lph"])).toEqual(["alpha"]);
    expect(names(["dangling", "true"])).toEqual(["beta"]);
    expect(names(["driver", "null"])).toEqual(["none"]);
    expect(() => names(["colour", "red"])).toThrow("invalid filter 'colour'");
    expect(await networks.prune(new Map([["until", ["1h"]]]), HOST_VIEWER)).toEqual([]);
    expect(await networks.prune(new Map([["label!", ["tier"]]]), HOST_VIEWER)).toEqual([]);
    expect((await networks.prune(noFilters, HOST_VIEWER)).map(({ name }) => name)).toEqual(["beta"]);
  });
});

describe("after a crash", () => {
  /** What a SIGKILL leaves: everything on the host and in the rows, and no process of ours. */
  const crash = async (running: readonly ContainerId[]) => {
    await networks.close();
    networks = open();
    await networks.recover(new Set(running));
  };

  it("keeps what runs, names and all, and sweeps the rest", async () => {
    const { id } = await networks.create(request("front"), HOST_CREATOR);
    const web = await claim("web", { front: {} });
    const client = await claim("client", { front: {} });
    const plain = await claim("plain");
    const died = await claim("died");
    await runCommand("ip", ["netns", "add", `${instance}-lost`]);
    await runCommand("ip", ["link", "add", `${instance}x`, "type", "veth", "peer", "name", `${instance}y`]);
    await runCommand("ip", ["link", "set", `${instance}x`, "master", `${instance}0`]);
    await respond(web.namespace, "web");
    await crash([web.id, client.id, plain.id]);
    expect(await ask(client.namespace, web.address)).toBe(`web ${client.address} hi`);
    expect(await resolve(client.namespace, "web")).toContain(web.address);
    expect(networks.sandboxOf(web.id)).toEqual(web.sandbox);
    expect(networks.sandboxOf(plain.id)).toEqual(plain.sandbox);
    expect(networks.get("front", HOST_VIEWER).id).toBe(id);
    expect(networks.sandboxOf(died.id)).toBeUndefined();
    expect(await namespaceNames()).not.toContain(died.namespace);
    expect(await namespaceNames()).not.toContain(`${instance}-lost`);
    expect(await linkExists(`${instance}x`)).toBe(false);
    const more = await Promise.all([1, 2, 3].map((index) => claim(`more${index}`)));
    expect(more.map(({ address }) => address)).not.toContain(plain.address);
  });

  it("makes again a place whose row came before it", async () => {
    await networks.create(request("front"), HOST_CREATOR);
    const web = await claim("web");
    const endpoint = await networks.connect(web.id, "web", "front", {});
    const [, placed] = (await createNetworkStore(database.db).load()).sandboxes.find(
      ({ containerId }) => containerId === web.id,
    )?.endpoints ?? [undefined, undefined];
    await runCommand("ip", ["link", "del", placed?.link ?? ""]);
    await crash([web.id]);
    expect(await inside(web.namespace, "ip", "-o", "addr")).toContain(endpoint.address);
  });

  it("leaves nothing where the row could not be written", async () => {
    const store = createNetworkStore(database.db);
    await networks.close();
    networks = open({ ...store, saveSandbox: () => Promise.reject(new Error("disk full")) });
    await networks.recover(new Set());
    await networks.create(request("front"), HOST_CREATOR);
    const failing = newContainerId();
    for (const ref of ["bridge", "front"])
      await expect(
        networks.claim({
          containerId: failing,
          containerName: "c",
          owner: undefined,
          hostServices: false,
          endpoints: { [ref]: {} },
        }),
      ).rejects.toThrow("disk full");
    expect(networks.sandboxOf(failing)).toBeUndefined();
    await networks.remove("front", HOST_VIEWER);
    await networks.close();
    expect((await namespaceNames()).filter((name) => name.startsWith(`${instance}-`))).toEqual([]);
    networks = open();
    await networks.recover(new Set());
  });
});

describe("a network that can't be made", () => {
  it("leaves no row, no bridge and no rule where the packet filter refuses", async () => {
    await networks.close();
    let failing = false;
    networks = open(createNetworkStore(database.db), {
      ...nft,
      apply: (commands) => {
        if (!failing) return nft.apply(commands);
        failing = false;
        return Promise.reject(new Error("no memory"));
      },
    });
    await networks.recover(new Set());
    const bridges = await bridgesOf(instance);
    failing = true;
    await expect(networks.create(request("front"), HOST_CREATOR)).rejects.toThrow("no memory");
    expect(await bridgesOf(instance)).toEqual(bridges);
    expect(networks.list(new Map([["name", ["front"]]]), HOST_VIEWER)).toEqual([]);
    await networks.create(request("front"), HOST_CREATOR);
  });

  it("does not keep the others from being recovered", async () => {
    const { id } = await networks.create(request("front"), HOST_CREATOR);
    const web = await claim("web");
    await networks.close();
    const bridge = `br-${id.slice(0, 12)}`;
    await runCommand("ip", ["link", "del", bridge]);
    // Something else has the name now, and is no bridge.
    await runCommand("ip", ["link", "add", bridge, "type", "veth", "peer", "name", `${instance}p`]);
    await runCommand("ip", ["link", "add", `${instance}q`, "type", "bridge"]);
    await runCommand("ip", [
      "addr",
      "add",
      `${networks.get("front", HOST_VIEWER).ipam.config[0]?.Gateway}/24`,
      "dev",
      `${instance}q`,
    ]);
    try {
      const faults: string[] = [];
      const log = { ...SILENT, error: (_: unknown, message: string) => faults.push(message) };
      networks = open(createNetworkStore(database.db), nft, log);
      await networks.recover(new Set([web.id]));
      expect(faults).toEqual(["failed to restore network"]);
      expect(networks.sandboxOf(web.id)).toEqual(web.sandbox);
    } finally {
      await runCommand("ip", ["link", "del", bridge]);
      await runCommand("ip", ["link", "del", `${instance}q`]);
    }
  });
});

describe("removal", () => {
  it("takes every trace of the instance and none of another", async () => {
    const other = `${instance}b`;
    const theirs = new BridgeNetworks({
      instance: other,
      nft,
      store: NOTHING_KEPT,
      subnet: uniqueSubnet(),
      hostId: "tests",
      poolSize: 1,
      log: SILENT,
    });
    await theirs.recover(new Set());
    await theirs.create(request("theirs"), HOST_CREATOR);
    await theirs.close();
    await removeInstance(other, nft);
    expect(await bridgesOf(other)).toEqual([]);
    expect((await namespaceNames()).some((name) => name.startsWith(`${other}-`))).toBe(false);
    await expect(runCommand("nft", ["list", "table", "ip", other])).rejects.toThrow("ended with");
    await removeInstance(other, nft);
    expect(await linkExists(`${instance}0`)).toBe(true);
    const one = await claim("one");
    expect(await inside(one.namespace, "ip", "route")).toContain("default");
    expect(one.sandbox.path).toBe(namespacePath(one.namespace));
  });
});

/** For an instance that is gone before it could be recovered. */
const NOTHING_KEPT: NetworkStore = {
  load: async () => ({ networks: [], sandboxes: [] }),
  insertNetwork: async () => undefined,
  updateNetwork: async () => undefined,
  deleteNetwork: async () => undefined,
  saveSandbox: async () => undefined,
  deleteSandboxes: async () => undefined,
};
