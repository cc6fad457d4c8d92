import { execFileSync } from "node:child_process";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { decompress, peek } from "./compression.ts";

const TEXT = Buffer.from("some text that is worth packing ".repeat(10_000));
function packed(program: string): Buffer {
  return execFileSync(program, ["-cq"], { input: TEXT });
}

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function unpacked(bytes: Buffer, pieceBytes = 1000): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of await decompress(inPieces(bytes, pieceBytes))) parts.push(part);
  return Buffer.concat(parts);
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("decompress", () => {
  test.each([
    ["none", TEXT],
    ["gzip", gzipSync(TEXT)],
    ["two gzips in a row", Buffer.concat([gzipSync(TEXT.subarray(0, 1000)), gzipSync(TEXT.subarray(1000))])],
    ["zstd", packed("zstd")],
    ["bzip2", packed("bzip2")],
    ["xz", packed("xz")],
  ])("%s", async (_, bytes) => {
    expect((await unpacked(bytes)).equals(TEXT)).toBe(true);
  });

  test("decompresses chunks of one byte", async () => {
    expect((await unpacked(gzipSync(TEXT), 1)).equals(TEXT)).toBe(true);
  });

  test.each([Buffer.alloc(0), Buffer.from("a"), Buffer.from([0x1f])])(
    "what is too short to tell passes: %j",
    async (bytes) => {
      expect(await unpacked(bytes)).toEqual(bytes);
    },
  );

  test.each(["zstd", "bzip2", "xz"])("reports a missing %s program on the host", async (program) => {
    const bytes = packed(program);
    vi.stubEnv("PATH", "/nonexistent");
    await expect(unpacked(bytes)).rejects.toMatchObject({
      kind: "invalid",
      message: `the archive is compressed with ${program}, and this host has no ${program} program to unpack it`,
    });
  });

  test.each(["zstd", "bzip2", "xz"])("rejects a truncated %s stream", async (program) => {
    const bytes = packed(program);
    await expect(unpacked(bytes.subarray(0, bytes.length - 10))).rejects.toMatchObject({ kind: "invalid" });
  });

  test.each([
    ["gzip", gzipSync(TEXT)],
    ["zstd", packed("zstd")],
  ])("passes an error of the source through %s", async (_, bytes) => {
    const fault = new Error("the source broke");
    async function* broken() {
      yield bytes.subarray(0, 20);
      throw fault;
    }
    const reading = async () => {
      for await (const _ of await decompress(broken()));
    };
    await expect(reading()).rejects.toBe(fault);
  });

  test("closes the source when the reader stops early", async () => {
    let released = false;
    async function* endless() {
      try {
        for (;;) yield TEXT;
      } finally {
        released = true;
      }
    }
    for await (const chunk of await decompress(endless())) if (chunk.length > 0) break;
    expect(released).toBe(true);
  });
});

test("peek yields the whole stream, including the inspected bytes", async () => {
  const { compression, bytes } = await peek(inPieces(gzipSync(TEXT), 2));
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  expect(compression).toBe("gzip");
  expect(Buffer.concat(parts).equals(gzipSync(TEXT))).toBe(true);
});
