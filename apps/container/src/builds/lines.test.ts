import { expect, it } from "vitest";
import { Lines } from "./lines.ts";

it("gives a reader every item in order", async () => {
  const lines = new Lines<number>(() => {});
  const writing = (async () => {
    for (let item = 0; item < 1000; item++) await lines.push(item);
    lines.end();
  })();
  const read: number[] = [];
  for await (const item of lines) read.push(item);
  await writing;
  expect(read).toEqual(Array.from({ length: 1000 }, (_, item) => item));
});

it("makes a writer wait for its reader", async () => {
  const lines = new Lines<number>(() => {});
  let written = 0;
  const writing = (async () => {
    for (; written < 1000; written++) await lines.push(written);
    lines.end();
  })();
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toBeLessThan(100);
  for await (const _ of lines);
  await writing;
  expect(written).toBe(1000);
});

it("lets the writer go, and tells it, where the reader leaves", async () => {
  let left = 0;
  const lines = new Lines<number>(() => left++);
  const writing = (async () => {
    for (let item = 0; item < 1000; item++) await lines.push(item);
    lines.end();
  })();
  for await (const item of lines) if (item === 3) break;
  await writing;
  expect(left).toBe(1);
});

it("lets the writer go where the work is called off, and keeps what it still tells", async () => {
  const lines = new Lines<number>(() => {});
  const writing = (async () => {
    for (let item = 0; item < 70; item++) await lines.push(item);
    lines.end();
  })();
  lines.hurry();
  await writing;
  const read: number[] = [];
  for await (const item of lines) read.push(item);
  expect(read).toHaveLength(70);
});
