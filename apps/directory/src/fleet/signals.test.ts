import { expect, test } from "vitest";
import { Signals } from "./signals.ts";

const LONG_MS = 60_000;

test("looks at once, and again after each signal of its topic", async () => {
  const signals = new Signals();
  const seen: (string | undefined)[] = [];
  const waiting = signals.until("place/1", LONG_MS, async (detail) => {
    seen.push(detail);
    return seen.length === 3 ? "there" : undefined;
  });
  signals.publish({ topic: "place/2", detail: "another" });
  await expect.poll(() => seen).toEqual([undefined]);
  signals.publish({ topic: "place/1", detail: "no room" });
  await expect.poll(() => seen).toEqual([undefined, "no room"]);
  signals.missed();
  expect(await waiting).toBe("there");
  expect(seen).toEqual([undefined, "no room", "no room"]);
});

test("misses no signal that comes while it looks", async () => {
  const signals = new Signals();
  let looks = 0;
  const found = await signals.until("place/1", LONG_MS, async () => {
    if (looks++ > 0) return "there";
    signals.publish({ topic: "place/1" });
    return undefined;
  });
  expect(found).toBe("there");
});

test("ends when the time is over", async () => {
  expect(await new Signals().until("place/1", 1, async () => undefined)).toBeUndefined();
});

test("tells what was said of its topic just before", async () => {
  const signals = new Signals();
  signals.publish({ topic: "place/1", detail: "no room" });
  signals.publish({ topic: "place/2", detail: "another" });
  expect(await signals.until("place/1", LONG_MS, async (detail) => detail)).toBe("no room");
});
