import { expect, test } from "vitest";
import { globExpression } from "./glob.ts";

test.each([
  ["abc", "abc", true],
  ["a*c", "abbbc", true],
  ["a*c", "ab/c", false],
  ["a?c", "abc", true],
  ["a?c", "a/c", false],
  ["[a-c]x", "bx", true],
  ["[^a-c]x", "bx", false],
  ["[^a-c]x", "dx", true],
  ["a.c", "abc", false],
  ["a\\*c", "a*c", true],
  ["a\\*c", "abc", false],
  ["(a|b)+", "(a|b)+", true],
  ["*", "a\nb", true],
])("%s and %s", (pattern, text, matches) => expect(globExpression(pattern)?.test(text)).toBe(matches));

test.each(["[", "[a", "[]", "[^]", "a\\", "[z-a]"])("%s is malformed", (pattern) =>
  expect(globExpression(pattern)).toBeUndefined(),
);

test("matches a pathological pattern in linear time", () => {
  expect(globExpression(`${"a*".repeat(30)}b`)?.test("a".repeat(200))).toBe(false);
});
