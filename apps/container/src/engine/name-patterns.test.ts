import { describe, expect, it } from "vitest";
import { namePatterns } from "./name-patterns.ts";

function matches(value: string, text: string) {
  return namePatterns(new Map([["name", [value]]]), ["name"])(value, text);
}

it.each([
  ["web", "web-1", true],
  ["^web$", "web-1", false],
  ["^web-[0-9]$", "web-1", true],
  ["(?i)WEB", "web-1", true],
  ["a.b", "a.b", true],
])("%s and %s: %s", (value, text, matched) => expect(matches(value, text)).toBe(matched));

it.each(["(", "[", "(?=a)"])("refuses %s, which is no regular expression of Go's", (value) => {
  expect(() => matches(value, "web")).toThrow(`invalid filter 'name=${value}': not a regular expression`);
});

it("matches a pathological expression in linear time", () => {
  expect(matches("^(a+)+$", `${"a".repeat(200)}.`)).toBe(false);
});

describe("expressions that take long to compile", () => {
  it.each([
    ["long ones", ["(a|b)*".repeat(50)]],
    ["many", Array.from({ length: 100 }, (_, at) => `(a|b)*${at}`)],
    ["repetitions", ["(a{1000})(a{1000})(a{1000})(a{1000})"]],
  ])("are refused: %s", (_, values) => {
    expect(() => namePatterns(new Map([["name", values]]), ["name"])).toThrow("can have 256 characters together");
  });

  it("are none of thousands of plain names, which need none", () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `/web-${at}`);
    const matches = namePatterns(new Map([["name", names]]), ["name"]);
    expect(matches("/web-7", "/web-77")).toBe(true);
    expect(matches("/web-7", "/web")).toBe(false);
  });
});
