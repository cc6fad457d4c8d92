import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toEngine } from "../spec/bindings.ts";
import { portSpec } from "../spec/port-spec.testing.ts";
import { type ComposePort, formatComposePort, parseComposePort } from "./compose-port.ts";

function one(port: number) {
  return { start: port, end: port };
}
const PLAIN = { mode: "ingress", name: undefined, appProtocol: undefined } as const;
const SPEC = { hostIp: "", host: undefined, container: one(80), protocol: "tcp" } as const;

describe("parseComposePort accepts", () => {
  test.each<[unknown, ComposePort]>([
    [80, { ...PLAIN, spec: SPEC }],
    ["127.0.0.1:8080:80/udp", { ...PLAIN, spec: { ...SPEC, hostIp: "127.0.0.1", host: one(8080), protocol: "udp" } }],
    [{ target: 80 }, { ...PLAIN, spec: SPEC }],
    [
      { target: "80", published: 8080 },
      { ...PLAIN, spec: { ...SPEC, host: one(8080) } },
    ],
    [
      { target: 80, published: "8080-8090" },
      { ...PLAIN, spec: { ...SPEC, host: { start: 8080, end: 8090 } } },
    ],
    [
      { target: 80, published: 0 },
      { ...PLAIN, spec: { ...SPEC, host: one(0) } },
    ],
    [
      { target: 80, published: "" },
      { ...PLAIN, spec: SPEC },
    ],
    [
      { target: 80, published: null, host_ip: "" },
      { ...PLAIN, spec: SPEC },
    ],
    [
      {
        target: 80,
        published: "1",
        host_ip: "::1",
        protocol: "UDP",
        mode: "host",
        name: "web",
        app_protocol: "http",
        "x-mine": 1,
      },
      {
        mode: "host",
        name: "web",
        appProtocol: "http",
        spec: { ...SPEC, hostIp: "::1", host: one(1), protocol: "udp" },
      },
    ],
  ])("%j", (entry, port) => {
    expect(parseComposePort(entry)).toEqual({ ok: true, value: port });
  });
});

describe("parseComposePort rejects", () => {
  const entry = "a number, a string such as 8080:80, or a mapping with a target";
  const target = "one container port from 1 to 65535";
  const published = "nothing or 0 for a dynamic port, a port from 1 to 65535, or an ascending range such as 8080-8090";
  const ip = "a literal IPv4 or IPv6 address without brackets";
  const fields = "one of target, published, host_ip, protocol, mode, name, app_protocol";
  test.each([
    [null, "wrong-type", "", "null", entry, "invalid type: null"],
    [[80], "wrong-type", "", "[80]", entry, "invalid type: [80]"],
    [{}, "no-container-port", "target", "", "the container port", "no port specified: <empty>"],
    [{ target: 0 }, "bad-container-port", "target", "0", target, "invalid containerPort: 0"],
    [{ target: "80-81" }, "bad-container-port", "target", "80-81", target, "invalid containerPort: 80-81"],
    [{ target: "x" }, "bad-container-port", "target", "x", target, "invalid containerPort: x"],
    [{ target: 80.5 }, "bad-container-port", "target", "80.5", target, "invalid containerPort: 80.5"],
    [{ target: 80, published: "x" }, "bad-host-port", "published", "x", published, "invalid hostPort: x"],
    [{ target: 80, published: "0-5" }, "bad-host-port", "published", "0-5", published, "invalid hostPort: 0-5"],
    [{ target: 80, published: 70000 }, "bad-host-port", "published", "70000", published, "invalid hostPort: 70000"],
    [{ target: 80, host_ip: "[::1]" }, "bad-host-ip", "host_ip", "[::1]", ip, "invalid IP address: [::1]"],
    [{ target: 80, host_ip: 1 }, "wrong-type", "host_ip", "1", "a string", "invalid type: 1"],
    [{ target: 80, name: true }, "wrong-type", "name", "true", "a string", "invalid type: true"],
    [{ target: 80, app_protocol: null }, "wrong-type", "app_protocol", "null", "a string", "invalid type: null"],
    [{ target: 80, protocol: 6 }, "wrong-type", "protocol", "6", "a string", "invalid type: 6"],
    [{ target: 80, mode: [] }, "wrong-type", "mode", "[]", "a string", "invalid type: []"],
    [{ target: 80, protocol: "icmp" }, "bad-protocol", "protocol", "icmp", "tcp, udp or sctp", "invalid proto: icmp"],
    [{ target: 80, mode: "swarm" }, "bad-long-form", "mode", "swarm", "host or ingress", "invalid port option: swarm"],
    [{ target: 80, publishd: 1 }, "bad-long-form", "publishd", "1", fields, "invalid port option: 1"],
  ])("%j", (value, code, path, input, expected, message) => {
    expect(parseComposePort(value)).toEqual({
      ok: false,
      error: { code, input, position: 0, path, expected, message },
    });
  });

  test("a short form as parsePortSpec does", () => {
    expect(parseComposePort("x:80")).toMatchObject({ ok: false, error: { code: "bad-host-port", input: "x:80" } });
  });
});

describe("formatComposePort", () => {
  test("omits absent fields", () => {
    expect(formatComposePort({ ...PLAIN, spec: SPEC })).toStrictEqual([
      { target: 80, protocol: "tcp", mode: "ingress" },
    ]);
  });

  test("writes a range as one entry for each port", () => {
    const range = { ...SPEC, host: { start: 8080, end: 8081 }, container: { start: 80, end: 81 } };
    expect(formatComposePort({ spec: range, mode: "host", name: "web", appProtocol: "http" })).toEqual([
      { target: 80, published: "8080", protocol: "tcp", mode: "host", name: "web", app_protocol: "http" },
      { target: 81, published: "8081", protocol: "tcp", mode: "host", name: "web", app_protocol: "http" },
    ]);
  });

  test("parseComposePort parses the entries to the same bindings", () => {
    fc.assert(
      fc.property(portSpec(6), fc.constantFrom("host", "ingress"), (given, mode) => {
        const read = formatComposePort({ ...PLAIN, mode, spec: given }).map(parseComposePort);
        const specs = read.flatMap((port) => (port.ok && port.value.mode === mode ? [port.value.spec] : []));
        expect(toEngine(specs)).toEqual(toEngine([given]));
      }),
    );
  });
});
