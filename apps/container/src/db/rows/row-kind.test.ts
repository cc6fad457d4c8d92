import { describe, expect, it } from "vitest";
import { z } from "zod";
import { idOf, someContainer } from "../../containers/records/container.testing.ts";
import { CONTAINER_ROW } from "./container-row.ts";
import { NETWORK_ROW, SANDBOX_ROW } from "./network-row.ts";
import { type RowKind, readColumns, versionOf } from "./row-kind.ts";

/** As if a version had split a name, and the next had added a size. */
const THIRD: RowKind<{ readonly first: string; readonly last: string; readonly size: number }> = {
  name: "thing",
  columns: z.object({ first: z.string(), last: z.string(), size: z.number() }),
  upgrades: [
    ({ name, ...rest }) => {
      const [first, last] = String(name).split(" ");
      return { ...rest, first, last };
    },
    (columns) => ({ ...columns, size: 0 }),
  ],
};

describe("readColumns", () => {
  it.each([
    [
      { version: 1, name: "a b" },
      { first: "a", last: "b", size: 0 },
    ],
    [
      { version: 2, first: "a", last: "b" },
      { first: "a", last: "b", size: 0 },
    ],
    [
      { version: 3, first: "a", last: "b", size: 5 },
      { first: "a", last: "b", size: 5 },
    ],
  ])("reads %j as the current version", (row, expected) => {
    expect(versionOf(THIRD)).toBe(3);
    expect(readColumns(THIRD, "x", row)).toEqual(expected);
  });

  it("names a row that a newer Berth wrote, and what to do", () => {
    expect(() => readColumns(THIRD, "x", { version: 4 })).toThrow(
      "thing x: its row has version 4 and this Berth reads up to 3; start the newer Berth that wrote it, or restore a backup",
    );
  });

  it("names the field of a damaged row", () => {
    expect(() => readColumns(THIRD, "x", { version: 3, first: 1, last: "b", size: 5 })).toThrow(
      /^thing x: its row is damaged: first: .*expected string.*; restore a backup/,
    );
  });
});

it("a container comes back from its JSON as it went in", () => {
  const { config, hostConfig, endpoints, ports, mounts, state } = someContainer({
    endpoints: { web: { Aliases: ["a"], IPAMConfig: { IPv4Address: "10.0.0.2" }, DriverOpts: null } },
    ports: {
      exposed: ["80/tcp"],
      wishes: [
        { containerPort: 80, protocol: "tcp", hostIp: "", hostPorts: { start: 1, end: 9 }, preferred: 4 },
        { containerPort: 81, protocol: "udp", hostIp: "::1", hostPorts: undefined },
      ],
      last: [{ containerPort: 80, protocol: "tcp", hostIp: "0.0.0.0", hostPort: 4 }],
    },
    mounts: [
      {
        type: "bind",
        source: "/a",
        destination: "/b",
        mode: "ro",
        readWrite: false,
        propagation: "",
        nonRecursive: true,
      },
    ],
  });
  const columns = {
    config,
    hostConfig,
    endpoints,
    ports,
    mounts,
    state,
    imageNames: null,
    intent: { kind: "stop", timeoutSeconds: -1 },
  };
  const stored = { ...JSON.parse(JSON.stringify(columns)), version: 1 };
  expect(readColumns(CONTAINER_ROW, idOf("a"), stored)).toEqual(columns);
});

it("reads networks and endpoints from before IPv6 as what they are: of IPv4 alone", () => {
  const network = {
    ...{ id: "n", name: "back", driver: "bridge", createdAt: "", internal: false, attachable: false, enableIPv6: true },
    ...{ options: {}, labels: {}, ipam: { driver: "default", options: null, config: [{ Subnet: "172.17.0.0/16" }] } },
  };
  expect(readColumns(NETWORK_ROW, "n", { version: 1, network }).network).toEqual({
    ...network,
    enableIPv4: true,
    enableIPv6: false,
  });
  const endpoint = {
    ...{ networkId: "n", networkName: "back", endpointId: "e", address: "172.17.0.2", prefixLength: 16, gateway: "" },
    ...{ macAddress: "", aliases: [], request: {}, bridge: "br-n", link: "veth0", interfaceName: "eth0" },
  };
  const row = { version: 1, endpoints: [endpoint], nameservers: null };
  expect(readColumns(SANDBOX_ROW, "c", row).endpoints).toEqual([
    { ...endpoint, ipv6: { address: "", prefixLength: 0, gateway: "" } },
  ]);
});
