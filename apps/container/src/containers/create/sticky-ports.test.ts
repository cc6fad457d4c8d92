import { describe, expect, it } from "vitest";
import { someConfig } from "../records/container.testing.ts";
import { STICKY_PORTS_LABEL, wishesOf } from "./sticky-ports.ts";

function wish(containerPort: number, hostIp = "") {
  return { containerPort, protocol: "tcp", hostIp, hostPorts: undefined } as const;
}
function had(containerPort: number, hostPort: number, hostIp = "0.0.0.0") {
  return { containerPort, protocol: "tcp", hostIp, hostPort } as const;
}
const config = someConfig({ Labels: { [STICKY_PORTS_LABEL]: "true" } });

describe("wishesOf", () => {
  it("prefers the ports of the last run", () => {
    const ports = {
      exposed: [],
      wishes: [wish(80), wish(81), wish(82, "127.0.0.1")],
      last: [had(81, 5001), had(80, 5000), had(82, 5002)],
    };
    expect(wishesOf({ config, ports }).map(({ preferred }) => preferred)).toEqual([5000, 5001, undefined]);
  });

  it("assigns different ports to two bindings of one container port", () => {
    const ports = {
      exposed: [],
      wishes: [wish(80), wish(80)],
      last: [had(80, 5000), had(80, 5000, "::"), had(80, 5001), had(80, 5001, "::")],
    };
    expect(wishesOf({ config, ports }).map(({ preferred }) => preferred)).toEqual([5000, 5001]);
  });

  it("prefers nothing without the label", () => {
    const ports = { exposed: [], wishes: [wish(80)], last: [had(80, 5000)] };
    expect(wishesOf({ config: someConfig(), ports })).toEqual([wish(80)]);
  });
});
