import { spawnSync } from "node:child_process";
import { lstat, mkdir, readdir, readFile, readlink, symlink } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { someConfig, someHostConfig } from "../containers/records/container.testing.ts";
import type { Container } from "../containers/records/container.ts";
import {
  ADMINISTRATOR,
  type ArchiveSubject,
  bind,
  makeFolder,
  openArchiveSubject,
  type TestEntry,
  tarOf,
} from "./rootfs.testing.ts";

let subject: ArchiveSubject;
beforeAll(async () => {
  subject = await openArchiveSubject();
});
afterEach(async () => {
  await subject.clear();
  expect(await subject.leftovers()).toEqual([]);
});
afterAll(() => subject.dispose());

function write(
  { name }: Container,
  path: string,
  archive: Readable,
  options: { readonly keepKinds?: boolean; readonly copyOwners?: boolean } = {},
) {
  return subject.archives.write(ADMINISTRATOR, name, path, archive, {
    keepKinds: false,
    copyOwners: false,
    ...options,
  });
}

/** What the callback finds in the root afterwards. */
function inRoot<T>({ id }: Container, use: (root: string) => Promise<T>) {
  return subject.runtime.withRootfs(id, use);
}
function textAt(container: Container, path: string) {
  return inRoot(container, (root) => readFile(join(root, path), "utf8"));
}
function statAt(container: Container, path: string) {
  return inRoot(container, (root) => lstat(join(root, path)));
}

describe("what is written", () => {
  it("has the archive's contents, owners, modes, times and links", async () => {
    const container = await subject.create();
    const long = `${"n".repeat(150)}.txt`;
    const mtime = new Date(1_600_000_000_000);
    await write(
      container,
      "/tmp",
      tarOf([
        { name: "d/", type: "directory", mode: 0o750, uid: 5, gid: 6, mtime },
        { name: "d/file", text: "hello", mode: 0o4755, uid: 1000, gid: 1001, mtime },
        { name: "d/hard", type: "link", linkname: "d/file" },
        { name: "d/soft", type: "symlink", linkname: "/etc/passwd", uid: 7, mtime },
        { name: "d/pipe", type: "fifo", mode: 0o600 },
        { name: `d/${long}`, text: "long" },
        { name: "d/owned", text: "", pax: { uid: "3000000", mtime: "1600000000.75" } },
        { name: "made/up/file", text: "deep" },
        { name: "d/empty", text: "" },
      ]),
    );
    expect(await statAt(container, "tmp/d")).toMatchObject({ mode: 0o040750, uid: 5, gid: 6, mtime });
    expect(await statAt(container, "tmp/d/file")).toMatchObject({
      mode: 0o104755,
      uid: 1000,
      gid: 1001,
      nlink: 2,
      mtime,
    });
    expect(await statAt(container, "tmp/d/soft")).toMatchObject({ uid: 7, mtime });
    expect((await statAt(container, "tmp/d/pipe")).isFIFO()).toBe(true);
    expect(await statAt(container, "tmp/d/owned")).toMatchObject({ uid: 3_000_000, mtime });
    expect(await statAt(container, "tmp/made/up")).toMatchObject({ mode: 0o040755, uid: 0 });
    expect(await textAt(container, "tmp/d/hard")).toBe("hello");
    expect(await textAt(container, `tmp/d/${long}`)).toBe("long");
    expect(await textAt(container, "tmp/made/up/file")).toBe("deep");
    expect(await inRoot(container, (root) => readlink(join(root, "tmp/d/soft")))).toBe("/etc/passwd");
    expect(subject.events).toEqual(["extract-to-dir"]);
  });

  it.each(["plain", "gzip", "bzip2", "xz", "zstd"])("is unpacked from %s", async (compression) => {
    const container = await subject.create();
    const tar = await buffer(tarOf([{ name: "file", text: "hello" }]));
    const packed =
      compression === "plain"
        ? tar
        : compression === "gzip"
          ? gzipSync(tar)
          : spawnSync(compression, ["-c"], { input: tar }).stdout;
    await write(container, "/tmp", Readable.from([packed]));
    expect(await textAt(container, "tmp/file")).toBe("hello");
  });

  it("is given to the container's user where that is asked for", async () => {
    const alice = await subject.create({ config: someConfig({ User: "alice" }) });
    await write(alice, "/tmp", tarOf([{ name: "file", uid: 9 }]), { copyOwners: true });
    expect(await statAt(alice, "tmp/file")).toMatchObject({ uid: 1000, gid: 1000 });
    const group = await subject.create({ config: someConfig({ User: "77:staff" }) });
    await write(group, "/tmp", tarOf([{ name: "file", uid: 9 }]), { copyOwners: true });
    expect(await statAt(group, "tmp/file")).toMatchObject({ uid: 77, gid: 50 });
    const nobody = await subject.create({ config: someConfig({ User: "nobody-here" }) });
    await expect(write(nobody, "/tmp", tarOf([{ name: "file" }]), { copyOwners: true })).rejects.toMatchObject({
      kind: "invalid",
      message: "unable to find user nobody-here: no matching entries in passwd file",
    });
  });

  it("replaces what is there, whatever it is", async () => {
    const container = await subject.create();
    const put = (...entries: readonly TestEntry[]) => write(container, "/tmp", tarOf(entries));
    await put(
      { name: "a/b/c", text: "deep" },
      { name: "f", text: "old" },
      { name: "l", type: "symlink", linkname: "/etc" },
    );
    await put({ name: "a", text: "now a file" }, { name: "f", text: "new" }, { name: "l/", type: "directory" });
    expect(await textAt(container, "tmp/a")).toBe("now a file");
    expect(await textAt(container, "tmp/f")).toBe("new");
    expect((await statAt(container, "tmp/l")).isDirectory()).toBe(true);
    expect(await textAt(container, "etc/notes")).toBe("not a program\n");
  });

  it("keeps kinds where that is asked for, and what came before a refusal", async () => {
    const container = await subject.create();
    await write(container, "/tmp", tarOf([{ name: "a/b" }, { name: "f", text: "old" }]));
    const options = { keepKinds: true };
    await expect(
      write(
        container,
        "/tmp",
        tarOf([
          { name: "first", text: "1" },
          { name: "a", text: "file" },
        ]),
        options,
      ),
    ).rejects.toMatchObject({ kind: "invalid", message: 'cannot overwrite directory "/tmp/a" with non-directory' });
    await expect(write(container, "/tmp", tarOf([{ name: "f/", type: "directory" }]), options)).rejects.toMatchObject({
      kind: "invalid",
      message: 'cannot overwrite non-directory "/tmp/f" with directory',
    });
    await write(
      container,
      "/tmp",
      tarOf([
        { name: "a/", type: "directory" },
        { name: "f", text: "new" },
      ]),
      options,
    );
    expect(await textAt(container, "tmp/first")).toBe("1");
    expect(await textAt(container, "tmp/f")).toBe("new");
    expect((await statAt(container, "tmp/a/b")).isFile()).toBe(true);
  });

  it("lands where a link to a folder leads, inside", async () => {
    const container = await subject.create();
    await inRoot(container, (root) => symlink("../../../../etc", join(root, "tmp/link")));
    await write(container, "/tmp/link", tarOf([{ name: "file", text: "here" }]));
    expect(await textAt(container, "etc/file")).toBe("here");
  });

  it("reaches a running container at once", async () => {
    const container = await subject.create();
    await subject.start(container, ["sh", "-c", "until test -e /tmp/go; do sleep 0.01; done; cat /tmp/go"]);
    await write(container, "/tmp", tarOf([{ name: "go", text: "gone" }]));
    expect((await subject.runtime.wait(container.id)).exitCode).toBe(0);
  });

  it("is large, and needs no more memory for it", async () => {
    const container = await subject.create();
    const size = 64 << 20;
    const tar = pack();
    const entry = tar.entry({ name: "big", size });
    Readable.from(
      (function* () {
        for (let sent = 0; sent < size; sent += 1 << 20) yield Buffer.alloc(1 << 20, 7);
      })(),
    ).pipe(entry);
    entry.once("finish", () => tar.finalize());
    await write(container, "/tmp", Readable.from(tar));
    expect((await statAt(container, "tmp/big")).size).toBe(size);
  });
});

describe("hostile archives", () => {
  it("stay inside the folder with `..`, absolute names and links on the way", async () => {
    const outside = await makeFolder(subject.dir, "outside");
    const container = await subject.create();
    await write(
      container,
      "/tmp",
      tarOf([
        { name: "../../climbs", text: "1" },
        { name: `${outside}/absolute`, text: "2" },
        { name: "way", type: "symlink", linkname: outside },
        { name: "a/../../../climbs-too", text: "3" },
        { name: "hard", type: "link", linkname: "/climbs" },
      ]),
    );
    expect(await textAt(container, "tmp/climbs")).toBe("1");
    expect(await textAt(container, `tmp${outside}/absolute`)).toBe("2");
    expect(await textAt(container, "tmp/climbs-too")).toBe("3");
    expect(await textAt(container, "tmp/hard")).toBe("1");
    // Through a link that leads to a folder of the host: it leads to one of the container's, which is not there.
    await expect(write(container, "/tmp", tarOf([{ name: "way/through", text: "4" }]))).rejects.toMatchObject({
      kind: "invalid",
    });
    await expect(write(container, `/tmp/way`, tarOf([{ name: "x" }]))).rejects.toMatchObject({ kind: "not-found" });
    expect(await readdir(outside)).toEqual([]);
  });

  it.each<readonly [string, TestEntry, string, RegExp]>([
    [
      "a symlink",
      { name: "a/l", type: "symlink", linkname: "../../etc" },
      "invalid",
      /invalid symlink "a\/l" -> "..\/..\/etc"/,
    ],
    ["a hard link", { name: "h", type: "link", linkname: "../etc/passwd" }, "invalid", /invalid hardlink "h"/],
    ["a hard link to nothing", { name: "h", type: "link", linkname: "nothing" }, "invalid", /no such file/],
    [
      "a device",
      { name: "sda", type: "block-device", devmajor: 8 },
      "forbidden",
      /the device node "sda" is for privileged/,
    ],
    ["a character device", { name: "mem", type: "character-device", devmajor: 1 }, "forbidden", /"mem"/],
    ["a name that is a folder's", { name: "etc", text: "" }, "ok", /^$/],
    ["the folder itself as a file", { name: ".", text: "x" }, "invalid", /replaces the directory/],
    ["a name too long", { name: "n".repeat(300), text: "x" }, "invalid", /file name too long/],
    ["a NUL", { name: "n", text: "x", pax: { path: "a\0b" } }, "invalid", /a NUL in the name/],
    ["an owner beyond 32 bits", { name: "n", pax: { uid: "4294967296" } }, "invalid", /out of range/],
  ])("of %s: what came before it stays", async (_, entry, kind, message) => {
    const container = await subject.create();
    const written = await write(
      container,
      "/tmp",
      tarOf([{ name: "before", text: "1" }, entry, { name: "after" }]),
    ).catch((thrown: unknown) => thrown);
    expect(await textAt(container, "tmp/before")).toBe("1");
    if (kind === "ok") expect(written).toBeUndefined();
    else expect(written).toMatchObject({ kind, message: expect.stringMatching(message) });
  });

  it("make devices for privileged containers, which none can open through us", async () => {
    const container = await subject.create({ hostConfig: someHostConfig({ Privileged: true }) });
    const device = { name: "null", type: "character-device", mode: 0o666, devmajor: 1, devminor: 3 } as const;
    await write(container, "/tmp", tarOf([device]));
    const made = await statAt(container, "tmp/null");
    expect([made.isCharacterDevice(), made.rdev]).toEqual([true, (1 << 8) + 3]);
  });

  it.each([
    ["garbage", Buffer.from("not an archive ".repeat(100))],
    ["a short end", Buffer.from("x")],
    ["garbage behind gzip's mark", Buffer.from([0x1f, 0x8b, 8, 1, 2, 3, 4, 5, 6, 7, 8, 9])],
  ])("of %s are invalid", async (_, bytes) => {
    const container = await subject.create();
    await expect(write(container, "/tmp", Readable.from([bytes]))).rejects.toMatchObject({ kind: "invalid" });
  });

  it.each([
    ["a malformed capability", { "SCHILY.xattr.security.capability": "x" }, /security\.capability: invalid argument/],
    ["an attribute too large", { "SCHILY.xattr.user.big": "x".repeat(65_000) }, /user\.big: /],
  ])("with %s are invalid", async (_, pax, message) => {
    const container = await subject.create();
    await expect(write(container, "/tmp", tarOf([{ name: "file", text: "x", pax }]))).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringMatching(message),
    });
  });

  it("over a mount conflict with it", async () => {
    const container = await subject.create();
    await subject.start(container, ["sleep", "1000000"]);
    for (const name of ["hosts", "hostname", "resolv.conf"])
      await expect(write(container, "/etc", tarOf([{ name, text: "x" }]))).rejects.toMatchObject({ kind: "conflict" });
  });

  it("that end in a file are invalid, that end before any are empty", async () => {
    const container = await subject.create();
    const tar = await buffer(tarOf([{ name: "file", text: "x".repeat(5000) }]));
    await expect(write(container, "/tmp", Readable.from([tar.subarray(0, 2048)]))).rejects.toMatchObject({
      kind: "invalid",
      message: "invalid archive: Unexpected end of data",
    });
    await write(container, "/tmp", Readable.from([]));
    await write(container, "/tmp", Readable.from([Buffer.alloc(1024)]));
  });

  it("never follow links to the host that a process puts in place of folders", async () => {
    const outside = await makeFolder(subject.dir, "raced");
    const container = await subject.create();
    await subject.start(container, [
      "sh",
      "-c",
      `mkdir /tmp/real; while :; do busybox rm -rf /tmp/d; busybox ln -s ${outside} /tmp/d; busybox rm /tmp/d; busybox cp -r /tmp/real /tmp/d; done`,
    ]);
    for (let turn = 0; turn < 20; turn++) {
      const entries = Array.from({ length: 20 }, (_, index) => ({ name: `d/${turn}-${index}`, text: "x" }));
      await write(container, "/tmp", tarOf(entries)).catch(() => {}); // it may fail, it may not leave
    }
    expect(await readdir(outside)).toEqual([]);
  });
});

describe("refusals", () => {
  it.each([
    ["/nope", "not-found", /^Could not find the file \/nope in container \w{8}$/],
    ["/etc/notes", "invalid", /^extraction point is not a directory$/],
    ["/etc/notes/x", "invalid", /^extraction point is not a directory$/],
  ])("of %s", async (path, kind, message) => {
    const written = write(await subject.create(), path, tarOf([{ name: "x" }]));
    await expect(written).rejects.toMatchObject({ kind, message: expect.stringMatching(message) });
    expect(subject.events).toEqual([]);
  });

  it.each(["stopped", "running"])("of what is read-only in a %s container", async (state) => {
    const source = await makeFolder(subject.dir, `ro-${state}`);
    const writable = await makeFolder(subject.dir, `rw-${state}`);
    const container = await subject.create({
      hostConfig: someHostConfig({ ReadonlyRootfs: true }),
      mounts: [bind(source, "/ro", { readWrite: false }), bind(writable, "/rw")],
    });
    await inRoot(container, async (root) => {
      await mkdir(join(root, "ro"));
      await mkdir(join(root, "rw"));
    });
    if (state === "running") await subject.start(container, ["sleep", "1000000"]);
    const put = (path: string) => write(container, path, tarOf([{ name: "x", text: "x" }]));
    await expect(put("/tmp")).rejects.toMatchObject({
      kind: "forbidden",
      message: "container rootfs is marked read-only",
    });
    await expect(put("/ro")).rejects.toMatchObject({
      kind: "forbidden",
      message: "mounted volume is marked read-only",
    });
    await put("/rw");
    expect([await readdir(source), await readdir(writable)]).toEqual([[], ["x"]]);
  });

  it("of a client that leaves half way fails with the client's error, and leaves no half file behind", async () => {
    const container = await subject.create();
    const cutOff = async (name: string) => {
      const tar = await buffer(
        tarOf([
          { name: "first", text: "1" },
          { name, text: "x".repeat(100_000) },
        ]),
      );
      const client = new PassThrough();
      client.write(tar.subarray(0, 20_000));
      const written = write(container, "/tmp", client);
      // It was handed on.
      await expect.poll(() => client.readableLength).toBe(0);
      client.destroy(new Error("aborted"));
      await expect(written).rejects.toThrow("aborted");
    };
    await write(container, "/tmp", tarOf([{ name: "old", text: "whole" }]));
    for (const name of ["new", "old"]) await cutOff(name);
    expect(await inRoot(container, (root) => readdir(join(root, "tmp")))).toEqual(["first", "old"]);
    expect(await textAt(container, "tmp/old")).toBe("whole");
    await subject.run(container, "true");
  });

  it("of a full folder, told though the client sends nothing more", async () => {
    const container = await subject.create();
    const client = new PassThrough();
    const tar = await buffer(tarOf([{ name: "n".repeat(300) }, { name: "more", text: "x".repeat(10_000) }]));
    client.write(tar.subarray(0, tar.length - 8_000));
    await expect(write(container, "/tmp", client)).rejects.toMatchObject({ kind: "invalid" });
    client.destroy();
  });
});
