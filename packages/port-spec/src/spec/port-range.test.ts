import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatPortRange, parsePortRange, portRangeSize } from "./port-range.ts";
import { portRange } from "./port-spec.testing.ts";

describe("parsePortRange", () => {
  test.each([
    ["0", 0, 0],
    ["00080", 80, 80],
    ["65535", 65_535, 65_535],
    ["80-80", 80, 80],
    ["80-90", 80, 90],
    ["0-65535", 0, 65_535],
  ])("parses %s", (text, start, end) => {
    expect(parsePortRange(text)).toEqual({ start, end });
  });

  test.each([
    "",
    "-",
    "80-",
    "-80",
    "90-80",
    "65536",
    "80-65536",
    "70000-80",
    "1-2-3",
    "+80",
    " 80",
    "80 ",
    "8e1",
    "٨٠",
    "/",
    ":",
    "a",
    "x-9",
  ])("rejects %j", (text) => {
    expect(parsePortRange(text)).toBeUndefined();
  });
});

test("parsePortRange is the inverse of formatPortRange", () => {
  expect(formatPortRange({ start: 80, end: 80 })).toBe("80");
  expect(formatPortRange({ start: 80, end: 81 })).toBe("80-81");
  fc.assert(
    fc.property(portRange(0, 65_535), (range) => {
      expect(parsePortRange(formatPortRange(range))).toEqual(range);
    }),
  );
});

test("portRangeSize includes both ends", () => {
  expect(portRangeSize({ start: 80, end: 80 })).toBe(1);
  expect(portRangeSize({ start: 1, end: 65_535 })).toBe(65_535);
});
