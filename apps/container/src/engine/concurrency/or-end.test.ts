import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { orEnd } from "./or-end.ts";

function pending() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

it("gives what comes before the end, faults too, and undefined after it", async () => {
  const end = pending();
  const next = orEnd(end.promise);
  expect(await next(Promise.resolve(1))).toBe(1);
  await expect(next(Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  const waiting = next(new Promise<number>(() => {}));
  end.resolve();
  expect(await waiting).toBeUndefined();
  expect(await next(new Promise<number>(() => {}))).toBeUndefined();
});

it("keeps nothing of what it gave", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const end = pending();
  const next = orEnd(end.promise);
  const given: WeakRef<object>[] = [];
  for (let at = 0; at < 3; at++) given.push(new WeakRef((await next(Promise.resolve({ chunk: at }))) ?? {}));
  await next(Promise.resolve({}));
  await new Promise(setImmediate);
  collect();
  expect(given.map((ref) => ref.deref())).toEqual([undefined, undefined, undefined]);
  end.resolve();
});
