import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { pack } from "tar-stream";
import { describe, expect, it } from "vitest";
import { recordOf, recordsOf } from "./entries.ts";

function header(more: object) {
  return {
    name: "file",
    mode: 0o644,
    uid: 0,
    gid: 0,
    size: 0,
    mtime: 0,
    type: "file",
    linkname: "",
    devmajor: 0,
    devminor: 0,
    pax: {},
    paxBytes: Buffer.alloc(0),
    ...more,
  };
}

const REFUSED = { devices: "refused", owner: undefined } as const;
function record(more: object, folder = "/srv", options: Parameters<typeof recordOf>[2] = REFUSED) {
  return String(recordOf(header(more) as never, folder, options)).split("\0");
}

const path = fc
  .array(fc.constantFrom("..", ".", "", "a", "b", "etc", "...", " "), { maxLength: 8 })
  .map((parts) => parts.join("/"));

describe("recordOf", () => {
  it("never names what is outside of the folder", () => {
    fc.assert(
      fc.property(path, fc.constantFrom("file", "directory", "symlink"), (name, type) => {
        const [, named = ""] = record({ name, type, linkname: "x" });
        expect(named.startsWith("/")).toBe(false);
        expect(named === "" || named.split("/").includes("..")).toBe(false);
      }),
    );
  });

  it("links hard to nothing outside of the folder, or refuses", () => {
    fc.assert(
      fc.property(path, (linkname) => {
        try {
          const [, , link = ""] = record({ type: "link", linkname });
          expect(link.startsWith("/") || link.split("/").includes("..")).toBe(false);
        } catch (thrown) {
          expect(thrown).toMatchObject({ kind: "invalid" });
        }
      }),
    );
  });

  it.each([
    ["a", "../x", "/srv", "invalid"],
    ["a/b", "../x", "/srv", "ok"],
    ["a", "../x", "/", "ok"],
    ["a", "/etc/passwd", "/srv", "ok"],
    ["a", "../srv/x", "/srv", "ok"],
    ["a", "../srvx", "/srv", "invalid"],
    ["a/b", "c/../../../x", "/srv/.", "invalid"],
  ])("a symlink %s -> %s in %s: %s", (name, linkname, folder, verdict) => {
    const make = () => record({ name, type: "symlink", linkname }, folder);
    if (verdict === "ok") expect(make()[2]).toBe(linkname);
    else expect(make).toThrow(expect.objectContaining({ kind: verdict }));
  });

  it.each([
    ["an owner", { uid: Number.NaN }],
    ["a size", { size: -1 }],
    ["an extended time", { pax: { mtime: "soon" } }],
    ["an unknown type", { type: undefined }],
  ])("refuses %s that is no number or of no kind", (_, more) => {
    expect(() => record(more)).toThrow(expect.objectContaining({ kind: "invalid" }));
  });

  it("gives what the archive says, unless it is to be another's", () => {
    const entry = { name: "./d/f", mode: 0o104755, uid: 5, gid: 6, size: 7, mtime: 9.9 };
    expect(record(entry)).toEqual(["f 4755 5 6 9 7 0 0", "d/f", "", ""]);
    const owner = { uid: 1000, gid: 50 };
    expect(record(entry, "/srv", { devices: "made", owner })[0]).toBe("f 4755 1000 50 9 7 0 0");
    const device = { type: "block-device", devmajor: 8, devminor: 1 };
    expect(record(device, "/srv", { devices: "made", owner: undefined })[0]).toBe("b 644 0 0 0 0 8 1");
  });
});

describe("recordsOf", () => {
  async function read(bytes: Buffer): Promise<string> {
    return String(await buffer(recordsOf(Readable.from([bytes]), "/srv", REFUSED)));
  }

  it.each([
    [512 + 5, "whole"],
    [512 + 100, "whole"],
    [512 + 512, "whole"],
    [512 + 512 + 512, "whole"],
    [512 + 4, "cut off"],
    [512, "cut off"],
    [300, "cut off"],
  ])("takes the first %i bytes of an archive of one file of five bytes for %s", async (length, what) => {
    const tar = pack();
    tar.entry({ name: "f", mtime: new Date(0) }, "data\n");
    tar.finalize();
    const bytes = await buffer(tar);
    expect(bytes.length).toBe(2048);
    const asked = read(bytes.subarray(0, length));
    if (what === "whole") expect(await asked).toBe(await read(bytes));
    else
      await expect(asked).rejects.toMatchObject({
        kind: "invalid",
        message: "invalid archive: Unexpected end of data",
      });
  });
});
