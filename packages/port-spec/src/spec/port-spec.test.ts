import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { portSpec } from "./port-spec.testing.ts";
import { formatPortSpec, type PortSpec, parsePortSpec } from "./port-spec.ts";

function one(port: number) {
  return { start: port, end: port };
}

describe("parsePortSpec accepts", () => {
  const any = { hostIp: "", host: undefined, protocol: "tcp" } as const;
  test.each<[string, PortSpec]>([
    ["80", { ...any, container: one(80) }],
    ["8080:80", { ...any, host: one(8080), container: one(80) }],
    ["127.0.0.1::80", { ...any, hostIp: "127.0.0.1", container: one(80) }],
    ["[::1]:8080:80/tcp", { ...any, hostIp: "::1", host: one(8080), container: one(80) }],
    ["::1:8080:80", { ...any, hostIp: "::1", host: one(8080), container: one(80) }],
    ["8000-8010:80", { ...any, host: { start: 8000, end: 8010 }, container: one(80) }],
    ["3000-3005", { ...any, container: { start: 3000, end: 3005 } }],
    ["9090-9091:8080-8081", { ...any, host: { start: 9090, end: 9091 }, container: { start: 8080, end: 8081 } }],
    ["49100:22", { ...any, host: one(49_100), container: one(22) }],
    ["6060:6060/udp", { ...any, protocol: "udp", host: one(6060), container: one(6060) }],
    ["3868:3868/SCTP", { ...any, protocol: "sctp", host: one(3868), container: one(3868) }],
    [":80", { ...any, container: one(80) }],
    ["::80", { ...any, container: one(80) }],
    [":::80:81", { ...any, hostIp: "::", host: one(80), container: one(81) }],
    ["[]:8080:80", { ...any, host: one(8080), container: one(80) }],
    ["0:80", { ...any, host: one(0), container: one(80) }],
    ["00-0:80-80", { ...any, host: one(0), container: one(80) }],
    ["1-2:65535", { ...any, host: { start: 1, end: 2 }, container: one(65_535) }],
    ["published=8080,target=80", { ...any, host: one(8080), container: one(80) }],
    [
      "target=80,published=127.0.0.1:81,protocol=UDP,mode=host",
      { ...any, protocol: "udp", hostIp: "127.0.0.1", host: one(81), container: one(80) },
    ],
    ["target=80,target=81", { ...any, container: one(81) }],
  ])("%s", (text, spec) => {
    expect(parsePortSpec(text)).toEqual({ ok: true, value: spec });
  });
});

describe("parsePortSpec rejects", () => {
  const port = "a port from 1 to 65535, or an ascending range such as 80-82";
  const hostPort = "nothing or 0 for a dynamic port, a port from 1 to 65535, or an ascending range such as 8000-8010";
  const container = "a container port, such as the 80 of 8080:80";
  const ip = "a literal IPv4 or IPv6 address, such as 127.0.0.1 or [::1]";
  const named = "name=value, such as published=8080,target=80";
  test.each([
    ["", "no-container-port", 0, container, "no port specified: <empty>"],
    ["8080:/tcp", "no-container-port", 5, container, "no port specified: 8080:/tcp<empty>"],
    ["80:81:82:", "bad-host-ip", 0, ip, "invalid IP address: 80:81"],
    ["abc", "bad-container-port", 0, port, "invalid containerPort: abc"],
    ["0", "bad-container-port", 0, port, "invalid containerPort: 0"],
    ["0-2", "bad-container-port", 0, port, "invalid containerPort: 0-2"],
    ["1:2:80-79", "bad-host-ip", 0, ip, "invalid IP address: 1"],
    ["127.0.0.1:2:80-79", "bad-container-port", 12, port, "invalid containerPort: 80-79"],
    ["127.0.0.1:80", "bad-host-port", 0, hostPort, "invalid hostPort: 127.0.0.1"],
    ["[::1]:65536:80", "bad-host-port", 6, hostPort, "invalid hostPort: 65536"],
    ["0-2:80", "bad-host-port", 0, hostPort, "invalid hostPort: 0-2"],
    ["1-2-3:80", "bad-host-port", 0, hostPort, "invalid hostPort: 1-2-3"],
    ["localhost:8080:80", "bad-host-ip", 0, ip, "invalid IP address: localhost"],
    ["fe80::1%eth0:8080:80", "bad-host-ip", 0, ip, "invalid IP address: fe80::1%eth0"],
    ["[fe80::1%eth0]:8080:80", "bad-host-ip", 0, ip, "invalid IP address: fe80::1%eth0"],
    ["[::1:8080:80", "bad-host-ip", 0, ip, "invalid IP address [::1: address [::1:: missing ']' in address"],
    ["[::1]x:8080:80", "bad-host-ip", 0, ip, "invalid IP address [::1]x: address [::1]x:: missing port in address"],
    [
      "[::1]:1:8080:80",
      "bad-host-ip",
      0,
      ip,
      "invalid IP address [::1]:1: address [::1]:1:: too many colons in address",
    ],
    ["[[::1]:8080:80", "bad-host-ip", 0, ip, "invalid IP address [[::1]: address [[::1]:: unexpected '[' in address"],
    ["::1]:8080:80", "bad-host-ip", 0, ip, "invalid IP address: ::1]"],
    [
      "8000-8001:80-82",
      "range-mismatch",
      0,
      "as many host ports as container ports (3)",
      "invalid ranges specified for container and host Ports: 80-82 and 8000-8001",
    ],
    [
      "::1:8000:80-82",
      "range-mismatch",
      4,
      "as many host ports as container ports (3)",
      "invalid ranges specified for container and host Ports: 80-82 and 8000",
    ],
    ["80/icmp", "bad-protocol", 3, "tcp, udp or sctp", "invalid proto: icmp"],
    ["8080:80/tcp/udp", "bad-protocol", 8, "tcp, udp or sctp", "invalid proto: tcp/udp"],
    [
      "published=8080,=80",
      "bad-long-form",
      15,
      named,
      "invalid publish opts format (should be name=value but got '=80')",
    ],
    ["target", "bad-container-port", 0, port, "invalid containerPort: target"],
    ["target=80,mode", "bad-long-form", 10, named, "invalid publish opts format (should be name=value but got 'mode')"],
    ["target=8x", "bad-container-port", 7, port, "invalid containerPort: 8x"],
    ["published=x,target=80", "bad-host-port", 10, hostPort, "invalid hostPort: x"],
    ["published=1.1:x,target=80", "bad-host-ip", 10, ip, "invalid IP address: 1.1"],
    ["published=::1:x,target=80", "bad-host-port", 14, hostPort, "invalid hostPort: x"],
    ["protocol=icmp,target=80", "bad-protocol", 9, "tcp, udp or sctp", "invalid proto: icmp"],
    ["published=80", "no-container-port", 12, container, "no port specified: 80:/tcp<empty>"],
  ])("%j as %s at %i", (input, code, position, expected, message) => {
    expect(parsePortSpec(input)).toEqual({ ok: false, error: { code, input, position, path: "", expected, message } });
  });
});

describe("formatPortSpec", () => {
  test.each([
    ["80", "80/tcp"],
    [":80", "80/tcp"],
    ["0:80", "0:80/tcp"],
    ["8080:80/udp", "8080:80/udp"],
    ["::1::80", "[::1]::80/tcp"],
    ["127.0.0.1:8000-8001:80-81", "127.0.0.1:8000-8001:80-81/tcp"],
  ])("formats %s as %s", (text, canonical) => {
    const spec = parsePortSpec(text);
    expect(spec.ok && formatPortSpec(spec.value)).toBe(canonical);
  });

  test("parsePortSpec is its inverse", () => {
    fc.assert(
      fc.property(portSpec(50), (spec) => {
        expect(parsePortSpec(formatPortSpec(spec))).toEqual({ ok: true, value: spec });
      }),
    );
  });
});
