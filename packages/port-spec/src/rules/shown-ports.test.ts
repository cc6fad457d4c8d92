import { describe, expect, test } from "vitest";
import type { PortKey } from "../spec/port-key.ts";
import type { Protocol } from "../spec/protocol.ts";
import { formatDockerPort, formatPublicPort } from "./docker-port.ts";
import { formatPorts } from "./format-ports.ts";
import { inspectPorts } from "./inspect-ports.ts";
import { type ListedPort, listPorts } from "./list-ports.ts";

function assigned(containerPort: number, hostPort: number, hostIp = "0.0.0.0", protocol: Protocol = "tcp") {
  return {
    containerPort,
    hostPort,
    hostIp,
    protocol,
  };
}
const EXPOSED: readonly PortKey[] = ["80/tcp", "53/udp", "443/tcp"];
const ASSIGNMENTS = [assigned(443, 9), assigned(80, 8081), assigned(80, 8081, "::"), assigned(80, 8080)];
const RUNNING = {
  "80/tcp": [
    { HostIp: "0.0.0.0", HostPort: "8081" },
    { HostIp: "::", HostPort: "8081" },
    { HostIp: "0.0.0.0", HostPort: "8080" },
  ],
  "53/udp": null,
  "443/tcp": [{ HostIp: "0.0.0.0", HostPort: "9" }],
};

describe("inspectPorts", () => {
  const shown = (status: string, apiVersion: string) =>
    inspectPorts({ status, exposed: EXPOSED, assignments: ASSIGNMENTS, apiVersion });

  test.each([
    ["running", RUNNING],
    ["paused", RUNNING],
    ["created", {}],
    ["exited", {}],
    ["dead", {}],
    ["removing", {}],
    ["restarting", {}],
  ])("of a container that is %s", (status, Ports) => {
    expect(shown(status, "1.21")).toEqual({ Ports, PortMapping: null });
  });

  test("below API 1.21 Ports is null before the first start", () => {
    expect(shown("running", "1.20")).toEqual({ Ports: RUNNING, PortMapping: null });
    expect(shown("created", "1.9")).toEqual({ Ports: null, PortMapping: null });
    expect(shown("exited", "1.20")).toEqual({ Ports: null, PortMapping: null });
  });

  test("shows an assigned port that is not exposed", () => {
    const one = inspectPorts({ status: "running", exposed: [], assignments: [assigned(7, 8)], apiVersion: "1.51" });
    expect(one).toEqual({ Ports: { "7/tcp": [{ HostIp: "0.0.0.0", HostPort: "8" }] }, PortMapping: null });
  });
});

test("listPorts has an entry for each address, and one for each port that is not published", () => {
  const udp = assigned(80, 5, "::1", "udp");
  expect(listPorts([...EXPOSED, "80/sctp", "80/udp"], [udp, ...ASSIGNMENTS])).toEqual([
    { PrivatePort: 53, Type: "udp" },
    { IP: "0.0.0.0", PrivatePort: 80, PublicPort: 8081, Type: "tcp" },
    { IP: "::", PrivatePort: 80, PublicPort: 8081, Type: "tcp" },
    { IP: "0.0.0.0", PrivatePort: 80, PublicPort: 8080, Type: "tcp" },
    { IP: "::1", PrivatePort: 80, PublicPort: 5, Type: "udp" },
    { PrivatePort: 80, Type: "sctp" },
    { IP: "0.0.0.0", PrivatePort: 443, PublicPort: 9, Type: "tcp" },
  ]);
  expect(listPorts([], [])).toEqual([]);
});

describe("formatPorts", () => {
  const tcp = (PrivatePort: number, PublicPort?: number, IP?: string): ListedPort => ({
    PrivatePort,
    Type: "tcp",
    ...(PublicPort !== undefined && { PublicPort }),
    ...(IP !== undefined && { IP }),
  });

  test.each<[string, readonly ListedPort[]]>([
    ["", []],
    ["80/tcp", [tcp(80)]],
    ["80/tcp, 443/tcp", [tcp(443), tcp(80)]],
    ["80-82/tcp, 90/tcp", [tcp(90), tcp(82), tcp(80), tcp(81)]],
    ["0.0.0.0:80-81->80-81/tcp", [tcp(81, 81, "0.0.0.0"), tcp(80, 80, "0.0.0.0")]],
    ["[::]:80->80/tcp, [::1]:80->80/tcp", [tcp(80, 80, "::1"), tcp(80, 80, "::")]],
    [
      "90/tcp, 0.0.0.0:9->80/tcp, [::]:8->80/tcp, [::]:9->80/tcp",
      [tcp(80, 9, "::"), tcp(80, 8, "::"), tcp(80, 9, "0.0.0.0"), tcp(90)],
    ],
    ["10.0.0.2:1->80/tcp, 9.0.0.1:1->80/tcp", [tcp(80, 1, "9.0.0.1"), tcp(80, 1, "10.0.0.2")]],
    ["80/tcp, 80/udp", [{ PrivatePort: 80, Type: "udp" }, tcp(80)]],
    ["80/tcp, 80/tcp, 80/udp", [{ PrivatePort: 80, Type: "udp" }, tcp(80), tcp(80)]],
    ["80/tcp", [tcp(80, 9)]],
    ["0.0.0.0:0->80/tcp", [tcp(80, undefined, "0.0.0.0")]],
    ["[::]:1->80/tcp, [::]:1->80/udp", [{ ...tcp(80, 1, "::"), Type: "udp" }, tcp(80, 1, "::")]],
  ])("formats %j", (column, ports) => {
    const before = [...ports];
    expect(formatPorts(ports)).toBe(column);
    expect(ports).toEqual(before);
  });
});

describe("docker port", () => {
  test("lists all bindings in natural order", () => {
    expect(formatDockerPort({ "100/tcp": [{ HostIp: "::", HostPort: "7" }], ...RUNNING })).toEqual([
      "80/tcp -> 0.0.0.0:8080",
      "80/tcp -> 0.0.0.0:8081",
      "80/tcp -> [::]:8081",
      "100/tcp -> [::]:7",
      "443/tcp -> 0.0.0.0:9",
    ]);
  });

  test("lists the bindings of one port", () => {
    expect(formatPublicPort(RUNNING, { port: 80, protocol: "tcp" })).toEqual([
      "0.0.0.0:8080",
      "0.0.0.0:8081",
      "[::]:8081",
    ]);
    expect(formatPublicPort(RUNNING, { port: 53, protocol: "udp" })).toEqual([]);
    expect(formatPublicPort(RUNNING, { port: 80, protocol: "udp" })).toEqual([]);
  });
});
