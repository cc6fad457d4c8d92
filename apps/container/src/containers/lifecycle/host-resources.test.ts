import { expect, it } from "vitest";
import type { Network } from "../../networks/networks.ts";
import { boundBy, hostBinding } from "./host-resources.ts";

function network(name: string, { internal = false, address = "" } = {}): Network {
  return {
    id: name,
    name,
    driver: "bridge",
    createdAt: new Date(0).toISOString(),
    internal,
    attachable: false,
    enableIPv4: true,
    enableIPv6: false,
    options: { "com.docker.network.bridge.host_binding_ipv4": address },
    labels: {},
    ipam: { driver: "default", options: null, config: [] },
  };
}

function bindingOf(...all: readonly Network[]) {
  const recorded = (ref: string) => all.find(({ name }) => name === ref);
  const endpoints = Object.fromEntries(all.map(({ name }) => [name, {}]));
  return hostBinding({ networks: { recorded, sandboxOf: () => undefined } }, { endpoints, owner: undefined });
}

it("takes the binding address of the network with the default route", () => {
  expect(
    bindingOf(network("inner", { internal: true, address: "127.0.0.2" }), network("front", { address: "127.0.0.1" })),
  ).toBe("127.0.0.1");
  expect(bindingOf(network("front", { address: "127.0.0.1" }), network("back"))).toBeUndefined();
  expect(bindingOf(network("front"), network("back", { address: "127.0.0.1" }))).toBe("127.0.0.1");
  expect(bindingOf()).toBeUndefined();
});

it("binds what names no address to it, and nothing else", () => {
  const wish = (hostIp: string) => ({ containerPort: 80, protocol: "tcp", hostIp, hostPorts: undefined }) as const;
  expect(boundBy("127.0.0.1", [wish(""), wish("0.0.0.0")]).map(({ hostIp }) => hostIp)).toEqual([
    "127.0.0.1",
    "0.0.0.0",
  ]);
  expect(boundBy(undefined, [wish("")]).map(({ hostIp }) => hostIp)).toEqual([""]);
});
