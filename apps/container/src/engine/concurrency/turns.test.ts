import { expect, it } from "vitest";
import { createTurns, inPieces } from "./turns.ts";

it("works on a list in pieces, in its order, and lets others go on between them", async () => {
  const items = Array.from({ length: 100 }, (_, at) => at);
  let rounds = 0;
  const seen: number[] = [];
  const ended = inPieces(items, createTurns(), async (item) => {
    seen.push(rounds);
    return item * 2;
  });
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise(setImmediate);
    rounds += 1;
  }
  expect(await ended).toEqual(items.map((item) => item * 2));
  expect(new Set(seen).size).toBe(4);
  expect(await inPieces([], createTurns(), () => 1)).toEqual([]);
});
