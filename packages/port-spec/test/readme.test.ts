import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import * as main from "../src/index.ts";
import * as json from "../src/json/index.ts";
import { examples, readme, runExamples } from "./examples.testing.ts";

describe("the examples of the README and the docstrings", () => {
  const codes = examples();
  const results = runExamples(codes);

  test.each(codes.map((code, index) => ({ code, index })))("$code", ({ code, index }) => {
    const pairs = results[index] ?? [];
    expect(pairs).toHaveLength(code.match(/\/\/ => /g)?.length ?? 0);
    expect(pairs.length).toBeGreaterThan(0);
    for (const [actual, expected] of pairs) expect(actual).toEqual(expected);
  });
});

test("the README names only existing functions", () => {
  const named = [...readme.matchAll(/`([a-z]+(?:[A-Z][a-z]+)+)`/g)].map(([, name]) => name);
  const known = [...Object.keys(main), ...Object.keys(json), "hostIp"];
  expect(known).toEqual(expect.arrayContaining(named));
});

test("every link of the README leads to a file of the published package", () => {
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) => path);
  expect(links).not.toEqual([]);
  for (const link of links) {
    expect(packageJson.files).toContain(link);
    expect(existsSync(new URL(`../${link}`, import.meta.url))).toBe(true);
  }
});
