import { beforeEach, expect, test } from "vitest";
import { Cache } from "./cache.ts";
import { DirectoryUnavailable } from "./request.ts";

let now: number;
let loads: string[];
/** What the next load does. */
let answer: () => Promise<string>;
let cache: Cache<string, string>;

beforeEach(() => {
  [now, loads, answer] = [0, [], async () => "answer"];
  cache = new Cache({
    load(key: string) {
      loads.push(key);
      return answer();
    },
    freshFor: () => 100,
    staleFor: 1_000,
    monotonic: () => now,
  });
});

async function unavailable(): Promise<never> {
  throw new DirectoryUnavailable("cut");
}

test("loads once while the answer is fresh", async () => {
  for (now of [0, 50, 100]) expect(await cache.get("a")).toBe("answer");
  expect(loads).toEqual(["a"]);
  now = 101;
  await cache.get("a");
  expect(loads).toEqual(["a", "a"]);
});

test("callers at the same time share one load", async () => {
  await Promise.all([cache.get("a"), cache.get("a"), cache.get("b")]);
  expect(loads).toEqual(["a", "b"]);
});

test("a stale answer is used only while the directory does not answer, and not for ever", async () => {
  await cache.get("a");
  answer = unavailable;
  now = 1_000;
  expect(await cache.get("a")).toBe("answer");
  now = 1_001;
  await expect(cache.get("a")).rejects.toThrow(DirectoryUnavailable);
  await expect(cache.get("unknown")).rejects.toThrow(DirectoryUnavailable);
});

test("an outdated answer is never used", async () => {
  await cache.get("a");
  await cache.get("b");
  cache.outdate("a");
  answer = unavailable;
  await expect(cache.get("a")).rejects.toThrow(DirectoryUnavailable);
  expect(await cache.get("b")).toBe("answer");
  cache.outdate();
  await expect(cache.get("b")).rejects.toThrow(DirectoryUnavailable);
});

test("an answer that was requested before a change is not cached", async () => {
  const { promise, resolve } = withResolver();
  answer = () => promise;
  const loading = cache.get("a");
  cache.outdate("b");
  resolve("old");
  expect(await loading).toBe("old");
  answer = async () => "new";
  expect(await cache.get("a")).toBe("new");
});

test("a fault other than unavailability is passed on", async () => {
  await cache.get("a");
  answer = () => Promise.reject(new TypeError("a bug"));
  now = 500;
  await expect(cache.get("a")).rejects.toThrow(TypeError);
});

function withResolver(): { readonly promise: Promise<string>; readonly resolve: (value: string) => void } {
  let resolve: (value: string) => void = () => {};
  const promise = new Promise<string>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
