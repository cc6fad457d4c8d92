import { expect, test } from "vitest";
import { matchesPattern } from "./image-pattern.ts";

test.each([
  ["*", "docker.io/library/nginx:latest", true],
  ["docker.io/*", "docker.io/library/nginx:latest", true],
  ["docker.io/library/nginx:*", "docker.io/library/nginx-evil:latest", false],
  ["*/nginx:1.*", "docker.io/library/nginx:1.27", true],
  ["nginx", "nginx", true],
  ["nginx", "nginx2", false],
  ["", "", true],
  ["a*b*c", "abc", true],
  ["a*b*c", "acb", false],
  ["n.inx", "nginx", false],
])("%s matches %s: %s", (pattern, text, expected) => expect(matchesPattern(pattern, text)).toBe(expected));

test("many stars against a long text end", () => {
  expect(matchesPattern(`${"a*".repeat(8)}b`, "a".repeat(100_000))).toBe(false);
});
