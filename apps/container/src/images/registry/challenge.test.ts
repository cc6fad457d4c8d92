import { expect, test } from "vitest";
import { parseChallenges } from "./challenge.ts";

test.each([
  ['Basic realm="registry"', [{ scheme: "basic", parameters: { realm: "registry" } }]],
  [
    'Bearer realm="https://auth.example.com/token",service="registry.example.com",scope="repository:a/b:pull,push"',
    [
      {
        scheme: "bearer",
        parameters: {
          realm: "https://auth.example.com/token",
          service: "registry.example.com",
          scope: "repository:a/b:pull,push",
        },
      },
    ],
  ],
  [
    'Basic realm="a \\"b\\"", Bearer realm="x" , service=y',
    [
      { scheme: "basic", parameters: { realm: 'a "b"' } },
      { scheme: "bearer", parameters: { realm: "x", service: "y" } },
    ],
  ],
  ["Negotiate", [{ scheme: "negotiate", parameters: {} }]],
  ["", []],
  ['"', []],
])("%.60s", (header, challenges) => expect(parseChallenges(header)).toEqual(challenges));

test("parses a header of any length in linear time", () => {
  expect(parseChallenges(`Bearer ${"a=b,".repeat(1_000_000)}`)[0]).toEqual({
    scheme: "bearer",
    parameters: { a: "b" },
  });
});
