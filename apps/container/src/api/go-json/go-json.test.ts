import { describe, expect, it } from "vitest";
import type { z } from "zod";
import {
  describeIssues,
  goBool,
  goInt,
  goList,
  goMap,
  goSet,
  goString,
  goStringMap,
  goStrings,
  goStruct,
  goWords,
  or,
} from "./go-json.ts";

const binding = goStruct("PortBinding", { HostIp: or(goString, ""), HostPort: or(goString, "") });
const host = goStruct("HostConfig", {
  PortBindings: or(goMap("nat.PortMap", goList("PortBinding", binding).nullable()), null),
  Init: goBool.optional(),
  Memory: or(goInt, 0),
});
const body = goStruct("Wrapper", { HostConfig: or(host, undefined), Cmd: or(goWords, null), Image: or(goString, "") });

function read(value: unknown): unknown {
  const parsed = (body as z.ZodType).safeParse(value);
  return parsed.success ? parsed.data : describeIssues(parsed.error);
}

const EMPTY = { HostConfig: undefined, Cmd: null, Image: "" };
const EMPTY_HOST = { PortBindings: null, Init: undefined, Memory: 0 };

describe("Go's leniency", () => {
  it.each([
    ["absent fields are zero", {}, EMPTY],
    ["null fields are zero", { Cmd: null, Image: null, HostConfig: null }, EMPTY],
    ["keys in any case", { image: "a", CMD: ["x"] }, { ...EMPTY, Image: "a", Cmd: ["x"] }],
    ["the last of equal keys wins", { Image: "a", image: "b" }, { ...EMPTY, Image: "b" }],
    ["unknown fields are ignored", { Nope: 1 }, EMPTY],
    ["words may be one text", { Cmd: "x y" }, { ...EMPTY, Cmd: ["x y"] }],
    ["null items are zero", { Cmd: ["a", null] }, { ...EMPTY, Cmd: ["a", ""] }],
    [
      "maps keep their keys' spelling and null values",
      { HostConfig: { portbindings: { "80/TCP": null, "81": [{}] } } },
      {
        ...EMPTY,
        HostConfig: { ...EMPTY_HOST, PortBindings: { "80/TCP": null, "81": [{ HostIp: "", HostPort: "" }] } },
      },
    ],
  ])("%s", (_, value, expected) => {
    expect(read(value)).toEqual(expected);
  });
});

it("tells of the first wrong item alone, however many there are", () => {
  const wrong = Array.from({ length: 90_000 }, () => 1);
  for (const [schema, value] of [
    [goStrings, wrong],
    [goStringMap, { ...wrong }],
    [goSet, { ...wrong }],
    [goWords, wrong],
  ] as const) {
    const parsed = (schema as z.ZodType).safeParse(value);
    expect(parsed.error?.issues).toHaveLength(1);
    expect(parsed.error?.issues[0]?.path.map(String)).toEqual(["0"]);
  }
});

it("has no field `__proto__`, which would be the prototype", () => {
  const hostile = JSON.parse('{"__proto__": "x", "a": "b"}');
  expect(Object.entries(goStringMap.parse(hostile))).toEqual([["a", "b"]]);
  expect(Object.getPrototypeOf(goStringMap.parse(hostile))).toBe(Object.prototype);
});

describe("wrong types", () => {
  it.each([
    [{ Image: 3 }, "json: cannot unmarshal number into Go struct field Wrapper.Image of type string"],
    [{ Cmd: [1] }, "json: cannot unmarshal number into Go struct field Wrapper.Cmd of type string (at Cmd[0])"],
    [{ HostConfig: [] }, "json: cannot unmarshal array into Go struct field Wrapper.HostConfig of type HostConfig"],
    [
      { HostConfig: { Memory: 1.5 } },
      "json: cannot unmarshal number into Go struct field HostConfig.HostConfig.Memory of type int64",
    ],
    [[], "json: cannot unmarshal array into Go value of type Wrapper"],
    [
      { HostConfig: { PortBindings: { "80/tcp": Array.from({ length: 1_001 }, () => 3) } } },
      'HostConfig.PortBindings["80/tcp"]: at most 1000 are possible, and these are 1001',
    ],
    [
      { HostConfig: { PortBindings: { "80/tcp": [{ HostPort: 3 }] } } },
      'json: cannot unmarshal number into Go struct field PortBinding.HostConfig.PortBindings.HostPort of type string (at HostConfig.PortBindings["80/tcp"][0].HostPort)',
    ],
  ])("%j", (value, message) => {
    expect(read(value)).toBe(message);
  });
});
