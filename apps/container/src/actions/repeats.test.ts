import { expect, it } from "vitest";
import { ownAction } from "../engine/action.ts";
import { Repeats } from "./repeats.ts";

const CONTAINER = { id: "c", name: "web", image: "nginx" };
const REFUSED = ownAction("container.start", CONTAINER, { outcome: "refused", reason: "no" });
const FAILED = ownAction("container.start", CONTAINER, { outcome: "failed", reason: "conflict" });
const DONE = ownAction("container.start", CONTAINER, { outcome: "done", reason: undefined });

it("passes everything that was done", () => {
  const repeats = new Repeats();
  for (let n = 0; n < 100; n++) expect(repeats.pass(DONE, 0)).toEqual([{ action: DONE, count: undefined }]);
});

it("passes ten refusals a minute, then counts, and tells the count when the minute is over", () => {
  const repeats = new Repeats();
  const passed = Array.from({ length: 15 }, (_, n) => repeats.pass(REFUSED, n)).flat();
  expect(passed).toEqual(Array(10).fill({ action: REFUSED, count: undefined }));
  expect(repeats.flush(59_999)).toEqual([]);
  expect(repeats.pass(REFUSED, 60_000)).toEqual([
    { action: REFUSED, count: 5 },
    { action: REFUSED, count: undefined },
  ]);
  expect(repeats.flush()).toEqual([]);
});

it("counts each actor, action and outcome apart", () => {
  const repeats = new Repeats();
  for (let n = 0; n < 20; n++) repeats.pass(REFUSED, 0);
  for (const other of [FAILED, { ...REFUSED, actor: "7" }, { ...REFUSED, action: "container.exec" }])
    expect(repeats.pass(other, 0)).toEqual([{ action: other, count: undefined }]);
});

it("counts a bounded number of them at a time, and loses no count", () => {
  const repeats = new Repeats();
  for (let n = 0; n < 11; n++) repeats.pass(REFUSED, 0);
  const more = Array.from({ length: 10_000 }, (_, n) => repeats.pass({ ...REFUSED, actor: String(n + 1) }, 0)).flat();
  expect(more.filter(({ count }) => count !== undefined)).toEqual([{ action: REFUSED, count: 1 }]);
});
