import { describe, expect, it } from "vitest";
import { moveLines } from "../spec/file-contents.ts";

describe("moveLines", () => {
  it.each([
    ["adds new lines", "a\nb\n", "a\n", "a\nc\n", "a\nb\nc\n"],
    ["removes old lines", "a\nb\nmine\n", "a\nb\n", "a\n", "a\nmine\n"],
    ["keeps the lines that a process wrote", "mine\na\n\n# mine too\n", "a\n", "b\n", "mine\n\n# mine too\nb\n"],
    ["does not restore lines that a process removed", "mine\n", "a\n", "a\n", "mine\n"],
    ["adds nothing twice", "a\nb\n", "a\n", "a\nb\n", "a\nb\n"],
    ["ends an unterminated last line", "a", "a\n", "a\nb\n", "a\nb\n"],
    ["fills an empty file", "", "", "a\n", "a\n"],
  ])("%s", (_, text, before, after, moved) => {
    expect(moveLines(text, before, after)).toBe(moved);
  });
});
