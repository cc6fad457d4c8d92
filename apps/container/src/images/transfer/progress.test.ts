import { describe, expect, test } from "vitest";
import { gather, NEVER } from "../images.testing.ts";
import { amountLine, counted, humanSize, progressOf } from "./progress.ts";

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : "?";
}
const OPTIONS = { signal: NEVER, messageOf };

describe("progressOf", () => {
  test("yields lines in order and an error as the last line", async () => {
    const lines = progressOf(async (report) => {
      report({ status: "one" });
      await Promise.resolve();
      report({ status: "two" });
      throw new Error("broken");
    }, OPTIONS);
    expect(await gather(lines)).toEqual([
      { status: "one" },
      { status: "two" },
      { errorDetail: { message: "broken" }, error: "broken" },
    ]);
  });

  test("keeps only the newest of unread amounts", async () => {
    const lines = progressOf(async (report) => {
      for (let current = 0; current <= 10_000; current++) {
        report(amountLine("a", "Downloading", current, 10_000));
        report(amountLine("b", "Downloading", current, 10_000));
      }
      report({ status: "Download complete", id: "a" });
    }, OPTIONS);
    const gathered = await gather(lines);
    expect(gathered.map(({ id, status, progressDetail }) => [id, status, progressDetail?.current])).toEqual([
      ["a", "Downloading", 10_000],
      ["b", "Downloading", 10_000],
      ["a", "Download complete", undefined],
    ]);
  });

  test("aborts the work and waits for it when the reader leaves", async () => {
    let ended = false;
    const lines = progressOf(async (report, signal) => {
      report({ status: "one" });
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      ended = true;
      throw new Error("nobody hears this");
    }, OPTIONS);
    for await (const line of lines) if (line.status === "one") break;
    expect(ended).toBe(true);
  });
});

test.each([
  [0, "0B"],
  [999, "999B"],
  [1000, "1kB"],
  [1_234_567, "1.235MB"],
  [123_456_789, "123.5MB"],
  [1e12, "1TB"],
])("formats %d bytes as %s", (bytes, text) => expect(humanSize(bytes)).toBe(text));

test.each([
  [0, 100, 0],
  [50, 100, 25],
  [100, 100, 50],
  [0, 0, 50],
])("%d of %d fills %d of the bar", (current, total, filled) => {
  const { progress } = amountLine("id", "Doing", current, total);
  expect(progress).toBe(
    `[${"=".repeat(filled)}>${" ".repeat(50 - filled)}] ${humanSize(current).padStart(8)}/${humanSize(total)}`,
  );
});

test("reports the amount periodically and at the end", async () => {
  async function* bytes() {
    for (let piece = 0; piece < 30; piece++) yield Buffer.alloc(100_000);
  }
  const told: number[] = [];
  const passed = await gather(counted(bytes(), (current) => told.push(current)));
  expect(passed).toHaveLength(30);
  expect(told.length).toBeLessThan(10);
  expect(told.at(-1)).toBe(3_000_000);
});
