import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EngineError } from "../../../engine/errors.ts";
import { startTestContainerd, type TestContainerd } from "../containerd.testing.ts";
import { daemonPaths } from "../daemon/daemon-config.ts";
import { BlobFiles } from "./blob-files.ts";
import { openContainerd } from "./client.ts";

let test: TestContainerd;
beforeAll(async () => {
  test = await startTestContainerd();
});
afterAll(() => test.dispose());

function digestOf(bytes: Uint8Array) {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
async function* once(bytes: Uint8Array) {
  yield bytes;
}

describe("content", () => {
  it("writes, reads, labels, lists and deletes a blob larger than one message", async () => {
    await test.containerd.withLease(async ({ content }) => {
      const bytes = Buffer.alloc(3_000_001, "berth");
      const digest = digestOf(bytes);
      const options = { digest, size: bytes.length, labels: { "berth.kind": "test" } };
      expect(await content.write("large", () => once(bytes), options)).toBe(digest);
      expect(await content.write("again", () => once(Buffer.from("never asked for")), options)).toBe(digest);
      expect(digestOf(await content.readAll(digest))).toBe(digest);
      expect((await content.readAll(digest, { limit: 1e7 })).length).toBe(bytes.length);
      await expect(content.readAll(digest, { limit: 10 })).rejects.toMatchObject({ kind: "too-large" });
      const parts: Buffer[] = [];
      for await (const part of content.read(digest, { offset: 3_000_000 })) parts.push(part);
      expect(Buffer.concat(parts)).toEqual(bytes.subarray(3_000_000));

      await content.updateLabels(digest, { "berth.other": "1" });
      const info = await content.info(digest);
      expect(info).toMatchObject({ size: bytes.length, labels: { "berth.kind": "test", "berth.other": "1" } });
      expect(await content.list([`labels."berth.other"==1`])).toHaveLength(1);
      await content.delete(digest);
      await expect(content.info(digest)).rejects.toMatchObject({ kind: "not-found" });
    });
  });

  it("goes on where a broken write ended", async () => {
    await test.containerd.withLease(async ({ content }) => {
      const bytes = Buffer.from("first half, second half");
      const digest = digestOf(bytes);
      const broken = content.write(
        "resumed",
        async function* () {
          yield bytes.subarray(0, 10);
          throw new Error("the network went away");
        },
        { digest, size: bytes.length },
      );
      await expect(broken).rejects.toThrow("the network went away");
      await expect.poll(() => content.status("resumed")).toMatchObject({ offset: 10 });
      const offsets: number[] = [];
      const open = (offset: number) => {
        offsets.push(offset);
        return once(bytes.subarray(offset));
      };
      await expect.poll(() => content.write("resumed", open, { digest, size: bytes.length })).toBe(digest);
      expect(offsets).toEqual([10]);
    });
  });

  it.each([
    ["another digest", { digest: `sha256:${"0".repeat(64)}` }],
    ["another size", { size: 5 }],
  ])("keeps nothing of a write that promised %s", async (_, options) => {
    await test.containerd.withLease(async ({ content }) => {
      const write = content.write("wrong", () => once(Buffer.from("bytes that came")), options);
      await expect(write).rejects.toBeInstanceOf(EngineError);
      await expect(content.status("wrong")).rejects.toMatchObject({ kind: "not-found" });
    });
  });
});

describe.each([
  ["as files", () => test.containerd],
  ["over gRPC", () => openContainerd(test.containerd)],
])("blobs %s", (_, open) => {
  it("are written in one go, kept as long as the lease, and read from an offset", async () => {
    const containerd = open();
    const collect = async () => {
      const { id } = await containerd.leases.create({ id: randomUUID() });
      await containerd.leases.delete(id, { gc: "wait" });
    };
    let written = "";
    await containerd.withLease(async ({ content }) => {
      const bytes = Buffer.alloc(2_500_001, randomUUID());
      const digest = digestOf(bytes);
      const pieces = Readable.from([Buffer.alloc(0), bytes.subarray(0, 7), bytes.subarray(7)]);
      expect((await content.writeBlob(pieces, { size: bytes.length })).digest).toBe(digest);
      const again = await content.writeBlob(once(bytes), { digest });
      await Promise.all([again.synced, content.synced(digest)]);
      expect(await content.info(digest)).toMatchObject({ size: bytes.length });
      await collect();
      const parts: Buffer[] = [];
      for await (const part of content.read(digest, { offset: 2_000_000, size: 400_000 })) parts.push(part);
      expect(Buffer.concat(parts).equals(bytes.subarray(2_000_000, 2_400_000))).toBe(true);
      expect((await content.readAll(digest)).equals(bytes)).toBe(true);
      expect(await content.statuses()).toEqual([]);
      written = digest;
    });
    await collect();
    await expect(containerd.content.readAll(written)).rejects.toMatchObject({ kind: "not-found" });
  });

  it("are nothing where their bytes are not as wished or end early", async () => {
    const { content } = open();
    const bytes = Buffer.from(randomUUID());
    const digest = digestOf(bytes);
    const wrong = digestOf(Buffer.from("other"));
    await expect(content.writeBlob(once(bytes), { digest: wrong })).rejects.toMatchObject({ kind: "conflict" });
    await expect(content.writeBlob(once(bytes), { size: 5 })).rejects.toMatchObject({ kind: "conflict" });
    async function* broken() {
      yield bytes;
      throw new Error("the network went away");
    }
    await expect(content.writeBlob(broken(), { digest })).rejects.toThrow("the network went away");
    await expect(content.info(digest)).rejects.toMatchObject({ kind: "not-found" });
    await expect(content.readAll(digest)).rejects.toMatchObject({ kind: "not-found" });
    expect(await content.statuses()).toEqual([]);
  });
});

describe("the store's folder", () => {
  const folder = () => join(daemonPaths(test).root, "io.berth.incoming");

  it("gets a blob again that the collector removed before it was registered", async () => {
    const files = new BlobFiles(daemonPaths(test).root);
    const bytes = Buffer.from(randomUUID());
    let tries = 0;
    const { digest, synced } = await files.write(once(bytes), {}, async ({ digest }) => {
      const path = join(daemonPaths(test).root, "io.containerd.content.v1.content/blobs", digest.replace(":", "/"));
      await unlink(path);
      return ++tries === 3;
    });
    await synced;
    expect({ digest, tries, left: await readdir(folder()) }).toEqual({ digest: digestOf(bytes), tries: 3, left: [] });
  });

  it("gets a blob in the place of a file that has lost its bytes", async () => {
    const root = daemonPaths(test).root;
    const bytes = Buffer.from(randomUUID());
    const place = join(root, "io.containerd.content.v1.content/blobs", digestOf(bytes).replace(":", "/"));
    await writeFile(place, Buffer.alloc(bytes.length));
    await test.containerd.withLease(async ({ content }) => {
      await content.writeBlob(once(bytes));
      expect((await content.readAll(digestOf(bytes))).equals(bytes)).toBe(true);
    });
    expect(await readdir(folder())).toEqual([]);
  });

  it("is swept of what a killed service left", async () => {
    await mkdir(folder(), { recursive: true });
    await writeFile(join(folder(), "half"), "half a blob");
    await test.containerd.content.sweep();
    await expect(readdir(folder())).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("images and snapshots", () => {
  it("keeps an image record until it is deleted", async () => {
    const { images } = test.containerd;
    const target = {
      mediaType: "application/vnd.oci.image.manifest.v1+json",
      digest: `sha256:${"a".repeat(64)}`,
      size: 1,
    };
    await images.create({ name: "berth.test/one:1", target });
    await expect(images.create({ name: "berth.test/one:1", target })).rejects.toMatchObject({ kind: "conflict" });
    expect((await images.list([`name~="^berth.test/"`])).map(({ name }) => name)).toEqual(["berth.test/one:1"]);
    expect((await images.update({ name: "berth.test/one:1", target, labels: { a: "b" } })).labels).toEqual({ a: "b" });
    await images.delete("berth.test/one:1", { gc: "wait" });
    await expect(images.get("berth.test/one:1")).rejects.toMatchObject({ kind: "not-found" });
  });

  it("prepares, commits and stacks snapshots under a lease", async () => {
    await test.containerd.withLease(async ({ snapshots }) => {
      expect(await snapshots.prepare("one", "")).toHaveLength(1);
      await snapshots.commit("layer", "one", { labels: { kept: "yes" } });
      await snapshots.prepare("two", "");
      await snapshots.commit("layer", "two");
      await expect(snapshots.stat("two")).rejects.toMatchObject({ kind: "not-found" });
      await snapshots.prepare("three", "layer");
      expect(await snapshots.stat("three")).toMatchObject({ parent: "layer", kind: "ACTIVE" });
      await expect(snapshots.remove("layer")).rejects.toMatchObject({ kind: "conflict" });
      expect(await snapshots.list(["parent==layer"])).toHaveLength(1);
      expect((await snapshots.usage("three")).size).toBeGreaterThan(0);
      await snapshots.remove("three");
      await snapshots.remove("layer");
    });
  });
});

describe("a signal", () => {
  it("ends a call, a stream, and the wait for a daemon that is not there", async () => {
    const gone = () => AbortSignal.abort(new Error("gone"));
    await expect(test.containerd.version({ signal: gone() })).rejects.toThrow("gone");
    const abort = new AbortController();
    const events = test.containerd.events.subscribe("/none", { signal: abort.signal })[Symbol.asyncIterator]();
    const next = events.next();
    abort.abort(new Error("left"));
    await expect(next).rejects.toThrow("left");
    const nobody = openContainerd({ socket: `${test.runDir}/nobody.sock`, namespace: "a" });
    await expect(nobody.version({ signal: AbortSignal.timeout(50) })).rejects.toThrow("timeout");
    nobody.close();
  });
});

describe("a daemon that is killed", () => {
  it("is back for calls that come while it is away", async () => {
    const before = await test.pid();
    await test.crash();
    await expect.poll(() => test.containerd.version().catch(() => undefined)).toMatchObject({ version: /./ });
    await expect.poll(test.pid).not.toBe(before);
    expect(await test.containerd.images.list()).toEqual([]);
  });
});

it("lets go of the lease of a call that ends while containerd is away", async () => {
  await test.containerd.withLease(() => test.crash());
  await expect.poll(() => test.containerd.leases.list()).toEqual([]);
});
