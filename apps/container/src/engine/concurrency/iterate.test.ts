import { expect, it } from "vitest";
import { iterate, mapped, opened } from "./iterate.ts";

async function* numbers(count: number, end = () => {}) {
  try {
    for (let number = 1; number <= count; number++) yield number;
  } finally {
    end();
  }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

it("maps items, leaves out what becomes undefined, and ends the source at its end", async () => {
  let ended = 0;
  const odd = mapped(
    numbers(5, () => ended++),
    (number) => (number % 2 === 1 ? `${number}` : undefined),
  );
  expect(await all(odd)).toEqual(["1", "3", "5"]);
  expect(await odd.next()).toEqual({ done: true, value: undefined });
  expect(ended).toBe(1);
});

it("ends the source of a reader that leaves, and of one that gets an error", async () => {
  let ended = 0;
  for await (const _ of opened(async () =>
    mapped(
      numbers(5, () => ended++),
      (number) => number,
    ),
  ))
    break;
  expect(ended).toBe(1);
  const failing = mapped(
    numbers(5, () => ended++),
    () => {
      throw new RangeError("no");
    },
  );
  await expect(all(failing)).rejects.toThrow(RangeError);
  expect(ended).toBe(2);
  expect(await failing.next()).toEqual({ done: true, value: undefined });
});

it("opens nothing for a reader that leaves before its first item", async () => {
  const items = opened(async () => {
    throw new Error("opened");
  });
  await items.return?.();
  expect(await items.next()).toEqual({ done: true, value: undefined });
});

it("gives items in turn to a reader that does not wait, and ends after the one it asked for", async () => {
  let given = 0;
  let endedAt: number | undefined;
  const items = iterate(
    async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return ++given;
    },
    () => {
      endedAt = given;
    },
  );
  const asked = [items.next(), items.next(), items.return?.(), items.next()];
  expect((await Promise.all(asked)).map((step) => step?.value)).toEqual([1, 2, undefined, undefined]);
  expect(endedAt).toBe(2);
});
