import { describe, expect, it } from "vitest";
import { moveLines } from "./members-rules.ts";

describe("moveLines", () => {
  it.each([
    ["puts in what is new", "a\nb\n", "a\n", "a\nc\n", "a\nb\nc\n"],
    ["takes out what is no more", "a\nb\nmine\n", "a\nb\n", "a\n", "a\nmine\n"],
    ["leaves what a process wrote where it is", "mine\na\n\n# mine too\n", "a\n", "b\n", "mine\n\n# mine too\nb\n"],
    ["brings back nothing that a process took out", "mine\n", "a\n", "a\n", "mine\n"],
    ["puts nothing in twice", "a\nb\n", "a\n", "a\nb\n", "a\nb\n"],
    ["ends a last line that has no end", "a", "a\n", "a\nb\n", "a\nb\n"],
    ["fills an empty file", "", "", "a\n", "a\n"],
  ])("%s", (_, text, before, after, moved) => {
    expect(moveLines(text, before, after)).toBe(moved);
  });
});
