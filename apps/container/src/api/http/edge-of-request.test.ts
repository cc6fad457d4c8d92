import { describe, expect, it } from "vitest";
import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import { anyValue, labelsMatch, parseFilters, requireKnownFilters } from "../../engine/filters.ts";
import { flag, formatTimestamp, parseQuery, parseTimestamp, text, wholeNumber } from "../decode/query.ts";
import { negotiateVersion } from "../versions/version.ts";
import { NO_SUCH_PATH, splitRequestTarget } from "./request-path.ts";

describe("splitRequestTarget", () => {
  it.each([
    ["/info", undefined, "/info"],
    ["/v1.41/info?x=1", "1.41", "/info"],
    ["/v1.41/images/a/b:c/json", "1.41", "/images/a/b:c/json"],
    ["http://host:80/v1.24/_ping", "1.24", "/_ping"],
    ["/vX/version", undefined, "/vX/version"],
    ["/v1.41", undefined, "/v1.41"],
    ["/", undefined, "/"],
    ["//info", undefined, NO_SUCH_PATH],
    ["/v1.41//containers/json", undefined, NO_SUCH_PATH],
    ["/containers/../info", undefined, NO_SUCH_PATH],
    ["/containers/%2e%2E/info", undefined, NO_SUCH_PATH],
    ["/containers/./json", undefined, NO_SUCH_PATH],
    ["/containers/a\\..\\b/json", undefined, NO_SUCH_PATH],
    ["/containers/a%00/json", undefined, NO_SUCH_PATH],
    ["/containers/json/", undefined, NO_SUCH_PATH],
    ["*", undefined, NO_SUCH_PATH],
  ])("%s", (target, version, path) => {
    expect(splitRequestTarget(target)).toEqual({ version, path });
  });
});

describe("negotiateVersion", () => {
  it.each([
    [undefined, "/info", 51],
    ["1.41", "/info", 41],
    ["1.041", "/info", 41],
    ["1.41.0", "/info", 41],
    ["1.24", "/info", 24],
    ["1.6", "/containers/create", 6],
    ["1.6", "/containers/json", 6],
    ["1.9", "/containers/abc/start", 9],
    ["1.12", "/containers/abc/json", 12],
    ["1.52", "/info", "client version 1.52 is too new. Maximum supported API version is 1.51"],
    ["2.0", "/info", "client version 2.0 is too new. Maximum supported API version is 1.51"],
    ["1.23", "/info", "client version 1.23 is too old. Minimum supported API version is 1.24"],
    ["1.5", "/containers/create", "client version 1.5 is too old. Minimum supported API version is 1.6"],
    ["1.12", "/containers/a/stop", "client version 1.12 is too old"],
    ["1.12", "/images/a/b:c/json", 12],
    ["1.22", "/images/busybox/history", 22],
    ["1.22", "/images/busybox/get", 22],
    ["1.22", "/images/load", 22],
    ["1.11", "/images/load", "client version 1.11 is too old. Minimum supported API version is 1.12"],
    [
      "1.20",
      "/images/json",
      "client version 1.20 is too old. Minimum supported API version is 1.24, please upgrade your client to a newer version",
    ],
    ["0.99", "/info", "client version 0.99 is too old"],
    [".", "/info", "client version . is too old"],
  ])("%s of %s", (named, path, expected) => {
    const negotiated = negotiateVersion(named, path);
    if (negotiated.ok) expect(negotiated.version).toBe(expected);
    else expect(negotiated.message).toContain(expected);
  });
});

describe("parseFilters", () => {
  it.each([
    [undefined, []],
    ["", []],
    ["null", []],
    ['{"name":["a","b"]}', [["name", ["a", "b"]]]],
    ['{"name":{"a":true,"b":false}}', [["name", ["a", "b"]]]],
    [
      '{"name":["a"],"label":{"x=y":true}}',
      [
        ["name", ["a"]],
        ["label", ["x=y"]],
      ],
    ],
    ['{"name":"a"}', "cannot unmarshal string into Go value of type map[string]bool"],
    ['{"name":{"a":1}}', "cannot unmarshal number into Go value of type bool"],
    ['{"name":[1]}', "cannot unmarshal number"],
    ["[]", "cannot unmarshal array"],
    ["{", "invalid filters"],
  ])("%s", (input, expected) => {
    if (typeof expected === "string") expect(() => parseFilters(input)).toThrow(expected);
    else expect([...parseFilters(input)]).toEqual(expected);
  });

  it("rejects an unknown filter with Docker's message", () => {
    expect(() => requireKnownFilters(parseFilters('{"nosuch":["x"]}'), ["name"])).toThrow("invalid filter 'nosuch'");
  });

  it("requires all labels but any value of other filters", () => {
    const filters = parseFilters('{"label":["a=1","b"],"type":["x","y"]}');
    expect(labelsMatch(filters, "label", { a: "1", b: "" })).toBe(true);
    expect(labelsMatch(filters, "label", { a: "2", b: "" })).toBe(false);
    expect(labelsMatch(filters, "label", { a: "1" })).toBe(false);
    expect(anyValue(filters, "type", (value) => value === "y")).toBe(true);
    expect(anyValue(filters, "absent", () => false)).toBe(true);
  });
});

describe("queries", () => {
  const schema = z.object({ all: flag(), stream: flag({ absent: true }), limit: wholeNumber(), name: text() });
  it.each([
    [{}, { all: false, stream: true, limit: undefined, name: "" }],
    [
      { all: "1", stream: "0", limit: "5", name: "x" },
      { all: true, stream: false, limit: 5, name: "x" },
    ],
    [
      { all: "True", stream: "none", limit: "-1" },
      { all: true, stream: false, limit: -1, name: "" },
    ],
    [
      { all: "False", stream: "", limit: "" },
      { all: false, stream: false, limit: undefined, name: "" },
    ],
    [
      { all: "no", stream: "yes", junk: "x" },
      { all: false, stream: true, limit: undefined, name: "" },
    ],
  ])("%j", (query, expected) => {
    expect(parseQuery(schema, query)).toEqual(expected);
  });

  it.each([
    [{ limit: "abc" }, "query parameter limit"],
    [{ name: "a\u0000" }, "NUL"],
  ])("rejects %j", (query, message) => {
    expect(() => parseQuery(schema, query as Record<string, string>)).toThrow(message);
    expect(() => parseQuery(schema, query as Record<string, string>)).toThrow(EngineError);
  });

  it.each([
    ["", undefined],
    ["0", "1970-01-01T00:00:00.000000000Z"],
    ["1700000000.5", "2023-11-14T22:13:20.500000000Z"],
    ["1700000000.000000001", "2023-11-14T22:13:20.000000001Z"],
    ["2023-11-14T22:13:20.123456789Z", "2023-11-14T22:13:20.123456789Z"],
    ["2023-11-14T23:13:20+01:00", "2023-11-14T22:13:20.000000000Z"],
    ["2023-11-14T22:13:20", "2023-11-14T22:13:20.000000000Z"],
    ["2023-11-14", "2023-11-14T00:00:00.000000000Z"],
  ])("time %s", (value, expected) => {
    const parsed = parseTimestamp("since", value);
    expect(parsed === undefined ? undefined : formatTimestamp(parsed)).toBe(expected);
  });

  it("rejects an invalid time", () => {
    expect(() => parseTimestamp("since", "soon")).toThrow('query parameter since: "soon"');
  });
});
