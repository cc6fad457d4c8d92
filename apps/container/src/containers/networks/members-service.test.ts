import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createContainerStore } from "../../db/container-store.ts";
import { openTestDatabase } from "../../db/database.testing.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { createNetworkStore } from "../../db/network-store.ts";
import { EngineError } from "../../engine/errors.ts";
import { withCalls } from "../../engine/with-calls.testing.ts";
import type { EventSink } from "../../events/events.ts";
import { createContainerFiles } from "../../host/container-files.ts";
import { openNft } from "../../networks/filter/nft.ts";
import {
  HOST_CREATOR,
  HOST_VIEWER,
  inside,
  newContainerId,
  SILENT,
  uniqueInstance,
  uniqueSubnet,
} from "../../networks/host.testing.ts";
import type { CreateNetworkRequest, Networks } from "../../networks/networks.ts";
import { BridgeNetworks } from "../../networks/networks-service.ts";
import { removeInstance } from "../../networks/sweep.ts";
import { MemoryPorts } from "../../ports/memory-ports.testing.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Context } from "../context.ts";
import { Supervisor } from "../lifecycle/supervisor.ts";
import { memoryContext } from "../memory-context.testing.ts";
import { someContainer, someHostConfig } from "../records/container.testing.ts";
import type { Container } from "../records/container.ts";
import { Registry } from "../records/registry.ts";
import { CREATED, started } from "../records/state.ts";
import { hostsFile } from "../spec/file-contents.ts";
import { createNetworkMembers } from "./members-service.ts";

const instance = uniqueInstance();
const nft = openNft();
const ADMINISTRATOR = { kind: "administrator", id: undefined, login: "root" } as const;
let database: OpenDatabase;
let networks: Networks;
let registry: Registry;
let context: Awaited<ReturnType<typeof memoryContext>> & Pick<Context, "supervisor">;
let folder: string;
let events: Parameters<EventSink["emit"]>[0][] = [];
let portCalls: unknown[] = [];

/** The members over the real database, networks and files; the ports record their calls. */
function members(faults: Partial<Networks> = {}, portFaults: Partial<Ports> = {}) {
  const ports = withCalls<Ports>(new MemoryPorts(), {
    lease: async ({ containerId }) => {
      portCalls.push(["lease", containerId]);
      return [];
    },
    publish: async (_, address) => void portCalls.push(["publish", address]),
    release: async () => void portCalls.push(["release"]),
    ...portFaults,
  });
  return createNetworkMembers({ ...context, networks: withCalls(networks, faults), ports });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "berth-members-"));
  database = await openTestDatabase();
  const store = createNetworkStore(database.db);
  networks = new BridgeNetworks({
    instance,
    nft,
    store,
    subnet: uniqueSubnet(),
    hostId: "tests",
    poolSize: 0,
    log: SILENT,
  });
  await networks.recover(new Set());
  registry = new Registry(createContainerStore(database.db));
  const base = await memoryContext(folder, {
    registry,
    files: createContainerFiles(folder),
    events: { emit: (event) => events.push(event) },
  });
  context = { ...base, supervisor: new Supervisor(base.runtime, { exit: async () => {}, fault: () => {} }) };
});

afterEach(async () => {
  for (const { id } of registry.all()) {
    await networks.release(id);
    await registry.delete(id);
  }
  for (const { name } of networks.list(new Map([["type", ["custom"]]]), HOST_VIEWER))
    await networks.remove(name, HOST_VIEWER);
  events = [];
  portCalls = [];
});

afterAll(async () => {
  await networks.close();
  await removeInstance(instance, nft);
  await database.close();
  await rm(folder, { recursive: true });
});

const subnet = uniqueSubnet();
function addressAt(last: number): string {
  return subnet.replace("0/24", String(last));
}

function network(name: string, more: Partial<CreateNetworkRequest> = {}) {
  return networks.create(
    {
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
    },
    HOST_CREATOR,
  );
}

async function stopped(more: Partial<Container> = {}): Promise<Container> {
  const container = someContainer({ id: newContainerId(), state: CREATED, ...more });
  await registry.insert(container, { kind: "create" });
  return container;
}

async function running(more: Partial<Container> = {}): Promise<Container> {
  const container = await stopped({
    ...more,
    state: started(CREATED, { pid: process.pid, at: new Date().toISOString() }),
  });
  const { id, name, owner, endpoints } = container;
  const sandbox = await networks.claim({ containerId: id, containerName: name, owner, hostServices: false, endpoints });
  const hosts = `${hostsFile(container, sandbox.endpoints, "")}10.9.9.9\tadded-by-the-container\n`;
  await createContainerFiles(folder).write(id, { hosts, hostname: "web\n", resolvConf: "nameserver 9.9.9.9\n" });
  return container;
}

/** The row in memory, the row in the database, and the sandbox. */
async function membership({ id }: Container) {
  const stored = (await createContainerStore(database.db).load()).find(({ container }) => container.id === id);
  expect(stored?.container.endpoints).toEqual(registry.get(id)?.endpoints);
  return {
    row: Object.keys(registry.get(id)?.endpoints ?? {}),
    sandbox: networks.sandboxOf(id)?.endpoints.map(({ networkName }) => networkName),
  };
}

function withAddress(IPv4Address: string) {
  return { IPAMConfig: { IPv4Address } };
}
const SHARED =
  "container sharing network namespace with another container or host cannot be connected to any other network";
const HOST = "container cannot be disconnected from host network or connected to host network";

describe("a running container", () => {
  it("joins immediately: interface, names, row and event", async () => {
    const { id: networkId } = await network("front");
    const container = await running();
    await members().connect(ADMINISTRATOR, "front", "web", { Aliases: ["www"] });
    expect(await membership(container)).toEqual({ row: ["bridge", "front"], sandbox: ["bridge", "front"] });
    expect(registry.get(container.id)?.endpoints.front).toEqual({ Aliases: ["www"] });
    const sandbox = networks.sandboxOf(container.id);
    const joined = sandbox?.endpoints[1];
    expect(await inside(sandbox?.path.split("/").at(-1) ?? "", "ip", "-o", "addr")).toContain(joined?.address);
    const own = createContainerFiles(folder).paths(container.id);
    const addresses = async () =>
      (await readFile(own.hosts, "utf8")).split("\n").flatMap((line) => /^10\S+/.exec(line)?.[0] ?? []);
    expect(await addresses()).toEqual([sandbox?.endpoints[0]?.address, "10.9.9.9", joined?.address]);
    expect(await readFile(own.resolvConf, "utf8")).toContain("nameserver 127.0.0.11\n");
    expect(events).toEqual([
      {
        type: "network",
        action: "connect",
        owner: undefined,
        actor: { id: networkId, attributes: { container: container.id, name: "front", type: "bridge" } },
      },
    ]);
    expect(portCalls).toEqual([]);
    await members().disconnect(ADMINISTRATOR, "front", "web", { force: false });
    expect(await addresses()).toEqual([sandbox?.endpoints[0]?.address, "10.9.9.9"]);
    expect(await readFile(own.resolvConf, "utf8")).not.toContain("127.0.0.11");
  });

  it("leaves immediately, and its ports move to the remaining address", async () => {
    await network("front");
    const container = await running();
    await members().connect(ADMINISTRATOR, "front", container.id, {});
    const address = networks.sandboxOf(container.id)?.endpoints[1]?.address;
    await members().disconnect(ADMINISTRATOR, "bridge", container.id, { force: false });
    expect(await membership(container)).toEqual({ row: ["front"], sandbox: ["front"] });
    expect(portCalls).toEqual([["publish", { ipv4: address, ipv6: undefined }]]);
    await members().disconnect(ADMINISTRATOR, "front", container.id, { force: false });
    expect(await membership(container)).toEqual({ row: [], sandbox: [] });
    expect(portCalls.slice(1)).toEqual([["release"]]);
    await members().connect(ADMINISTRATOR, "bridge", container.id, {});
    const back = networks.sandboxOf(container.id)?.endpoints[0]?.address;
    expect(portCalls.slice(2)).toEqual([
      ["lease", container.id],
      ["publish", { ipv4: back, ipv6: undefined }],
    ]);
    expect(events.map((event) => (event as { action: string }).action)).toEqual([
      "connect",
      "disconnect",
      "disconnect",
      "connect",
    ]);
  });

  it("gets the requested address, and changes nothing if the address is taken", async () => {
    await network("front", { ipam: { driver: "default", options: null, config: [{ Subnet: subnet }] } });
    const container = await running();
    await members().connect(ADMINISTRATOR, "front", "web", withAddress(addressAt(77)));
    expect(networks.sandboxOf(container.id)?.endpoints[1]?.address).toBe(addressAt(77));
    const other = await running({ name: "other" });
    await expect(members().connect(ADMINISTRATOR, "front", "other", withAddress(addressAt(77)))).rejects.toMatchObject({
      kind: "forbidden",
      message: `Address already in use: ${addressAt(77)}`,
    });
    expect(await membership(other)).toEqual({ row: ["bridge"], sandbox: ["bridge"] });
  });

  it("changes nothing if a network fails", async () => {
    await network("front");
    const container = await running();
    const fails = async () => {
      throw new EngineError("failed", "no link");
    };
    await expect(members({ connect: fails }).connect(ADMINISTRATOR, "front", "web", {})).rejects.toThrow("no link");
    expect(await membership(container)).toEqual({ row: ["bridge"], sandbox: ["bridge"] });
    const left = members({ disconnect: fails }).disconnect(ADMINISTRATOR, "bridge", "web", { force: false });
    await expect(left).rejects.toThrow("no link");
    expect(await membership(container)).toEqual({ row: ["bridge"], sandbox: ["bridge"] });
    // The ports moved before the network failed, and moved back.
    expect(portCalls.map((call) => (call as readonly string[])[0])).toEqual(["release", "lease", "publish"]);
    expect(events).toEqual([]);
  });

  it("releases the ports of its first network if they cannot be published", async () => {
    await network("front");
    const container = await running({ endpoints: {} });
    const publish = async () => {
      throw new EngineError("failed", "no path");
    };
    await expect(members({}, { publish }).connect(ADMINISTRATOR, "front", "web", {})).rejects.toThrow("no path");
    expect(portCalls.map((call) => (call as readonly string[])[0])).toEqual(["lease", "release"]);
    expect(await membership(container)).toEqual({ row: [], sandbox: [] });
  });

  it("is rejected the second time", async () => {
    const container = await running();
    await expect(members().connect(ADMINISTRATOR, "bridge", "web", {})).rejects.toMatchObject({
      kind: "forbidden",
      message: "endpoint with name web already exists in network bridge",
    });
    expect(await membership(container)).toEqual({ row: ["bridge"], sandbox: ["bridge"] });
  });

  it("joins by network id and leaves by id prefix", async () => {
    const { id } = await network("front");
    const container = await running();
    await members().connect(ADMINISTRATOR, id, "web", {});
    expect((await membership(container)).row).toEqual(["bridge", "front"]);
    await members().disconnect(ADMINISTRATOR, id.slice(0, 20), "web", { force: false });
    expect((await membership(container)).row).toEqual(["bridge"]);
  });
});

describe("a stopped container", () => {
  it("joins and leaves in its row only", async () => {
    await network("front");
    const container = await stopped();
    await members().connect(ADMINISTRATOR, "front", "web", { Aliases: ["www"] });
    expect(await membership(container)).toEqual({ row: ["bridge", "front"], sandbox: undefined });
    await members().disconnect(ADMINISTRATOR, "bridge", "web", { force: false });
    expect(await membership(container)).toEqual({ row: ["front"], sandbox: undefined });
    expect(portCalls).toEqual([]);
  });

  it("changes nothing when it joins a network twice under different names", async () => {
    const { id } = await network("front");
    const container = await stopped({ endpoints: { bridge: {}, [id]: { Aliases: ["www"] } } });
    await members().connect(ADMINISTRATOR, "bridge", "web", {});
    await members().connect(ADMINISTRATOR, "front", "web", { Aliases: ["other"] });
    expect(registry.get(container.id)?.endpoints).toEqual(container.endpoints);
  });

  it("leaves the network that its mode names by id", async () => {
    const { id } = await network("front");
    const container = await stopped({ endpoints: { [id]: {} } });
    await members().disconnect(ADMINISTRATOR, "front", "web", { force: false });
    expect((await membership(container)).row).toEqual([]);
  });
});

describe("rejected requests", () => {
  const mode = (NetworkMode: string, endpoints = {}) => ({ hostConfig: someHostConfig({ NetworkMode }), endpoints });

  it.each([
    ["an unknown network", {}, "nowhere", {}, "not-found", "network nowhere not found"],
    [
      "the host's network",
      {},
      "host",
      {},
      "invalid",
      "cannot connect container to host network - container must be created in host network mode",
    ],
    ["one more beside the host's", mode("host", { host: {} }), "front", {}, "invalid", SHARED],
    ["one more beside another container's", mode("container:db"), "front", {}, "invalid", SHARED],
    [
      "one more beside none",
      mode("none", { none: {} }),
      "front",
      {},
      "invalid",
      "container cannot be connected to multiple networks with one of the networks in private (none) mode",
    ],
    [
      "an address on the default network",
      { endpoints: {} },
      "bridge",
      withAddress("172.17.0.9"),
      "invalid",
      "invalid endpoint settings:\nuser specified IP address is supported on user defined networks only",
    ],
    [
      "an alias on the default network",
      { endpoints: {} },
      "bridge",
      { Aliases: ["www"] },
      "invalid",
      "invalid endpoint settings:\nnetwork-scoped alias is supported only for containers in user defined networks",
    ],
    [
      "no address",
      {},
      "front",
      { ...withAddress("300.1.1.1"), DriverOpts: { "com.docker.network.endpoint.sysctls": "x" } },
      "invalid",
      "invalid endpoint settings:\n* invalid IPv4 address: 300.1.1.1\n* no configured subnet or ip-range contain the IP address 300.1.1.1\n* unrecognised network interface sysctl 'x'; represent 'net.X.Y.ethN.Z=V' as 'net.X.Y.IFNAME.Z=V', 'X' must be 'ipv4', 'ipv6' or 'mpls'",
    ],
    ["no MAC address", {}, "front", { MacAddress: "x" }, "invalid", "invalid MAC address x"],
    [
      "a foreign address",
      {},
      "front",
      withAddress("9.9.9.9"),
      "invalid",
      "invalid endpoint settings:\nno configured subnet or ip-range contain the IP address 9.9.9.9",
    ],
    [
      "a container on its way out",
      { state: { ...CREATED, status: "removing" as const } },
      "front",
      {},
      "conflict",
      /^Container \w{64} is marked for removal and cannot be connected or disconnected to the network$/,
    ],
  ])("of %s", async (_, more, name, request, kind, message) => {
    await network("front");
    const container = await stopped(more);
    const failure = await members()
      .connect(ADMINISTRATOR, name, "web", request)
      .catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ kind });
    expect((failure as Error).message).toEqual(message instanceof RegExp ? expect.stringMatching(message) : message);
    expect((await membership(container)).row).toEqual(Object.keys(container.endpoints));
  });

  it("of a missing container, one that is not on the network, or one with the host network", async () => {
    await network("front");
    const leave = (name: string, ref: string, force = false) =>
      members().disconnect(ADMINISTRATOR, name, ref, { force });
    await expect(leave("front", "web")).rejects.toMatchObject({ kind: "not-found", message: "No such container: web" });
    const { id } = await stopped();
    await expect(leave("front", "web")).rejects.toMatchObject({
      kind: "failed",
      message: `container ${id} is not connected to network front`,
    });
    await expect(leave("nowhere", "web", true)).rejects.toMatchObject({ kind: "not-found" });
    await expect(leave("front", "gone", true)).rejects.toMatchObject({
      kind: "not-found",
      message: "endpoint gone not found",
    });
    await stopped({ ...mode("host", { host: {} }), name: "on-host" });
    await expect(leave("host", "on-host")).rejects.toMatchObject({ kind: "invalid", message: HOST });
  });

  it("of a user who does not own the container, even with force", async () => {
    const user = { kind: "user", id: "7", login: "ann" } as never;
    const container = await running();
    const left = members().disconnect(user, "bridge", container.id, { force: true });
    await left.catch(() => {});
    expect((await membership(container)).sandbox).toEqual(["bridge"]);
    await expect(members().connect(user, "bridge", container.id, {})).rejects.toMatchObject({
      kind: "not-found",
    });
  });
});
