import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { releaseIdleMemory } from "./idle-memory.ts";

const EVERY_MS = 200;
const GARBAGE = 1_000_000;

function isOfWholeHeap(entry: PerformanceEntry): boolean {
  const detail = "detail" in entry ? entry.detail : undefined;
  return (
    typeof detail === "object" &&
    detail !== null &&
    "kind" in detail &&
    detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
  );
}

/** Counts collections of the whole heap. */
function countCollections() {
  const counted = { count: 0 };
  const observer = new PerformanceObserver((list) => {
    counted.count += list.getEntries().filter(isOfWholeHeap).length;
  });
  observer.observe({ entryTypes: ["gc"] });
  return Object.assign(counted, { close: () => observer.disconnect() });
}

/** Works until nothing but garbage is left of it, and for longer than two looks are apart; gives the memory that was used meanwhile. */
function work(): number {
  const end = performance.now() + 2.5 * EVERY_MS;
  let kept: object[] = [];
  while (performance.now() < end || kept.length < GARBAGE) if (kept.length < GARBAGE) kept.push({ at: [kept.length] });
  const { heapUsed } = process.memoryUsage();
  kept = [];
  return heapUsed;
}

it("gives memory back once after each work that lets the heap grow", async () => {
  const collections = countCollections();
  const releasing = releaseIdleMemory({ everyMs: EVERY_MS, idleShare: 0.5 });
  for (const _ of [1, 2]) {
    const used = work();
    await expect.poll(() => process.memoryUsage().heapUsed, { interval: EVERY_MS }).toBeLessThan(used - 40 * 2 ** 20);
    await pause(EVERY_MS);
    const { count } = collections;
    expect(count).toBeGreaterThan(0);
    await pause(5 * EVERY_MS);
    expect(collections.count).toBe(count);
  }
  releasing.close();
  collections.close();
});
