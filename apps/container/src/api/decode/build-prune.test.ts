import { describe, expect, it } from "vitest";
import { parseBuildPrune } from "./build-prune.ts";

const NOW = Date.UTC(2026, 0, 2);
const ENTRY = {
  id: "abcdef",
  parent: "above",
  description: "layer of a build",
  size: 1,
  createdAt: "2026-01-01T00:00:00Z",
  inUse: false,
  isBase: false,
};

function prune(params: Readonly<Record<string, string>>, version = 51) {
  return parseBuildPrune(params, version, NOW);
}

describe("a prune of the build cache", () => {
  it.each([{}, { all: "1" }, { "keep-storage": "0" }, { filters: "{}" }])("is of everything with %j", (params) =>
    expect(prune(params)).toBeUndefined(),
  );

  it.each([
    [{ "keep-storage": "100" }, 41, 100],
    [{ "reserved-space": "100", "max-used-space": "300" }, 48, 300],
    [{ "reserved-space": "100" }, 47, undefined],
  ] as const)("keeps by %j in version 1.%i: %s", (params, version, keep) =>
    expect(prune(params, version)?.keep).toBe(keep),
  );

  it.each([
    [{ until: ["24h"] }, Date.UTC(2026, 0, 1)],
    [{ "unused-for": ["48h"] }, Date.UTC(2025, 11, 31)],
    [{ id: ["abc"] }, Number.POSITIVE_INFINITY],
  ])("is of what is older by %j", (filters, before) =>
    expect(prune({ filters: JSON.stringify(filters) })?.before).toBe(before),
  );

  it.each([
    [{ id: ["cde"] }, true],
    [{ id: ["xyz"] }, false],
    [{ parent: ["above"], type: ["regular"], description: ["layer of a build"], private: [] }, true],
    [{ type: ["exec.cachemount"] }, false],
    [{ inuse: [] }, false],
    [{ shared: [] }, false],
  ])("matches by %j: %s", (filters, matches) =>
    expect(prune({ filters: JSON.stringify(filters) })?.matches(ENTRY)).toBe(matches),
  );

  it.each([
    [{ filters: '{"colour":["red"]}' }, "invalid filter 'colour'"],
    [{ filters: '{"id":["a","b"]}' }, "filter id expects only one value"],
    [{ filters: '{"until":["soon"]}' }, "invalid value for 'until' filter: soon"],
    [{ filters: '{"until":["1h"],"unused-for":["1h"]}' }, "conflicting filters"],
    [{ "keep-storage": "much" }, "keep-storage"],
    [{ "min-free-space": "1" }, "min-free-space is not supported"],
  ])("is refused with %j", (params, message) => expect(() => prune(params)).toThrow(message));
});
