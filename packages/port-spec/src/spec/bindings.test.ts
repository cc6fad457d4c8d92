import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromEngine, type PortBindings, toEngine } from "./bindings.ts";
import { portSpec } from "./port-spec.testing.ts";
import { formatPortSpec, type PortSpec, parsePortSpec } from "./port-spec.ts";

function specs(...texts: readonly string[]): readonly PortSpec[] {
  return texts.map((text) => {
    const spec = parsePortSpec(text);
    if (!spec.ok) throw new Error(spec.error.message);
    return spec.value;
  });
}

function bound(HostPort: string, HostIp = "") {
  return { HostIp, HostPort };
}

test("toEngine exposes and binds every container port; equal keys keep the order of the specs", () => {
  expect(toEngine(specs("8080:80", "127.0.0.1::80", "8000-8001:90-91/udp", "7000-7005:70", "5-6"))).toEqual({
    ExposedPorts: { "80/tcp": {}, "90/udp": {}, "91/udp": {}, "70/tcp": {}, "5/tcp": {}, "6/tcp": {} },
    PortBindings: {
      "80/tcp": [bound("8080"), bound("", "127.0.0.1")],
      "90/udp": [bound("8000")],
      "91/udp": [bound("8001")],
      "70/tcp": [bound("7000-7005")],
      "5/tcp": [bound("")],
      "6/tcp": [bound("")],
    },
  });
});

describe("fromEngine joins", () => {
  test.each<[string, PortBindings, readonly string[]]>([
    ["neighbours", { "81/tcp": [bound("8001")], "80/tcp": [bound("8000")] }, ["8000-8001:80-81/tcp"]],
    [
      "three and one apart",
      { "1/tcp": [bound("11")], "2/tcp": [bound("12")], "3/tcp": [bound("13")], "5/tcp": [bound("15")] },
      ["11-13:1-3/tcp", "15:5/tcp"],
    ],
    ["dynamic ones", { "80/tcp": [bound("")], "81/tcp": [bound("")] }, ["80-81/tcp"]],
    ["no dynamic ones apart", { "80/tcp": [bound("")], "82/tcp": [bound("")] }, ["80/tcp", "82/tcp"]],
    ["no dynamic one with a fixed one", { "80/tcp": [bound("")], "81/tcp": [bound("1")] }, ["80/tcp", "1:81/tcp"]],
    ["no fixed one with a dynamic one", { "80/tcp": [bound("1")], "81/tcp": [bound("")] }, ["1:80/tcp", "81/tcp"]],
    ["no host port that does not follow", { "80/tcp": [bound("1")], "81/tcp": [bound("3")] }, ["1:80/tcp", "3:81/tcp"]],
    ["no zero", { "80/tcp": [bound("0")], "81/tcp": [bound("1")] }, ["0:80/tcp", "1:81/tcp"]],
    ["no pool before", { "80/tcp": [bound("1-2")], "81/tcp": [bound("3")] }, ["1-2:80/tcp", "3:81/tcp"]],
    ["no pool after", { "80/tcp": [bound("1")], "81/tcp": [bound("2-3")] }, ["1:80/tcp", "2-3:81/tcp"]],
    ["no other address", { "80/tcp": [bound("1")], "81/tcp": [bound("2", "::1")] }, ["1:80/tcp", "[::1]:2:81/tcp"]],
    ["no other protocol", { "80/tcp": [bound("1")], "81/udp": [bound("2")] }, ["1:80/tcp", "2:81/udp"]],
    [
      "protocols apart",
      { "80/tcp": [bound("1")], "80/udp": [bound("1")], "81/tcp": [bound("2")], "81/udp": [bound("2")] },
      ["1-2:80-81/tcp", "1-2:80-81/udp"],
    ],
    [
      "by place in the lists",
      { "80/tcp": [bound("1"), bound("9")], "81/tcp": [bound("2"), bound("7")] },
      ["1-2:80-81/tcp", "9:80/tcp", "7:81/tcp"],
    ],
    ["nothing from empty lists", { "80/tcp": [], "81/tcp": null }, []],
  ])("%s", (_, bindings, texts) => {
    const folded = fromEngine(bindings);
    expect(folded.ok && folded.value.map(formatPortSpec)).toEqual(texts);
  });

  test("specs that toEngine converts back to the same bindings", () => {
    const few = fc.array(portSpec(4, 20), { maxLength: 8 });
    fc.assert(
      fc.property(few, (list) => {
        const { PortBindings } = toEngine(list);
        const folded = fromEngine(PortBindings);
        expect(folded.ok && toEngine(folded.value).PortBindings).toEqual(PortBindings);
      }),
    );
  });
});

describe("fromEngine rejects", () => {
  const port = "empty or 0 for a dynamic port, a port from 1 to 65535, or an ascending range such as 8000-8010";
  const ip = "empty for every interface, or a literal IPv4 or IPv6 address without brackets";
  test.each([
    [bound("x"), "bad-host-port", "x", "HostPort", port, 'invalid port specification: "x"'],
    [bound("1-2-3"), "bad-host-port", "1-2-3", "HostPort", port, 'invalid port specification: "1-2-3"'],
    [
      bound("0-5"),
      "bad-host-port",
      "0-5",
      "HostPort",
      port,
      'invalid port specification: "0-5" in PortBindings["80/tcp"][1].HostPort',
    ],
    [
      bound("1", "[::1]"),
      "bad-host-ip",
      "[::1]",
      "HostIp",
      ip,
      'invalid IP address: [::1] in PortBindings["80/tcp"][1].HostIp',
    ],
  ])("%o", (binding, code, input, field, expected, message) => {
    const path = `PortBindings["80/tcp"][1].${field}`;
    const error = { code, input, position: 0, path, expected, message };
    expect(fromEngine({ "80/tcp": [bound("0-0", "::ffff:1.2.3.4"), binding] })).toEqual({ ok: false, error });
  });

  test("a key that is not a port", () => {
    const keyed: Record<string, []> = { "x/tcp": [] };
    expect(fromEngine(keyed as PortBindings)).toMatchObject({
      ok: false,
      error: { code: "bad-port-key" },
    });
  });
});
