import { expect, it } from "vitest";
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
