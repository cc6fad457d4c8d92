import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { gzipped } from "./gzip.ts";

async function* each<T>(values: readonly T[]) {
  yield* values;
}
async function all(bytes: AsyncIterable<Buffer>) {
  const parts: Buffer[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

describe("gzipped", () => {
  const text = Buffer.from("a line of text that repeats itself\n".repeat(30_000));
  const random = randomBytes(1 << 20);
  it.each([
    ["nothing", []],
    ["an empty piece", [Buffer.alloc(0)]],
    ["text", [text, text]],
    ["compressed bytes", [random, random]],
    ["both by turns", [text, random, text, Buffer.from("x"), random]],
  ])("gives back %s", async (_, pieces) => {
    expect(gunzipSync(await all(gzipped(each(pieces)))).equals(Buffer.concat(pieces))).toBe(true);
  });

  it("makes text small, and stores what is compressed already beside it", async () => {
    const { length } = await all(gzipped(each([text, random, text])));
    expect(length).toBeGreaterThan(random.length);
    expect(length).toBeLessThan(random.length + text.length / 50);
  });

  it("fails with its source, and closes it when its reader leaves", async () => {
    let isClosed = false;
    async function* broken(): AsyncGenerator<Buffer> {
      yield text;
      throw new Error("the disk failed");
    }
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield random;
      } finally {
        isClosed = true;
      }
    }
    await expect(all(gzipped(broken()))).rejects.toThrow("the disk failed");
    for await (const part of gzipped(endless())) if (part.length > 0) break;
    expect(isClosed).toBe(true);
  });
});
