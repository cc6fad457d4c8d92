import { describe, expect, test } from "vitest";
import { resolveCreatePorts } from "./create-ports.ts";
import type { CreatePortsRequest } from "./create-request.ts";

const bound = (HostPort: string, HostIp = "") => ({ HostIp, HostPort });
const wish = (containerPort: number, protocol: string, hostPort?: number, hostIp = "") => ({
  containerPort,
  protocol,
  hostIp,
  hostPorts: hostPort === undefined ? undefined : { start: hostPort, end: hostPort },
});

describe("resolveCreatePorts", () => {
  test("joins the request's ports, the image's, the legacy ones and the bound ones", () => {
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

  test("asks for nothing where the request does not", () => {
    const nothing = { exposedPorts: {}, portBindings: null, exposed: [], wishes: [], warnings: [] };
    const empty: readonly CreatePortsRequest[] = [
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

  test("PublishAllPorts publishes every port that there is", () => {
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

  test("an empty list is exposed, not published, and warned about", () => {
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

  test("wishes have canonical addresses, and bindings stay as they were given", () => {
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

  test("wishes come in dockerd's order: host port, container port, tcp, later first", () => {
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

  test("dynamic wishes come by falling container port, then tcp, udp, sctp", () => {
    const exposed = ["53/sctp", "80/tcp", "53/tcp", "90/udp", "53/udp", "70/tcp"];
    const resolved = resolveCreatePorts({
      ExposedPorts: Object.fromEntries(exposed.map((key) => [key, {}])),
      HostConfig: { PublishAllPorts: true },
    });
    const order = resolved.ok && resolved.value.wishes.map((one) => `${one.containerPort}/${one.protocol}`);
    expect(order).toEqual(["90/udp", "80/tcp", "70/tcp", "53/tcp", "53/udp", "53/sctp"]);
  });

  test("an image's key that is no port is passed over with a warning", () => {
    expect(resolveCreatePorts({}, { ExposedPorts: { "80-82/tcp": {}, "80/icmp": {}, "90/tcp": {} } })).toMatchObject({
      ok: true,
      value: {
        exposed: ["90/tcp"],
        warnings: [
          'The image exposes "80-82/tcp", which is no port, and it is ignored',
          'The image exposes "80/icmp", which is no port, and it is ignored',
        ],
      },
    });
  });
});

describe("network modes", () => {
  const PortBindings = { "80/tcp": [{ HostPort: "8080" }] };
  const resolve = (NetworkMode: string, more: object = {}) =>
    resolveCreatePorts({ ExposedPorts: { "81/tcp": {} }, HostConfig: { NetworkMode, PortBindings, ...more } });

  test.each(["", "default", "bridge", "my-net", "hosts", "my-container:x"])("%j publishes", (mode) => {
    expect(resolve(mode)).toMatchObject({
      ok: true,
      value: { wishes: [wish(80, "tcp", 8080)], exposed: ["81/tcp", "80/tcp"], warnings: [] },
    });
  });

  test("host discards what is published, and says so", () => {
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

  const clash = (what: string) => ({
    ok: false,
    error: {
      code: "network-mode",
      input: "container:x",
      position: 0,
      path: "HostConfig.NetworkMode",
      expected: `no port ${what}, as the ports belong to the container joined`,
      message: `conflicting options: port ${what} and the container type network mode`,
    },
  });
  test("container refuses ports", () => {
    const HostConfig = { NetworkMode: "container:x" };
    expect(resolve("container:x")).toEqual(clash("publishing"));
    expect(resolveCreatePorts({ HostConfig: { ...HostConfig, PublishAllPorts: true } })).toEqual(clash("publishing"));
    expect(resolveCreatePorts({ HostConfig, ExposedPorts: { "80/tcp": {} } })).toEqual(clash("exposing"));
    expect(resolveCreatePorts({ HostConfig, PortSpecs: ["80"] })).toEqual(clash("exposing"));
    expect(resolveCreatePorts({ HostConfig, PortSpecs: ["80"], ExposedPorts: { "81": {} } })).toEqual(
      clash("exposing"),
    );
    const joined = resolveCreatePorts(
      { HostConfig: { ...HostConfig, PortBindings: {} } },
      { ExposedPorts: { "80/tcp": {} } },
    );
    expect(joined).toMatchObject({ ok: true, value: { exposed: [], wishes: [], exposedPorts: { "80/tcp": {} } } });
  });
});

describe("what stands at the top of the body", () => {
  test("counts where there is no HostConfig", () => {
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

describe("resolveCreatePorts refuses", () => {
  const bindings = (PortBindings: object): CreatePortsRequest => ({ HostConfig: { PortBindings } });
  const key = "a container port from 1 to 65535 and its protocol, such as 80/tcp";
  const protocols = "tcp, udp or sctp";
  test.each<[string, CreatePortsRequest, object]>([
    [
      "a binding's key that dockerd refuses, in its words",
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
      "a binding's key that dockerd lets pass, by field and value",
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
      "an exposed key that is no port",
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
        message: 'duplicate port "80/TCP" in HostConfig.PortBindings: 80/tcp is already given',
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
        message: 'duplicate port "080" in ExposedPorts: 80/tcp is already given',
      },
    ],
    [
      "a host port that is none",
      bindings({ "80/tcp": [{}, { HostPort: "aa80" }] }),
      {
        code: "bad-host-port",
        input: "aa80",
        path: 'HostConfig.PortBindings["80/tcp"][1].HostPort',
        expected: "empty or 0 for a dynamic port, a port from 1 to 65535, or a rising range such as 8000-8010",
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
      "a PortSpec that is none",
      { PortSpecs: ["80:abc"] },
      {
        code: "bad-container-port",
        input: "80:abc",
        position: 3,
        path: "PortSpecs[0]",
        expected: "a port from 1 to 65535, or a rising range such as 80-82",
        message: "invalid containerPort: abc",
      },
    ],
  ])("%s", (_, request, error) => {
    expect(resolveCreatePorts(request)).toEqual({ ok: false, error: { position: 0, ...error } });
  });

  const host = (more: object): CreatePortsRequest => ({ HostConfig: more });
  const bound1 = 'HostConfig.PortBindings["80/tcp"]';
  test.each<[CreatePortsRequest, string, string, string, string, string]>([
    [
      { ExposedPorts: ["80/tcp"] },
      '["80/tcp"]',
      "array",
      "ExposedPorts",
      "ContainerConfigWrapper.ExposedPorts",
      "nat.PortSet",
    ],
    [
      { ExposedPorts: { "80/tcp": "x" } },
      '"x"',
      "string",
      'ExposedPorts["80/tcp"]',
      "ContainerConfigWrapper.ExposedPorts",
      "struct {}",
    ],
    [{ PortSpecs: "80" }, '"80"', "string", "PortSpecs", "ContainerConfigWrapper.PortSpecs", "[]string"],
    [{ PortSpecs: ["80", 81] }, "81", "number", "PortSpecs[1]", "ContainerConfigWrapper.PortSpecs", "string"],
    [{ HostConfig: true }, "true", "bool", "HostConfig", "ContainerConfigWrapper.HostConfig", "container.HostConfig"],
    [
      host({ PortBindings: [] }),
      "[]",
      "array",
      "HostConfig.PortBindings",
      "HostConfig.HostConfig.PortBindings",
      "nat.PortMap",
    ],
    [
      host({ PortBindings: { "80/tcp": {} } }),
      "{}",
      "object",
      bound1,
      "HostConfig.HostConfig.PortBindings",
      "[]nat.PortBinding",
    ],
    [
      host({ PortBindings: { "80/tcp": [7] } }),
      "7",
      "number",
      `${bound1}[0]`,
      "HostConfig.HostConfig.PortBindings",
      "nat.PortBinding",
    ],
    [
      host({ PortBindings: { "80/tcp": [{ HostPort: 80 }] } }),
      "80",
      "number",
      `${bound1}[0].HostPort`,
      "PortBinding.HostConfig.PortBindings.HostPort",
      "string",
    ],
    [
      host({ PortBindings: { "80/tcp": [{}, { HostIp: [] }] } }),
      "[]",
      "array",
      `${bound1}[1].HostIp`,
      "PortBinding.HostConfig.PortBindings.HostIp",
      "string",
    ],
    [
      host({ PublishAllPorts: "true" }),
      '"true"',
      "string",
      "HostConfig.PublishAllPorts",
      "HostConfig.HostConfig.PublishAllPorts",
      "bool",
    ],
    [
      host({ NetworkMode: 1 }),
      "1",
      "number",
      "HostConfig.NetworkMode",
      "HostConfig.HostConfig.NetworkMode",
      "container.NetworkMode",
    ],
    [{ PublishAllPorts: 1 }, "1", "number", "PublishAllPorts", "HostConfig.HostConfig.PublishAllPorts", "bool"],
  ])("%j for its type", (request, input, given, path, field, type) => {
    const message = `json: cannot unmarshal ${given} into Go struct field ${field} of type ${type}`;
    const error = { code: "wrong-type", input, position: 0, path, expected: type, message };
    expect(resolveCreatePorts(request)).toEqual({ ok: false, error });
  });
});
