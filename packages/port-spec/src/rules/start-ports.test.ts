import { describe, expect, test } from "vitest";
import { compareApiVersions } from "./api-version.ts";
import { START_PORTS_RULES, startPortsRule, startTimePorts } from "./start-ports.ts";

test.each([
  ["1.9", "1.12", -1],
  ["1.12", "1.9", 1],
  ["1.41", "1.041", 0],
  ["1.41", "1.41.0", 0],
  ["1.41.1", "1.41", 1],
  ["1", "1.1", -1],
  ["2.0", "1.99", 1],
])("version %s against %s: %i", (a, b, order) => {
  expect(Math.sign(compareApiVersions(a, b))).toBe(order);
});

test.each([
  ["0.9", "honoured"],
  ["1.0", "honoured"],
  ["1.9", "honoured"],
  ["1.10", "honoured-with-warning"],
  ["1.11", "honoured-with-warning"],
  ["1.12", "refused"],
  ["1.41", "refused"],
  ["2.0", "refused"],
])("ports at start in API %s are %s", (version, rule) => {
  expect(startPortsRule(version)).toBe(rule);
});

test("the rules are in ascending order of version", () => {
  const versions = START_PORTS_RULES.map(({ from }) => from);
  expect([...versions].sort(compareApiVersions)).toEqual(versions);
});

const CREATED = {
  ExposedPorts: { "53/udp": {} },
  HostConfig: { PortBindings: { "80/tcp": [{ HostPort: "1" }] }, PublishAllPorts: true, NetworkMode: "bridge" },
};
const PortBindings = { "80/tcp": [{ HostPort: "2" }] };
const WISH_OF80 = { containerPort: 80, protocol: "tcp", hostIp: "", hostPorts: { start: 2, end: 2 } };

describe("startTimePorts", () => {
  test.each([{}, { PortBindings: null }, { PortBindings: {}, PublishAllPorts: false }, { PublishAllPorts: null }])(
    "keeps the ports of create for %j",
    (body) => {
      for (const version of ["1.9", "1.11", "1.41"]) {
        expect(startTimePorts(version, body, CREATED)).toEqual({ ok: true, value: undefined });
      }
    },
  );

  test("replaces the ports of create below 1.10", () => {
    const started = startTimePorts("1.9", { PortBindings }, CREATED, { ExposedPorts: { "22/tcp": {} } });
    expect(started).toMatchObject({
      ok: true,
      value: { exposed: ["53/udp", "22/tcp", "80/tcp"], wishes: [WISH_OF80], warnings: [] },
    });
  });

  test("replaces them with a warning in 1.10 and 1.11", () => {
    function warning(field: string) {
      return `HostConfig.${field} at container start is deprecated and rejected since API version 1.12; set it in the create request`;
    }

    const started = startTimePorts("1.10", { PortBindings: { ...PortBindings, "90/tcp": [] } }, CREATED);
    expect(started).toMatchObject({
      ok: true,
      value: {
        wishes: [WISH_OF80],
        warnings: [
          "Container port 90/tcp has an empty list of port bindings and is not published",
          warning("PortBindings"),
        ],
      },
    });
    const all = startTimePorts("1.11", { PublishAllPorts: true }, CREATED);
    expect(all).toMatchObject({
      ok: true,
      value: {
        wishes: [{ containerPort: 53, hostPorts: undefined }],
        portBindings: null,
        warnings: [warning("PublishAllPorts")],
      },
    });
  });

  test.each([
    ["1.12", { PortBindings }, "PortBindings", "ports are not accepted at container start since API version 1.12"],
    [
      "1.23",
      { PublishAllPorts: true },
      "PublishAllPorts",
      "ports are not accepted at container start since API version 1.12",
    ],
    [
      "1.24",
      { PortBindings, PublishAllPorts: true },
      "PortBindings",
      "starting container with non-empty request body was deprecated since API v1.22 and removed in v1.24",
    ],
    [
      "1.41",
      { PortBindings },
      "PortBindings",
      "starting container with non-empty request body was deprecated since API v1.22 and removed in v1.24",
    ],
  ])("rejects ports in %s for %j", (version, body, field, words) => {
    expect(startTimePorts(version, body, CREATED)).toEqual({
      ok: false,
      error: {
        code: "ports-at-start",
        input: field,
        position: 0,
        path: `HostConfig.${field}`,
        expected: "ports in the create request",
        message: `${words}: set HostConfig.${field} in the create request`,
      },
    });
  });

  test("applies the rules of create to the ports it honours", () => {
    for (const version of ["1.9", "1.10"]) {
      const bad = startTimePorts(version, { PortBindings: { "80/tcp": [{ HostPort: "aa80" }] } }, CREATED);
      expect(bad).toMatchObject({ ok: false, error: { message: 'invalid port specification: "aa80"' } });
    }
  });

  test("keeps the network mode of create, at both places it can stand", () => {
    const nested = startTimePorts("1.9", { PortBindings }, { HostConfig: { NetworkMode: "host" } });
    expect(nested).toMatchObject({ ok: true, value: { wishes: [] } });
    const atTop = startTimePorts("1.9", { PortBindings }, { NetworkMode: "none" });
    expect(atTop).toMatchObject({ ok: true, value: { wishes: [] } });
  });
});
