import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ALL_PORTS,
  firstOutside,
  formatPortSet,
  NO_PORTS,
  type PortSet,
  parsePortSet,
  portSet,
  portSetContains,
  portSetIncludes,
  portSetIntersect,
  portSetIsEmpty,
  portSetSize,
  portSetSubtract,
  portSetUnion,
} from "./port-set.ts";
import { portRange, runs } from "./port-spec.testing.ts";

const LAST = 24;
const universe = Array.from({ length: LAST }, (_, index) => index + 1);
/** Sets of a world small enough that ranges meet, touch and overlap all the time. */
const set = fc.array(portRange(1, LAST), { maxLength: 6 }).map((ranges) => portSet(...ranges));

function members(ports: PortSet) {
  return universe.filter((port) => portSetContains(ports, port));
}
function where(holds: (port: number) => boolean) {
  return universe.filter(holds);
}

/** Ranges that neither overlap nor touch, rising: the one form of a set. */
function expectCanonical({ ranges }: PortSet) {
  for (const [index, { start, end }] of ranges.entries()) {
    expect(end).toBeGreaterThanOrEqual(start);
    expect(start).toBeGreaterThan((ranges[index - 1]?.end ?? -1) + 1);
  }
}

describe("the algebra agrees with sets of numbers", () => {
  test("built from ranges", () => {
    fc.assert(
      fc.property(fc.array(portRange(1, LAST), { maxLength: 6 }), (ranges) => {
        const made = portSet(...ranges);
        expectCanonical(made);
        expect(members(made)).toEqual(where((port) => ranges.some(({ start, end }) => start <= port && port <= end)));
      }),
    );
  });

  test("union, intersection, difference", () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const [inA, inB] = [new Set(members(a)), new Set(members(b))];
        const results = [portSetUnion(a, b), portSetIntersect(a, b), portSetSubtract(a, b)];
        results.forEach(expectCanonical);
        expect(results.map(members)).toEqual([
          where((port) => inA.has(port) || inB.has(port)),
          where((port) => inA.has(port) && inB.has(port)),
          where((port) => inA.has(port) && !inB.has(port)),
        ]);
      }),
      { numRuns: runs(500) },
    );
  });

  test("size, emptiness, inclusion, the first outside", () => {
    fc.assert(
      fc.property(set, set, fc.integer({ min: 0, max: LAST + 1 }), (a, b, port) => {
        expect(portSetSize(a)).toBe(members(a).length);
        expect(portSetIsEmpty(a)).toBe(members(a).length === 0);
        expect(portSetIncludes(a, b)).toBe(members(b).every((member) => portSetContains(a, member)));
        const outside = firstOutside(a, port);
        expect(portSetContains(a, outside)).toBe(false);
        expect(where((held) => port <= held && held < outside)).toEqual(
          members(a).filter((held) => port <= held && held < outside),
        );
      }),
    );
  });
});

test("the laws of subtraction and intersection hold", () => {
  fc.assert(
    fc.property(set, set, set, (a, b, c) => {
      expect(portSetIntersect(a, b)).toEqual(portSetIntersect(b, a));
      expect(portSetIntersect(a, portSetIntersect(b, c))).toEqual(portSetIntersect(portSetIntersect(a, b), c));
      expect(portSetIntersect(a, a)).toEqual(a);
      expect(portSetIntersect(a, ALL_PORTS)).toEqual(a);
      expect(portSetUnion(a, b)).toEqual(portSetUnion(b, a));
      expect(portSetUnion(a, NO_PORTS)).toEqual(a);
      expect(portSetUnion(NO_PORTS, a)).toEqual(a);
      expect(portSetSubtract(a, a)).toEqual(NO_PORTS);
      expect(portSetSubtract(a, NO_PORTS)).toEqual(a);
      expect(portSetUnion(portSetSubtract(a, b), portSetIntersect(a, b))).toEqual(a);
      expect(portSetSubtract(a, portSetUnion(b, c))).toEqual(
        portSetIntersect(portSetSubtract(a, b), portSetSubtract(a, c)),
      );
    }),
  );
});

describe("the text form", () => {
  test.each([
    ["", ""],
    ["  ", ""],
    ["80", "80"],
    ["443, 80", "80,443"],
    ["8000-8100,80 ,8050-8200", "80,8000-8200"],
    ["1-10,11-20", "1-20"],
    ["1-65535", "1-65535"],
  ])("%j is %j", (text, canonical) => {
    const parsed = parsePortSet(text);
    expect(parsed.ok && formatPortSet(parsed.value)).toBe(canonical);
  });

  test.each([
    ["0", 0, "0"],
    ["80,0-5", 3, "0-5"],
    ["80,  x ,90", 5, "x"],
    ["80,,90", 3, ""],
    ["80,90-80", 3, "90-80"],
  ])("rejects %j at %i", (input, position, part) => {
    const expected = "ports from 1 to 65535 and ascending ranges, such as 80,443,8000-8100";
    const message = `invalid port range: ${part}`;
    const error = { code: "bad-host-port", input, position, path: "", expected, message };
    expect(parsePortSet(input)).toEqual({ ok: false, error });
  });

  test("parsePortSet is its inverse", () => {
    fc.assert(
      fc.property(set, (ports) => {
        expect(parsePortSet(formatPortSet(ports))).toEqual({ ok: true, value: ports });
      }),
    );
  });
});

test("ALL_PORTS is 1 to 65535", () => {
  expect([0, 1, 65_535, 65_536].map((port) => portSetContains(ALL_PORTS, port))).toEqual([false, true, true, false]);
});
