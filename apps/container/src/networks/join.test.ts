import { expect, test } from "vitest";
import type { ContainerId } from "../engine/ids.ts";
import { linkLocalOf } from "./addresses/inet.ts";
import { bridgeMacAddress } from "./bridge.ts";
import { ENDPOINT_IFNAME, validateEndpoint } from "./endpoint-rules.ts";
import { isPlain, takePlace } from "./join.ts";
import { openNetwork } from "./network-table.ts";

const NETWORK = {
  id: "ab12cd34".padEnd(64, "0"),
  owner: "1",
  name: "front",
  driver: "bridge",
  createdAt: "2026-01-01T00:00:00.000Z",
  internal: false,
  attachable: false,
  enableIPv4: true,
  enableIPv6: false,
  options: {},
  labels: {},
  ipam: { driver: "default", options: {}, config: [{ Subnet: "10.9.0.0/24", Gateway: "10.9.0.1" }] },
} as const;

function container(letter: string): ContainerId {
  return letter.repeat(64) as ContainerId;
}

test("a container gets another MAC address where a neighbour chose the one of its address", () => {
  const open = openNetwork(NETWORK);
  const chosen = "02:42:0a:09:00:03";
  expect(takePlace(open, container("a"), { MacAddress: chosen }, [])).toMatchObject({
    address: "10.9.0.2",
    macAddress: chosen,
  });
  const { address, macAddress } = takePlace(open, container("b"), {}, []);
  expect(address).toBe("10.9.0.3");
  expect(macAddress).not.toBe(chosen);
  expect(macAddress).toMatch(/^06(:[0-9a-f]{2}){5}$/);
  expect(takePlace(open, container("c"), {}, []).macAddress).toBe("02:42:0a:09:00:04");
});

test.each([
  ["a neighbour's", "02:42:0A:09:00:02"],
  ["the gateway's", "02:42:0a:09:00:01"],
  ["the bridge's", bridgeMacAddress(NETWORK)],
])("a container may not choose %s MAC address", (_, MacAddress) => {
  const open = openNetwork(NETWORK);
  takePlace(open, container("a"), {}, []);
  expect(() => takePlace(open, container("b"), { MacAddress }, [])).toThrow("is already in use on network front");
});

test.each(["10.9.0.7", "fd00::7", "nonsense"])("%s is no link-local address to ask for", (address) => {
  const request = { IPAMConfig: { LinkLocalIPs: [address] } };
  expect(() => takePlace(openNetwork(NETWORK), container("a"), request, [])).toThrow("invalid link-local IP address");
});

test.each([
  ["the bridge's own", linkLocalOf(bridgeMacAddress(NETWORK))],
  ["a neighbour's, which follows from its MAC address", linkLocalOf("02:42:0a:09:00:02")],
  ["one that a neighbour asked for", "169.254.7.7"],
])("a link-local address that is %s is refused", (_, address) => {
  const open = openNetwork(NETWORK);
  takePlace(open, container("a"), { IPAMConfig: { LinkLocalIPs: ["169.254.7.7"] } }, []);
  const request = { IPAMConfig: { LinkLocalIPs: [address] } };
  expect(() => takePlace(open, container("b"), request, [])).toThrow(`Address already in use: ${address}`);
});

test("an endpoint names its interface, which no other of the container may have", () => {
  const request = { DriverOpts: { [ENDPOINT_IFNAME]: "lan0" } };
  const open = openNetwork(NETWORK);
  expect(takePlace(open, container("a"), request, ["eth0"])).toMatchObject({ interfaceName: "lan0" });
  expect(isPlain(request)).toBe(false);
  expect(() => takePlace(open, container("b"), request, ["lan0"])).toThrow("has an interface lan0 already");
  expect(takePlace(open, container("b"), {}, ["lan0"])).toMatchObject({ address: "10.9.0.3", interfaceName: "eth0" });
});

test.each(["lo", "all", "default", "0a", "a b", "a/b", "abcdefghijklmnop"])("no interface is named %j", (name) => {
  const fault = validateEndpoint("front", NETWORK, { DriverOpts: { [ENDPOINT_IFNAME]: name } });
  expect(fault).toContain(`invalid interface name '${name}'`);
});
