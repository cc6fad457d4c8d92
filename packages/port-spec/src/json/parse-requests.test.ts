import { describe, expect, test } from "vitest";
import { parseCreatePorts, parseStartPorts } from "./parse-requests.ts";

describe("parseCreatePorts", () => {
  test.each([
    {},
    { ExposedPorts: null, PortSpecs: null, HostConfig: null, PublishAllPorts: null, NetworkMode: null },
    { ExposedPorts: { "80/tcp": null }, PortSpecs: ["80", null], Image: 7 },
    {
      HostConfig: {
        PortBindings: { "80/tcp": [null, {}, { HostIp: null, HostPort: "1" }], "81/tcp": null },
        Memory: "x",
      },
    },
    { HostConfig: { PublishAllPorts: true, NetworkMode: "host" }, PortBindings: "ignored beside a HostConfig" },
  ])("returns %j as it is", (body) => {
    expect(parseCreatePorts(body)).toEqual({ ok: true, value: body });
  });

  test.each([null, undefined])("reads %s as an empty body", (body) => {
    expect(parseCreatePorts(body)).toEqual({ ok: true, value: {} });
  });

  test("rejects a body that is not an object", () => {
    expect(parseCreatePorts([])).toEqual({
      ok: false,
      error: {
        code: "wrong-type",
        input: "[]",
        position: 0,
        path: "",
        expected: "runconfig.ContainerConfigWrapper",
        message: "json: cannot unmarshal array into Go value of type runconfig.ContainerConfigWrapper",
      },
    });
  });

  const binding = 'HostConfig.PortBindings["80/tcp"]';
  test.each<[unknown, string, string, string, string, string]>([
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
      { HostConfig: { PortBindings: [] } },
      "[]",
      "array",
      "HostConfig.PortBindings",
      "HostConfig.HostConfig.PortBindings",
      "nat.PortMap",
    ],
    [
      { HostConfig: { PortBindings: { "80/tcp": {} } } },
      "{}",
      "object",
      binding,
      "HostConfig.HostConfig.PortBindings",
      "[]nat.PortBinding",
    ],
    [
      { HostConfig: { PortBindings: { "80/tcp": [7] } } },
      "7",
      "number",
      `${binding}[0]`,
      "HostConfig.HostConfig.PortBindings",
      "nat.PortBinding",
    ],
    [
      { HostConfig: { PortBindings: { "80/tcp": [{ HostPort: 80 }] } } },
      "80",
      "number",
      `${binding}[0].HostPort`,
      "PortBinding.HostConfig.PortBindings.HostPort",
      "string",
    ],
    [
      { HostConfig: { PortBindings: { "80/tcp": [{}, { HostIp: [] }] } } },
      "[]",
      "array",
      `${binding}[1].HostIp`,
      "PortBinding.HostConfig.PortBindings.HostIp",
      "string",
    ],
    [
      { HostConfig: { PublishAllPorts: "true" } },
      '"true"',
      "string",
      "HostConfig.PublishAllPorts",
      "HostConfig.HostConfig.PublishAllPorts",
      "bool",
    ],
    [
      { HostConfig: { NetworkMode: 1 } },
      "1",
      "number",
      "HostConfig.NetworkMode",
      "HostConfig.HostConfig.NetworkMode",
      "container.NetworkMode",
    ],
    [{ PublishAllPorts: 1 }, "1", "number", "PublishAllPorts", "HostConfig.HostConfig.PublishAllPorts", "bool"],
  ])("rejects the wrong type in %j", (request, input, given, path, field, type) => {
    const message = `json: cannot unmarshal ${given} into Go struct field ${field} of type ${type}`;
    const error = { code: "wrong-type", input, position: 0, path, expected: type, message };
    expect(parseCreatePorts(request)).toEqual({ ok: false, error });
  });
});

describe("parseStartPorts", () => {
  const PortBindings = { "80/tcp": [{ HostPort: "2" }] };

  test.each([
    undefined,
    null,
    "text",
    [],
    {},
    { HostConfig: {} },
    { HostConfig: null, PortBindings: null },
    { HostConfig: { Memory: 1 }, PortBindings },
    { PortBindings: {}, PublishAllPorts: false },
    { PortBindings: [] },
  ])("finds no ports in %j", (body) => {
    for (const version of ["1.9", "1.11", "1.41"]) {
      expect(parseStartPorts(version, body)).toEqual({ ok: true, value: {} });
    }
  });

  test.each([[{ PortBindings }], [{ HostConfig: { PortBindings } }], [{ HostConfig: 7, PortBindings }]])(
    "finds the bindings in %j",
    (body) => {
      for (const version of ["1.9", "1.11"]) {
        expect(parseStartPorts(version, body)).toEqual({ ok: true, value: { PortBindings } });
      }
    },
  );

  test.each([
    [{ PortBindings: "x" }, "PortBindings", "string", "nat.PortMap"],
    [{ PublishAllPorts: "" }, "PublishAllPorts", "string", "bool"],
  ])("rejects the wrong type in %j where the version honours ports", (body, field, given, type) => {
    const message = `json: cannot unmarshal ${given} into Go struct field HostConfig.HostConfig.${field} of type ${type}`;
    const error = { code: "wrong-type", path: `HostConfig.${field}`, message };
    expect(parseStartPorts("1.11", body)).toMatchObject({ ok: false, error });
    expect(parseStartPorts("1.12", body)).toMatchObject({ ok: false, error: { code: "ports-at-start", input: field } });
  });
});
