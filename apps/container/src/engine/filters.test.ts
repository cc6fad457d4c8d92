import { expect, it } from "vitest";
import { holdsLabel, labelsPass, parseFilters } from "./filters.ts";

it.each(["toString", "__proto__", "constructor"])("finds no label by the name of what every object has: %s", (name) => {
  expect(holdsLabel({}, name)).toBe(false);
  expect(holdsLabel({ [name]: "x" }, `${name}=x`)).toBe(true);
});

it("accepts 4,096 values and no more, over all keys", () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `web${at}`);
  expect(parseFilters(JSON.stringify({ name: many(4_096) })).get("name")).toHaveLength(4_096);
  expect(() => parseFilters(JSON.stringify({ name: many(4_000), id: many(97) }))).toThrow(
    "4097 values are more than the 4096",
  );
});

it.each([
  ["a", true],
  ["b", true],
  ["c", false],
  ["a=1", true],
  ["a=2", false],
  ["b=x=y", true],
  ["b=x", false],
  ["a=", false],
])("holds %s: %s", (wanted, holds) => expect(holdsLabel({ a: "1", b: "x=y" }, wanted)).toBe(holds));

it.each<readonly [Readonly<Record<string, readonly string[]>>, boolean]>([
  [{}, true],
  [{ label: ["a", "b"] }, true],
  [{ label: ["a", "c"] }, false],
  [{ "label!": ["a"] }, false],
  [{ "label!": ["c"] }, true],
  [{ "label!": ["a", "c"] }, true],
  [{ "label!": [] }, true],
  [{ label: ["a"], "label!": ["b=x"] }, true],
])("decides whether %j prunes an object with two labels: %s", (filters, passes) =>
  expect(labelsPass(new Map(Object.entries(filters)), { a: "1", b: "x=y" })).toBe(passes),
);
