import type { PortWish } from "@berth/port-spec";
import { expect, it } from "vitest";
import { type Endpoint, type Network, NO_ADDRESS } from "../../networks/networks.ts";
import { hostPorts, portTarget } from "./port-target.ts";

const PREFIX = "com.docker.network.bridge";

function network(name: string, options: Readonly<Record<string, string>> = {}, more: Partial<Network> = {}): Network {
  return {
    id: name,
    name,
    driver: "bridge",
    createdAt: new Date(0).toISOString(),
    internal: false,
    attachable: false,
    enableIPv4: true,
    enableIPv6: false,
    options,
    labels: {},
    ipam: { driver: "default", options: null, config: [] },
    ...more,
  };
}

function bound(address: string): Readonly<Record<string, string>> {
  return { [`${PREFIX}.host_binding_ipv4`]: address };
}

function routed(...families: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(families.map((family) => [`${PREFIX}.gateway_mode_${family}`, "routed"]));
}

function wish(hostIp = "", containerPort = 80): PortWish {
  return { containerPort, protocol: "tcp", hostIp, hostPorts: undefined };
}

function contextOf(all: readonly Network[]) {
  return { networks: { recorded: (ref: string) => all.find(({ name }) => name === ref), sandboxOf: () => undefined } };
}

function hostPortsOn(all: readonly Network[], ...wishes: readonly PortWish[]) {
  const endpoints = Object.fromEntries(all.map(({ name }) => [name, {}]));
  return hostPorts(contextOf(all), { endpoints, owner: undefined }, wishes);
}

it.each([
  [[network("inner", bound("127.0.0.2"), { internal: true }), network("front", bound("127.0.0.1"))], "127.0.0.1"],
  [[network("front", bound("127.0.0.1")), network("back")], ""],
  [[network("front"), network("back", bound("127.0.0.1"))], "127.0.0.1"],
  [[], ""],
])("binds what names no address to that of the network with the default route: case %#", (all, address) => {
  const { wishes } = hostPortsOn(all, wish(), wish("0.0.0.0"));
  expect(wishes.map(({ hostIp }) => hostIp)).toEqual([address, "0.0.0.0"]);
});

const DUAL = { enableIPv6: true };
it.each([
  ["nat", network("net"), []],
  ["routed in IPv4", network("net", routed("ipv4")), ["ipv4"]],
  ["routed in a family that it lacks", network("net", routed("ipv6")), []],
  ["routed in IPv6", network("net", routed("ipv6"), DUAL), ["ipv6"]],
  ["routed in both", network("net", routed("ipv4", "ipv6"), DUAL), ["ipv4", "ipv6"]],
])("opens ports at the container's addresses on a network that is %s", (_, net, families) => {
  expect(hostPortsOn([net], wish()).routed).toEqual(families);
  const ipv6 = net.enableIPv6 ? { address: "fd00::2", prefixLength: 64, gateway: "fd00::1" } : NO_ADDRESS;
  const placed = {
    ...{ networkId: "net", networkName: "net", endpointId: "", macAddress: "", aliases: [], request: {}, bridge: "" },
    ...{ address: "10.1.0.2", prefixLength: 24, gateway: "10.1.0.1", ipv6 },
  };
  const endpoints: readonly Endpoint[] = [placed];
  const sandbox = { path: "", endpoints, nameserver: undefined, sysctls: {} };
  const wishes = [wish(), wish("", 80), wish("127.0.0.1", 81), wish("::1", 82)];
  const target = portTarget(contextOf([net]), { ports: { exposed: [], wishes } }, sandbox);
  const opened = (target?.opened ?? []).map(({ address, containerPort }) => `${address} ${containerPort}`);
  expect(opened).toEqual([
    ...(families.includes("ipv4") ? ["10.1.0.2 80", "10.1.0.2 81"] : []),
    ...(families.includes("ipv6") ? ["fd00::2 80", "fd00::2 82"] : []),
  ]);
});
