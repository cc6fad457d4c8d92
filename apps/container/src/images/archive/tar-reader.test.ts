import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { pack } from "tar-stream";
import { afterAll, describe, expect, it, test } from "vitest";
import { TarReader, tarEntries } from "./tar-reader.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-tar-"));
afterAll(() => rmSync(folder, { recursive: true }));

const LONG = `${"long/".repeat(40)}name`;

function makeTree(): string {
  const tree = join(folder, "tree");
  mkdirSync(join(tree, LONG, ".."), { recursive: true });
  writeFileSync(join(tree, LONG), "far down");
  writeFileSync(join(tree, "größe"), Buffer.alloc(100_000, "x"));
  writeFileSync(join(tree, "empty"), "");
  linkSync(join(tree, LONG), join(tree, "second"));
  symlinkSync(LONG, join(tree, "link"));
  execFileSync("mkfifo", [join(tree, "pipe")]);
  return tree;
}

const tree = makeTree();

/** The entries with their contents, of an archive that comes in chunks of these sizes, the last again and again. */
function read(archive: Buffer, sizes: readonly number[] = [1 << 16]) {
  const tar = new TarReader();
  const found: { name: string; type: string | undefined; linkname: string; content: string }[] = [];
  for (let at = 0, turn = 0; at < archive.length; turn++) {
    const size = sizes[Math.min(turn, sizes.length - 1)] ?? 1;
    for (const part of tar.read(archive.subarray(at, at + size))) {
      if (part instanceof Uint8Array) (found.at(-1) ?? { content: "" }).content += Buffer.from(part).toString("latin1");
      else found.push({ name: part.name, type: part.type, linkname: part.linkname, content: "" });
    }
    at += size;
  }
  tar.end();
  return found;
}

describe.each(["gnu", "pax", "ustar", "v7", "oldgnu"])("a tar of the format %s", (format) => {
  const files = format === "v7" || format === "ustar" ? ["empty", "größe", "pipe"] : ["."];
  const kept = format === "v7" ? files.filter((name) => name !== "pipe") : files;
  const archive = execFileSync("tar", ["-c", `--format=${format}`, "--sort=name", "-C", tree, ...kept]);

  it("has the tree's entries", () => {
    const entries = new Map(read(archive).map((entry) => [entry.name.replace("./", ""), entry]));
    expect(entries.get("größe")).toMatchObject({ type: "file", content: "x".repeat(100_000) });
    expect(entries.get("empty")).toMatchObject({ type: "file", content: "" });
    if (kept[0] !== ".") return;
    expect(entries.get(LONG)).toMatchObject({ type: "file", content: "far down" });
    expect(entries.get("second")).toMatchObject({ type: "link", linkname: `./${LONG}`, content: "" });
    expect(entries.get("link")).toMatchObject({ type: "symlink", linkname: LONG });
    expect(entries.get("pipe")?.type).toBe("fifo");
    expect(entries.get("long/")?.type).toBe("directory");
  });

  it("is the same in chunks of any sizes", () => {
    const whole = read(archive);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 5 }), (sizes) => {
        expect(read(archive, sizes)).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });

  it("is refused where it is cut off within a header or a file", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 511 }), (cut) => {
        expect(() => read(archive.subarray(0, cut))).toThrow("Unexpected end of data");
      }),
      { numRuns: 20 },
    );
  });
});

test("a link has no content, whatever size its header says", async () => {
  const tar = pack();
  tar.entry({ name: "a" }, "data");
  tar.entry({ name: "b" }, "more");
  tar.finalize();
  const archive = await buffer(tar);
  // The first entry becomes a link of four bytes without any.
  archive[156] = "1".charCodeAt(0);
  const sum = archive.subarray(0, 512).reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  archive.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const without = Buffer.concat([archive.subarray(0, 512), archive.subarray(1024)]);
  expect(read(without).map(({ name, type, content }) => [name, type, content])).toEqual([
    ["a", "link", ""],
    ["b", "file", "more"],
  ]);
});

test("a pax header says more than the header, and a global one nothing", async () => {
  const tar = pack();
  // The packer calls an entry with a pax header `PaxHeader`.
  tar.entry({ name: "entry", type: "file", pax: { path: "elsewhere", mtime: "7" } }, "x");
  tar.finalize();
  const archive = await buffer(tar);
  expect(read(archive)[0]?.name).toBe("elsewhere");
  archive[156] = "g".charCodeAt(0);
  const sum = archive.subarray(0, 512).reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  archive.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  expect(read(archive)[0]?.name).toBe("PaxHeader");
});

test("an extended header of more than four mebibytes is refused", () => {
  const block = Buffer.alloc(512);
  block.write("x", 156);
  block.write("00100000000\0", 124);
  block.write("ustar\0" + "00", 257);
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  expect(() => read(block)).toThrow("Header exceeds max size");
});

test("garbage is refused", () => {
  expect(() => read(Buffer.alloc(4096, "garbage"))).toThrow("Invalid tar header");
});

describe("tarEntries", () => {
  async function* inPieces(bytes: Buffer, size: number) {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }

  it("skips what is left unread of a content", async () => {
    const archive = execFileSync("tar", ["-c", "--sort=name", "-C", tree, "."]);
    const names: string[] = [];
    for await (const { header, content } of tarEntries(inPieces(archive, 1000))) {
      names.push(header.name);
      // The first piece of one of the files alone.
      if (header.name === "./größe") for await (const _ of content) break;
    }
    expect(names).toEqual(read(archive).map(({ name }) => name));
  });

  it("passes a fault of the source on, and ends the source when its reader leaves", async () => {
    const archive = execFileSync("tar", ["-c", "-C", tree, "."]);
    const fault = new Error("the source broke");
    let isEnded = false;
    async function* broken() {
      try {
        yield archive.subarray(0, 2000);
        throw fault;
      } finally {
        isEnded = true;
      }
    }
    const all = async () => {
      for await (const _ of tarEntries(broken()));
    };
    await expect(all()).rejects.toBe(fault);
    isEnded = false;
    for await (const _ of tarEntries(broken())) break;
    expect(isEnded).toBe(true);
  });
});
