import { expect, it } from "vitest";
import type { Actor } from "../engine/actor.ts";
import { user } from "../engine/user.testing.ts";
import { assertNetworkAllowed } from "./networks.ts";

const ANN: Actor = user(1);
const ROOT: Actor = { kind: "administrator", id: undefined, login: "root" };

function wish({ options = {}, subnets = [] }: { options?: Record<string, string>; subnets?: readonly string[] }) {
  return { options, ipam: { config: subnets.map((Subnet) => ({ Subnet })) } };
}

it.each([
  ["no subnet", {}],
  ["a subnet of the pool", { subnets: ["192.168.7.0/24"] }],
  ["the largest subnet of the pool", { subnets: ["172.31.0.0/16"] }],
  ["an IPv6 subnet", { subnets: ["fd00::/64"] }],
  ["options that stay inside", { options: { "com.docker.network.driver.mtu": "1400" } }],
])("allows a user's network with %s", (_, asked) => {
  expect(() => assertNetworkAllowed(ANN, wish(asked), 0)).not.toThrow();
});

it.each([
  ["a public subnet", { subnets: ["8.8.8.0/24"] }, "subnet 8.8.8.0/24 is not a private IPv4 network"],
  ["a subnet above a private one", { subnets: ["172.0.0.0/8"] }, "subnet 172.0.0.0/8"],
  ["all of 10.0.0.0/8", { subnets: ["10.0.0.0/8"] }, "of /16 or smaller"],
  ["a private subnet outside the pool", { subnets: ["10.1.2.0/24"] }, "subnets 10.1.2.0/24 is not granted"],
  ["a public IPv6 subnet", { subnets: ["2001:db8::/64"] }, "subnet 2001:db8::/64 is not a private IPv6 network"],
  ["most of fd00::/8", { subnets: ["fd00::/12"] }, "of /48 or smaller"],
  ["the loopback", { subnets: ["127.1.0.0/16"] }, "subnet 127.1.0.0/16"],
  [
    "a bridge of the host",
    { options: { "com.docker.network.bridge.name": "eth0" } },
    "only an administrator may set the network option com.docker.network.bridge.name",
  ],
])("refuses a user's network with %s", (_, asked, message) => {
  expect(() => assertNetworkAllowed(ANN, wish(asked), 0)).toThrow(message);
  expect(() => assertNetworkAllowed(ROOT, wish(asked), 0)).not.toThrow();
});

it("refuses one network more than the quota", () => {
  expect(() => assertNetworkAllowed(ANN, wish({}), 9)).not.toThrow();
  expect(() => assertNetworkAllowed(ANN, wish({}), 10)).toThrow("networks");
  expect(() => assertNetworkAllowed(ROOT, wish({}), 1_000)).not.toThrow();
});
