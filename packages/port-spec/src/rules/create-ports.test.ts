import { describe, expect, test } from "vitest";
import { resolveCreatePorts } from "./create-ports.ts";
import type { CreatePorts, HostPorts } from "./create-request.ts";

function bound(HostPort: string, HostIp = "") {
  return { HostIp, HostPort };
}

function wish(containerPort: number, protocol: string, hostPort?: number, hostIp = "") {
  const hostPorts = hostPort === undefined ? undefined : { start: hostPort, end: hostPort };
  return { containerPort, protocol, hostIp, hostPorts };
}

describe("resolveCreatePorts", () => {
  test("exposes the ports of the request, the image, PortSpecs and the bindings", () => {
    const request = {
      ExposedPorts: { "80/tcp": {}, "53/UDP": {} },
      PortSpecs: ["90-91", "8080:80"],
      HostConfig: { PortBindings: { "443": [{ HostPort: "8443" }] } },
    };
    expect(resolveCreatePorts(request, { ExposedPorts: { "22/tcp": {}, "80": {} } })).toEqual({
      ok: true,
      value: {
        exposedPorts: { "80/tcp": {}, "53/udp": {}, "90/tcp": {}, "91/tcp": {}, "22/tcp": {}, "443/tcp": {} },
        portBindings: { "443/tcp": [bound("8443")] },
        exposed: ["80/tcp", "53/udp", "90/tcp", "91/tcp", "22/tcp", "443/tcp"],
        wishes: [wish(443, "tcp", 8443)],
        warnings: [],
      },
    });
  });

  test("resolves to nothing where the request names no port", () => {
    const nothing = { exposedPorts: {}, portBindings: null, exposed: [], wishes: [], warnings: [] };
    const empty: readonly CreatePorts[] = [
      {},
      {
        ExposedPorts: null,
        PortSpecs: null,
        HostConfig: null,
        PortBindings: null,
        PublishAllPorts: null,
        NetworkMode: null,
      },
      { ExposedPorts: {}, PortSpecs: [], HostConfig: { PortBindings: null, PublishAllPorts: false, NetworkMode: "" } },
    ];
    for (const request of empty) expect(resolveCreatePorts(request)).toEqual({ ok: true, value: nothing });
    expect(resolveCreatePorts({}, { ExposedPorts: null })).toEqual({ ok: true, value: nothing });
    expect(resolveCreatePorts({ HostConfig: { PortBindings: {} } })).toEqual({
      ok: true,
      value: { ...nothing, portBindings: {} },
    });
  });

  test("PublishAllPorts publishes all 65,535 ports of every protocol", () => {
    const keys = ["tcp", "udp", "sctp"].flatMap((protocol) =>
      Array.from({ length: 65_535 }, (_, n) => [`${n + 1}/${protocol}`, {}] as const),
    );
    const result = resolveCreatePorts({
      ExposedPorts: Object.fromEntries(keys),
      HostConfig: { PublishAllPorts: true },
    });
    expect(result.ok && result.value.wishes.length).toBe(3 * 65_535);
  });

  test("PublishAllPorts gives exposed ports without a binding a dynamic one", () => {
    const resolved = resolveCreatePorts({
      ExposedPorts: { "80/tcp": {}, "53/udp": {}, "81/tcp": {} },
      HostConfig: {
        PublishAllPorts: true,
        PortBindings: { "80/tcp": [{ HostPort: "8080" }], "81/tcp": [], "82/tcp": null },
      },
    });
    expect(resolved).toMatchObject({
      ok: true,
      value: { warnings: [], wishes: [wish(80, "tcp", 8080), wish(82, "tcp"), wish(81, "tcp"), wish(53, "udp")] },
    });
  });

  test("a key with an empty list is exposed, is not published, and causes a warning", () => {
    const resolved = resolveCreatePorts({
      HostConfig: { PortBindings: { "80/tcp": [], "81/tcp": null, "82/tcp": [{}] } },
    });
    expect(resolved).toMatchObject({
      ok: true,
      value: {
        exposed: ["80/tcp", "81/tcp", "82/tcp"],
        portBindings: { "80/tcp": [], "81/tcp": null, "82/tcp": [bound("")] },
        wishes: [wish(82, "tcp")],
        warnings: [
          "Container port 80/tcp has an empty list of port bindings and is not published",
          "Container port 81/tcp has an empty list of port bindings and is not published",
        ],
      },
    });
  });

  test("wishes have canonical addresses; bindings keep the spelling of the request", () => {
    const given = [bound("021203", "::FFFF:127.0.0.1"), bound("0", "0:0::1"), bound("0-0"), bound("7-9", "1.2.3.4")];
    const resolved = resolveCreatePorts({ HostConfig: { PortBindings: { "080/Udp": given } } });
    expect(resolved).toMatchObject({
      ok: true,
      value: {
        portBindings: { "80/udp": given },
        wishes: [
          wish(80, "udp", 21_203, "127.0.0.1"),
          { ...wish(80, "udp"), hostIp: "1.2.3.4", hostPorts: { start: 7, end: 9 } },
          wish(80, "udp"),
          wish(80, "udp", undefined, "::1"),
        ],
      },
    });
  });

  test("wishes are in dockerd's order: host port, container port, protocol, later binding first", () => {
    const PortBindings = {
      "80/udp": [bound("10")],
      "80/tcp": [bound("10", "1.1.1.1"), bound("10", "2.2.2.2"), bound("20")],
      "81/tcp": [bound("10")],
      "79/sctp": [bound("5-50")],
    };
    const resolved = resolveCreatePorts({ HostConfig: { PortBindings } });
    expect(
      resolved.ok &&
        resolved.value.wishes.map(({ containerPort, protocol, hostIp }) => `${containerPort} ${protocol} ${hostIp}`),
    ).toEqual(["80 tcp ", "81 tcp ", "80 tcp 2.2.2.2", "80 tcp 1.1.1.1", "80 udp ", "79 sctp "]);
  });

  test("dynamic wishes are in descending order of container port, then tcp, udp, sctp", () => {
    const exposed = ["53/sctp", "80/tcp", "53/tcp", "90/udp", "53/udp", "70/tcp"];
    const resolved = resolveCreatePorts({
      ExposedPorts: Object.fromEntries(exposed.map((key) => [key, {}])),
      HostConfig: { PublishAllPorts: true },
    });
    const order = resolved.ok && resolved.value.wishes.map((one) => `${one.containerPort}/${one.protocol}`);
    expect(order).toEqual(["90/udp", "80/tcp", "70/tcp", "53/tcp", "53/udp", "53/sctp"]);
  });

  test("a key of the image that is not a port is ignored with a warning", () => {
    expect(resolveCreatePorts({}, { ExposedPorts: { "80-82/tcp": {}, "80/icmp": {}, "90/tcp": {} } })).toMatchObject({
      ok: true,
      value: {
        exposed: ["90/tcp"],
        warnings: [
          'The image exposes "80-82/tcp", which is not a port; it is ignored',
          'The image exposes "80/icmp", which is not a port; it is ignored',
        ],
      },
    });
  });
});

describe("network modes", () => {
  const PortBindings = { "80/tcp": [{ HostPort: "8080" }] };
  function resolve(NetworkMode: string, more: HostPorts = {}) {
    return resolveCreatePorts({ ExposedPorts: { "81/tcp": {} }, HostConfig: { NetworkMode, PortBindings, ...more } });
  }

  test.each(["", "default", "bridge", "my-net", "hosts", "my-container:x"])("%j publishes", (mode) => {
    expect(resolve(mode)).toMatchObject({
      ok: true,
      value: { wishes: [wish(80, "tcp", 8080)], exposed: ["81/tcp", "80/tcp"], warnings: [] },
    });
  });

  test("host discards published ports with a warning", () => {
    const warnings = ["Published ports are discarded when using host network mode"];
    expect(resolve("host")).toMatchObject({
      ok: true,
      value: {
        wishes: [],
        exposed: [],
        warnings,
        exposedPorts: { "81/tcp": {}, "80/tcp": {} },
        portBindings: { "80/tcp": [bound("8080")] },
      },
    });
    expect(resolve("host", { PortBindings: undefined, PublishAllPorts: true })).toMatchObject({
      ok: true,
      value: { wishes: [], warnings: [] },
    });
  });

  test("none publishes nothing", () => {
    expect(resolve("none")).toMatchObject({ ok: true, value: { wishes: [], exposed: [], warnings: [] } });
  });

  function conflict(what: string) {
    const error = {
      code: "network-mode",
      input: "container:x",
      position: 0,
      path: "HostConfig.NetworkMode",
      expected: `no port ${what}, because the joined container owns the ports`,
      message: `conflicting options: port ${what} and the container type network mode`,
    };
    return { ok: false, error };
  }

  test("container rejects published and exposed ports", () => {
    const HostConfig = { NetworkMode: "container:x" };
    expect(resolve("container:x")).toEqual(conflict("publishing"));
    expect(resolveCreatePorts({ HostConfig: { ...HostConfig, PublishAllPorts: true } })).toEqual(
      conflict("publishing"),
    );
    expect(resolveCreatePorts({ HostConfig, ExposedPorts: { "80/tcp": {} } })).toEqual(conflict("exposing"));
    expect(resolveCreatePorts({ HostConfig, PortSpecs: ["80"] })).toEqual(conflict("exposing"));
    expect(resolveCreatePorts({ HostConfig, PortSpecs: ["80"], ExposedPorts: { "81": {} } })).toEqual(
      conflict("exposing"),
    );
    const joined = resolveCreatePorts(
      { HostConfig: { ...HostConfig, PortBindings: {} } },
      { ExposedPorts: { "80/tcp": {} } },
    );
    expect(joined).toMatchObject({ ok: true, value: { exposed: [], wishes: [], exposedPorts: { "80/tcp": {} } } });
  });
});

describe("HostConfig fields at the top level", () => {
  test("count if there is no HostConfig", () => {
    const request = { PortBindings: { "80/tcp": [{ HostPort: "x" }] }, NetworkMode: "host", PublishAllPorts: true };
    expect(resolveCreatePorts(request)).toMatchObject({
      ok: false,
      error: { path: 'PortBindings["80/tcp"][0].HostPort' },
    });
    expect(resolveCreatePorts({ ...request, HostConfig: null })).toMatchObject({ ok: false });
    expect(resolveCreatePorts({ ...request, HostConfig: {} })).toMatchObject({
      ok: true,
      value: { portBindings: null },
    });
    expect(resolveCreatePorts({ NetworkMode: "container:x", PublishAllPorts: true })).toMatchObject({ ok: false });
  });
});

describe("resolveCreatePorts rejects", () => {
  function bindings(PortBindings: HostPorts["PortBindings"]): CreatePorts {
    return { HostConfig: { PortBindings } };
  }

  const key = "a container port from 1 to 65535 and its protocol, such as 80/tcp";
  const protocols = "tcp, udp or sctp";
  test.each<[string, CreatePorts, object]>([
    [
      "a key of PortBindings that dockerd rejects too, with dockerd's message",
      { ...bindings({ "5601;5061/tcp": [] }), ExposedPorts: { "5601;5061/tcp": {} } },
      {
        code: "bad-port-key",
        input: "5601;5061/tcp",
        path: 'HostConfig.PortBindings["5601;5061/tcp"]',
        expected: key,
        message: 'invalid port specification: "5601;5061"',
      },
    ],
    [
      "a key of PortBindings that only Berth rejects, with field and value",
      bindings({ "80/icmp": [] }),
      {
        code: "bad-protocol",
        input: "80/icmp",
        position: 3,
        path: 'HostConfig.PortBindings["80/icmp"]',
        expected: protocols,
        message: 'invalid proto: icmp in HostConfig.PortBindings["80/icmp"]',
      },
    ],
    [
      "container port 0",
      bindings({ "0/tcp": [] }),
      {
        code: "bad-container-port",
        input: "0/tcp",
        path: 'HostConfig.PortBindings["0/tcp"]',
        expected: key,
        message: 'invalid port specification: "0" in HostConfig.PortBindings["0/tcp"]',
      },
    ],
    [
      "a key of ExposedPorts that is not a port",
      { ExposedPorts: { "80/tcp": {}, "80-82/tcp": {} } },
      {
        code: "bad-port-key",
        input: "80-82/tcp",
        path: 'ExposedPorts["80-82/tcp"]',
        expected: key,
        message: 'invalid port specification: "80-82" in ExposedPorts["80-82/tcp"]',
      },
    ],
    [
      "two spellings of one bound port",
      bindings({ "80": [], "80/TCP": [] }),
      {
        code: "duplicate-port-key",
        input: "80/TCP",
        path: 'HostConfig.PortBindings["80/TCP"]',
        expected: "80/tcp once",
        message: 'duplicate port "80/TCP" in HostConfig.PortBindings: 80/tcp is already listed',
      },
    ],
    [
      "two spellings of one exposed port",
      { ExposedPorts: { "80/tcp": {}, "080": {} } },
      {
        code: "duplicate-port-key",
        input: "080",
        path: 'ExposedPorts["080"]',
        expected: "80/tcp once",
        message: 'duplicate port "080" in ExposedPorts: 80/tcp is already listed',
      },
    ],
    [
      "a malformed host port",
      bindings({ "80/tcp": [{}, { HostPort: "aa80" }] }),
      {
        code: "bad-host-port",
        input: "aa80",
        path: 'HostConfig.PortBindings["80/tcp"][1].HostPort',
        expected: "empty or 0 for a dynamic port, a port from 1 to 65535, or an ascending range such as 8000-8010",
        message: 'invalid port specification: "aa80"',
      },
    ],
    [
      "an interface in PortSpecs",
      { PortSpecs: ["80", "[::1]:21120:80"] },
      {
        code: "bad-host-port",
        input: "[::1]:21120:80",
        path: "PortSpecs[1]",
        expected: "no interface: [hostPort:]containerPort[/protocol]",
        message: "invalid hostPort: [::1]:21120",
      },
    ],
    [
      "overlapping ranges of more ports than there are",
      { PortSpecs: Array.from({ length: 10_000 }, () => "1-65535") },
      {
        code: "bad-container-port",
        input: "1-65535",
        path: "PortSpecs[3]",
        expected: "at most 196605 ports",
        message: "more than 196605 ports",
      },
    ],
    [
      "a malformed PortSpec",
      { PortSpecs: ["80:abc"] },
      {
        code: "bad-container-port",
        input: "80:abc",
        position: 3,
        path: "PortSpecs[0]",
        expected: "a port from 1 to 65535, or an ascending range such as 80-82",
        message: "invalid containerPort: abc",
      },
    ],
  ])("%s", (_, request, error) => {
    expect(resolveCreatePorts(request)).toEqual({ ok: false, error: { position: 0, ...error } });
  });
});
