import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { merged } from "./merged.ts";

async function* each<Item>(...items: readonly Item[]) {
  yield* items;
}

async function* broken() {
  yield "c";
  throw new Error("broken");
}

it("gives the items of all, each in its order, and takes a fault for an end", async () => {
  const given: string[] = [];
  for await (const { index, item } of merged([each("a", "b"), broken(), each<string>()])) given.push(`${index}${item}`);
  expect(given.toSorted()).toEqual(["0a", "0b", "1c"]);
  expect(given.indexOf("0a")).toBeLessThan(given.indexOf("0b"));
});

it("keeps no item that it gave while another iterator is silent", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  async function* chunks() {
    for (let chunk = 0; chunk < 5; chunk++) yield { chunk };
  }
  const silent = { next: () => new Promise<never>(() => {}) };
  const items = merged([chunks(), silent]);
  const given: WeakRef<object>[] = [];
  for (let at = 0; at < 3; at++) given.push(new WeakRef((await items.next()).value?.item ?? {}));
  await items.next();
  await new Promise(setImmediate);
  collect();
  expect(given.map((ref) => ref.deref())).toEqual([undefined, undefined, undefined]);
});
