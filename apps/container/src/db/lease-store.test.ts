import type { PortAssignment } from "@berth/port-spec";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ContainerId } from "../engine/ids.ts";
import { insertContainer, newContainerId } from "../networks/host.testing.ts";
import type { StoredSandbox } from "../networks/store.ts";
import { openTestDatabase } from "./database.testing.ts";
import type { OpenDatabase } from "./database.ts";
import { createLeaseStore } from "./lease-store.ts";
import { createNetworkStore } from "./network-store.ts";
import { containers, networks } from "./schema.ts";

function at(hostIp: string, more: Partial<PortAssignment> = {}): PortAssignment {
  return {
    hostIp,
    hostPort: 8080,
    containerPort: 80,
    protocol: "tcp",
    ...more,
  };
}

describe("the leases' rows", () => {
  let database: OpenDatabase;
  let first: ContainerId;
  let second: ContainerId;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.db.delete(containers);
    await database.db.delete(networks);
    [first, second] = [newContainerId(), newContainerId()];
    await insertContainer(database.db, first, "first", "owner-1");
    await insertContainer(database.db, second, "second");
  });

  const exclusions: readonly [string, PortAssignment, PortAssignment, boolean][] = [
    ["the same address", at("127.0.0.1"), at("127.0.0.1"), true],
    ["the wildcard and an address", at("0.0.0.0"), at("192.0.2.1"), true],
    ["the last address and the wildcard", at("255.255.255.255"), at("0.0.0.0"), true],
    ["the IPv6 wildcard and an address", at("::"), at("fe80::1"), true],
    ["the last IPv6 address and its wildcard", at("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), at("::"), true],
    ["one IPv6 address twice", at("2001:db8::1:0"), at("2001:db8::1:0"), true],
    ["two addresses", at("127.0.0.1"), at("127.0.0.2"), false],
    ["two IPv6 addresses", at("2001:db8::1:0"), at("2001:db8:1::"), false],
    ["two families", at("0.0.0.0"), at("::"), false],
    ["two protocols", at("0.0.0.0"), at("0.0.0.0", { protocol: "udp" }), false],
    [
      "the last protocol of one family and the first of the other",
      at("0.0.0.0", { protocol: "sctp" }),
      at("::"),
      false,
    ],
    ["two ports", at("0.0.0.0"), at("0.0.0.0", { hostPort: 8081 }), false],
    [
      "the last port and the first of the next protocol",
      at("::", { hostPort: 65_535 }),
      at("::", { hostPort: 1, protocol: "udp" }),
      false,
    ],
  ];
  it.each(exclusions)("exclude each other as sockets do: %s", async (_, one, other, excluded) => {
    const store = createLeaseStore(database.db);
    expect(await store.insert(first, [one])).toEqual([]);
    const excluding = await store.insert(second, [at("0.0.0.0", { hostPort: 9 }), other]);
    expect(excluding.map(({ holder }) => holder)).toEqual(
      excluded
        ? [
            {
              kind: "container",
              containerId: first,
              containerName: "first",
              owner: "owner-1",
              since: expect.any(String),
            },
          ]
        : [],
    );
    expect(await store.load()).toHaveLength(excluded ? 1 : 3);
  });

  it("take as many ports as there are, all or nothing", async () => {
    const store = createLeaseStore(database.db);
    const many = Array.from({ length: 1_200 }, (_, index) => at("0.0.0.0", { hostPort: index + 1 }));
    await store.insert(first, [at("127.0.0.1", { hostPort: 1_100 })]);
    expect(await store.insert(second, many)).toHaveLength(1);
    await store.delete([first]);
    expect(await store.insert(second, many)).toEqual([]);
    expect(await store.load()).toHaveLength(1_200);
  });

  it("exclude each port of a range, and name that one", async () => {
    const store = createLeaseStore(database.db);
    const range = ["0.0.0.0", "::"].flatMap((hostIp) =>
      Array.from({ length: 300 }, (_, index) => at(hostIp, { hostPort: 2_000 + index })),
    );
    expect(await store.insert(first, range.toReversed())).toEqual([]);
    for (const [hostIp, hostPort] of [
      ["127.0.0.1", 2_000],
      ["0.0.0.0", 2_150],
      ["::1", 2_299],
    ] as const)
      expect(await store.insert(second, [at(hostIp, { hostPort })])).toMatchObject([{ hostPort }]);
    const beside = [1_999, 2_300].map((hostPort) => at("0.0.0.0", { hostPort }));
    expect(await store.insert(second, [...beside, at("0.0.0.0", { hostPort: 2_150, protocol: "udp" })])).toEqual([]);
    await expect(store.insert(second, [at("::", { hostPort: 9 }), at("::", { hostPort: 9 })])).rejects.toThrow();
  });

  it("go with their container, and are deleted by it", async () => {
    const store = createLeaseStore(database.db);
    await store.insert(first, [at("0.0.0.0"), at("::")]);
    await store.insert(second, [at("0.0.0.0", { hostPort: 1 })]);
    await store.delete([first]);
    await store.delete([]);
    expect((await store.load()).map(({ hostPort }) => hostPort)).toEqual([1]);
    await database.db.delete(containers);
    expect(await store.load()).toEqual([]);
  });

  it("let one of many at once have a port", async () => {
    const store = createLeaseStore(database.db);
    const outcomes = await Promise.all([first, second].map((id) => store.insert(id, [at("0.0.0.0")])));
    expect(outcomes.filter((excluding) => excluding.length === 0)).toHaveLength(1);
  });

  it("keep networks and sandboxes as they were", async () => {
    const store = createNetworkStore(database.db);
    const network = {
      id: "n1",
      name: "front",
      driver: "bridge" as const,
      createdAt: new Date(0).toISOString(),
      internal: false,
      attachable: true,
      enableIPv4: true,
      enableIPv6: false,
      options: {},
      labels: { a: "b" },
      ipam: { driver: "default", options: null, config: [{ Subnet: "10.0.0.0/24" }] },
    };
    await store.insertNetwork(network);
    await expect(store.insertNetwork({ ...network, id: "n2" })).rejects.toMatchObject({
      kind: "conflict",
      message: "network with name front already exists",
    });
    const sandbox: StoredSandbox = {
      containerId: first,
      containerName: "first",
      owner: "owner-1",
      hostServices: false,
      path: "/run/netns/x",
      nameservers: ["192.0.2.53"],
      endpoints: [],
    };
    await store.saveSandbox(sandbox);
    await store.saveSandbox({ ...sandbox, path: "/run/netns/y" });
    expect(await store.load()).toEqual({ networks: [network], sandboxes: [{ ...sandbox, path: "/run/netns/y" }] });
    await store.deleteSandboxes([first]);
    await store.deleteNetwork("n1");
    expect(await store.load()).toEqual({ networks: [], sandboxes: [] });
  });
});
