import { expect, test } from "vitest";
import { freeRanges, rangeText } from "./free-ports.ts";

test.each([
  ["8000-8010", "", "8000–8010"],
  ["8000-8010", "8000", "8001–8010"],
  ["8000-8010", "8010,8003-8004", "8000–8002, 8005–8009"],
  ["8000-8010", "7000-9000", ""],
  ["80,443", "443", "80"],
  ["1-10", "3-6,5-8", "1–2, 9–10"],
])("of %s without %s leaves %s", (allowed, taken, left) => {
  const ranges = (text: string) =>
    text
      .split(",")
      .filter((one) => one !== "")
      .map((one) => {
        const [start = 0, end = start] = one.split("-").map(Number);
        return { start, end };
      });
  expect(freeRanges(ranges(allowed), ranges(taken)).map(rangeText).join(", ")).toBe(left);
});
