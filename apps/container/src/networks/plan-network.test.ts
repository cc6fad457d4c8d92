import { expect, it } from "vitest";
import { localPrefix } from "./addresses/pools.ts";
import { bridgeOptions } from "./bridge-options.ts";
import { planNetwork } from "./plan-network.ts";

const CONTEXT = {
  id: "n".repeat(64),
  owner: undefined,
  createdAt: new Date(0).toISOString(),
  networks: [],
  routes: [],
  pools: ["10.9.0.0/16"],
  local: localPrefix("tests"),
};

function plan(options: Readonly<Record<string, string>>, subnet?: string) {
  const ipam = { driver: "default", options: null, config: subnet === undefined ? [] : [{ Subnet: subnet }] };
  const request = {
    name: "front",
    driver: "bridge",
    internal: false,
    attachable: false,
    enableIPv4: true,
    enableIPv6: false,
  };
  return planNetwork({ ...request, options, labels: {}, ipam, checkDuplicate: true }, CONTEXT);
}

it.each([
  ["com.docker.network.bridge.host_binding_ipv4", "localhost"],
  ["com.docker.network.bridge.host_binding_ipv4", "::1"],
  ["com.docker.network.bridge.gateway_mode_ipv4", "bridged"],
  ["com.docker.network.bridge.gateway_mode_ipv6", "NAT"],
  ["com.docker.network.bridge.inhibit_ipv4", "maybe"],
  ["com.docker.network.bridge.trusted_host_interfaces", "eth0"],
  ["com.docker.network.bridge.enable_icc", "maybe"],
  ["com.docker.network.driver.mtu", "12"],
])("refuses option %s with the value %s", (name, value) => {
  expect(() => plan({ [name]: value })).toThrow(`invalid value "${value}" for option ${name}: want`);
});

it.each([
  ["127.0.0.1", "127.0.0.1"],
  ["0.0.0.0", undefined],
  ["", undefined],
])("takes host_binding_ipv4 %s", (value, address) => {
  const { options } = plan({ "com.docker.network.bridge.host_binding_ipv4": value });
  expect(bridgeOptions(options).hostBinding).toBe(address);
});

it.each([
  ["10.8.0.0/30", "10.8.0.1"],
  // RFC 3021: both addresses are for hosts.
  ["10.8.0.0/31", "10.8.0.0"],
])("gives %s the gateway %s", (subnet, Gateway) => {
  expect(plan({}, subnet).ipam.config).toEqual([{ Subnet: subnet, Gateway }]);
});
