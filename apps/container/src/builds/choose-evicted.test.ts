import { describe, expect, it } from "vitest";
import type { CacheEntry } from "./builds.ts";
import { chooseEvicted } from "./choose-evicted.ts";

/** base <- a1 <- a2, and base <- b1; a2 is the newest. */
const ENTRIES = [
  entry("base", "", 100, 1, "base"),
  entry("a1", "base", 10, 2),
  entry("b1", "base", 20, 3),
  entry("a2", "a1", 30, 4),
];

function entry(id: string, parent: string, size: number, day: number, kind: "base" | "step" = "step"): CacheEntry {
  const createdAt = new Date(Date.UTC(2026, 0, day)).toISOString();
  return { id, parent, size, createdAt, description: `layer ${id}`, inUse: false, isBase: kind === "base" };
}

function evicted(wish: Partial<Parameters<typeof chooseEvicted>[1]>): string {
  const asked = { keep: 0, before: Number.POSITIVE_INFINITY, matches: () => true, ...wish };
  return chooseEvicted(ENTRIES, asked)
    .map(({ id }) => id)
    .join(" ");
}

describe("chooseEvicted", () => {
  it.each<[string, Parameters<typeof evicted>[0], string]>([
    ["everything, what was built upon others first", {}, "b1 a2 a1 base"],
    ["nothing that may stay", { keep: 160 }, ""],
    ["the oldest until the rest may stay", { keep: 159 }, "b1"],
    ["a chain as a whole", { keep: 139 }, "b1 a2 a1"],
    ["what is old enough", { before: Date.UTC(2026, 0, 4) }, "b1"],
    ["what matches", { matches: ({ id }) => id === "a2" }, "a2 a1"],
    ["nothing that others were built upon", { matches: ({ id }) => id === "base" }, ""],
  ])("removes %s", (_, wish, ids) => expect(evicted(wish)).toBe(ids));
});
