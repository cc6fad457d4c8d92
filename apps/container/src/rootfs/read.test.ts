import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, lchown, link, lstat, mkdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import { BASELINES, effectiveConstraints, type UserId } from "@berth/directory-domain";
import { pack } from "tar-stream";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { someHostConfig } from "../containers/records/container.testing.ts";
import type { MountPoint } from "../containers/records/container.ts";
import {
  ADMINISTRATOR,
  type ArchiveSubject,
  bind,
  entriesOf,
  makeFolder,
  openArchiveSubject,
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

function stat(ref: string, path: string) {
  return subject.archives.stat(ADMINISTRATOR, ref, path);
}
async function read(ref: string, path: string) {
  const { stat, archive } = await subject.archives.read(ADMINISTRATOR, ref, path);
  const entries = await entriesOf(archive);
  return { stat, entries, names: entries.map(({ header }) => header.name) };
}

/** A container whose root has what the callback puts there, which no process made. */
async function withFiles(put: (root: string) => Promise<unknown>) {
  const container = await subject.create();
  await subject.runtime.withRootfs(container.id, put);
  return container.name;
}

/** The fields that say what an entry is, as they are written: name, type, mode, owners, device; and its extended records. */
function headersOf(tar: Buffer): readonly (readonly string[])[] {
  const headers: string[][] = [];
  const text = (from: number, to: number) => String(tar.subarray(from, to)).replace(/\0.*$/s, "");
  let records = "";
  for (let at = 0; tar[at] !== 0; ) {
    const field = (from: number, room: number) => text(at + from, at + from + room);
    const size = Number.parseInt(field(124, 12), 8);
    const content = String(tar.subarray(at + 512, at + 512 + size));
    const type = field(156, 1);
    const owners = [field(265, 32), field(297, 32)];
    if (type !== "x")
      headers.push([field(0, 100), type, field(100, 8), ...owners, field(329, 8), field(337, 8), records]);
    records =
      type === "x"
        ? content
            .split(/(?<=\n)/)
            .sort((a, b) => (a.slice(3) < b.slice(3) ? -1 : 1))
            .join("")
        : "";
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return headers;
}

describe("stat", () => {
  it.each([
    ["/etc", "etc", 0o755 + 2 ** 31, ""],
    ["/etc/", "etc", 0o755 + 2 ** 31, ""],
    ["/etc/.", ".", 0o755 + 2 ** 31, ""],
    ["etc/notes", "notes", 0o644, ""],
    ["/", "/", 0o755 + 2 ** 31, ""],
    ["/tmp", "tmp", 0o777 + 2 ** 31 + 2 ** 20, ""],
    ["../../etc/notes", "notes", 0o644, ""],
    ["/bin/sh", "sh", 0o777 + 2 ** 27, "/bin/busybox"],
    ["/up", "up", 0o777 + 2 ** 27, "/etc/notes"],
    ["/up-and-down", "up-and-down", 0o777 + 2 ** 27, "/etc"],
    ["/up-and-down/", "up-and-down", 0o755 + 2 ** 31, ""],
    ["/broken", "broken", 0o777 + 2 ** 27, "/no/such/file"],
    ["/suid", "suid", 0o755 + 2 ** 23 + 2 ** 22, ""],
  ])("of %s", async (path, name, mode, linkTarget) => {
    const ref = await withFiles(async (root) => {
      await symlink("../../../../../etc/notes", join(root, "up"));
      await symlink("../../etc/../bin/../etc", join(root, "up-and-down"));
      await symlink("no/../no/such/file", join(root, "broken"));
      await writeFile(join(root, "suid"), "");
      await chmod(join(root, "suid"), 0o6755);
    });
    expect(await stat(ref, path)).toMatchObject({ name, mode, linkTarget });
  });

  it("tells size and time", async () => {
    const ref = await withFiles(async (root) => {
      await writeFile(join(root, "five"), "12345");
      await utimes(join(root, "five"), 1, 1_600_000_000.25);
    });
    expect(await stat(ref, "/five")).toMatchObject({ size: 5, modifiedAt: "2020-09-13T12:26:40.25Z" });
  });

  it.each([
    ["a missing file", "/nope", "not-found", /^Could not find the file \/nope in container \w{8}$/],
    ["a path below a file", "/etc/notes/", "invalid", /not a directory/],
    ["a loop of links", "/loop/x", "invalid", /too many levels of symbolic links/],
    ["a name too long", `/${"x".repeat(300)}`, "invalid", /file name too long/],
    ["a path too long", `/${"x/".repeat(3000)}`, "invalid", /path is longer than/],
    ["a NUL in the path", "/a\0b", "invalid", /NUL/],
  ])("refuses %s", async (_, path, kind, message) => {
    const ref = await withFiles((root) => symlink("loop", join(root, "loop")));
    await expect(stat(ref, path)).rejects.toMatchObject({ kind, message: expect.stringMatching(message) });
  });

  it("knows nothing of an unknown container", async () => {
    await expect(stat("nope", "/etc")).rejects.toMatchObject({ kind: "not-found", message: "No such container: nope" });
  });
});

/** What /etc has, with the mount points of the init layer. */
const ETC = ["", "group", "hostname", "hosts", "mtab", "notes", "passwd", "resolv.conf"];

describe("read", () => {
  it.each([
    ["/etc", ETC.map((name) => `etc/${name}`)],
    ["/etc/", ETC.map((name) => `etc/${name}`)],
    ["/etc/.", ETC.map((name) => `./${name}`)],
    ["/etc/notes", ["notes"]],
    ["/link", ["link"]],
    ["/link/", ETC.map((name) => `link/${name}`)],
    ["/link/notes", ["notes"]],
    ["/../..//etc/./notes", ["notes"]],
  ])("names the entries of %s", async (path, names) => {
    const ref = await withFiles((root) => symlink("/etc", join(root, "link")));
    const found = await read(ref, path);
    expect(found.names).toEqual(names);
  });

  it("starts all names with the root where that is asked for", async () => {
    const { names } = await read((await subject.create()).name, "/");
    expect(names[0]).toBe("/");
    expect(names).toContain("/etc/passwd");
  });

  it("gives contents, modes, times, links of both kinds, pipes, long names and big owners", async () => {
    const long = `${"n".repeat(120)}.txt`;
    const ref = await withFiles(async (root) => {
      const dir = join(root, "d");
      await mkdir(dir, { mode: 0o700 });
      await writeFile(join(dir, long), "long");
      await writeFile(join(dir, "a"), "same", { mode: 0o640 });
      await utimes(join(dir, "a"), 1, 1_600_000_000);
      await link(join(dir, "a"), join(dir, "b"));
      await symlink("/nowhere", join(dir, "l"));
    });
    await subject.run(
      subject.registry.resolve(ADMINISTRATOR, ref),
      "busybox mkfifo /d/p; busybox chown 3000000:7 /d/l -h",
    );
    const { entries } = await read(ref, "/d");
    const at = (name: string) => entries.find(({ header }) => header.name === `d/${name}`);
    expect(entries[0]?.header).toMatchObject({ name: "d/", type: "directory", mode: 0o40700 });
    expect(at(long)?.text).toBe("long");
    const [first, other] = [at("a"), at("b")].sort((one) => (one?.header.type === "file" ? -1 : 1));
    expect(first).toMatchObject({
      text: "same",
      header: { mode: 0o100640, uid: 0, mtime: new Date(1_600_000_000_000) },
    });
    expect(other?.header).toMatchObject({ type: "link", linkname: first?.header.name, size: 0 });
    expect(at("l")?.header).toMatchObject({ type: "symlink", linkname: "/nowhere", gid: 7, pax: { uid: "3000000" } });
    expect(at("p")?.header).toMatchObject({ type: "fifo" });
    expect(subject.events).toEqual(["archive-path"]);
  });

  // As dockerd 20.10 gave them, byte by byte; the names are the container's own.
  it.each([
    ["d/", "5", "0040755", "root", "root", "0000000", "0000000", ""],
    ["d/file", "0", "0100644", "bob", "", "0000000", "0000000", ""],
    ["d/link", "2", "0120777", "", "crew", "0000000", "0000000", ""],
    ["d/set", "0", "0106755", "root", "root", "0000000", "0000000", ""],
    ["d/sticky/", "5", "0041777", "root", "root", "0000000", "0000000", ""],
    ["d/pipe", "6", "0010644", "root", "root", "0000000", "0000000", ""],
    ["d/null", "3", "0020644", "root", "root", "0000001", "0000003", ""],
    [
      "d/odd",
      "0",
      "0100644",
      "n",
      "long-name-that-is-longer-than-th",
      "0000000",
      "0000000",
      "56 gname=long-name-that-is-longer-than-thirty-two-chars\n15 uname=ünï\n",
    ],
  ])("writes the header of %s as dockerd does", async (...expected) => {
    const ref = await withFiles(async (root) => {
      const accounts = ["root:x:0:", "crew:x:77:", "long-name-that-is-longer-than-thirty-two-chars:x:78:"];
      const users = ["no line of it", "root:x:0:0:::", "bob:x:1234:1234:::", "second:x:1234:1:::", "ünï:x:78:78:::"];
      await writeFile(join(root, "etc/group"), `${accounts.join("\n")}\n`);
      await writeFile(join(root, "etc/passwd"), `${users.join("\n")}\n`);
      const dir = join(root, "d");
      await mkdir(join(dir, "sticky"), { recursive: true });
      await chmod(join(dir, "sticky"), 0o1777);
      for (const name of ["file", "set", "odd"]) await writeFile(join(dir, name), "");
      await chmod(join(dir, "set"), 0o6755);
      await symlink("/x", join(dir, "link"));
      await chown(join(dir, "file"), 1234, 999);
      await lchown(join(dir, "link"), 999, 77);
      await chown(join(dir, "odd"), 78, 78);
      execFileSync("mkfifo", ["-m", "644", join(dir, "pipe")]);
      execFileSync("mknod", ["-m", "644", join(dir, "null"), "c", "1", "3"]);
    });
    const { archive } = await subject.archives.read(ADMINISTRATOR, ref, "/d");
    expect(headersOf(await buffer(archive))).toContainEqual(expected);
  });

  it("writes no names where the account file is none that answers", async () => {
    const ref = await withFiles(async (root) => {
      await rm(join(root, "etc/passwd"));
      execFileSync("mkfifo", [join(root, "etc/passwd")]);
      await rm(join(root, "etc/group"));
      await symlink("group", join(root, "etc/group"));
    });
    const { archive } = await subject.archives.read(ADMINISTRATOR, ref, "/etc/notes");
    expect(headersOf(await buffer(archive))).toEqual([["notes", "0", "0100644", "", "", "0000000", "0000000", ""]]);
  });

  it("never reads what a link of the container points to outside of it", async () => {
    const secret = join(subject.dir, "secret");
    await writeFile(secret, "the host's");
    const ref = await withFiles(async (root) => {
      await symlink(secret, join(root, "absolute"));
      await symlink(`../../../../../../../..${secret}`, join(root, "relative"));
      await symlink(`/proc/1/root${subject.dir}`, join(root, "host"));
      await symlink("/proc/self/fd", join(root, "fds"));
    });
    for (const path of ["/absolute/.", "/relative/.", "/proc/1/root", "/host/secret", "/proc/self/cwd", "/fds/0"])
      await expect(read(ref, path)).rejects.toMatchObject({ kind: "not-found" });
    const { entries } = await read(ref, "/");
    expect(entries.some(({ text }) => text.includes("the host's"))).toBe(false);
  });

  it("ends a client's reading that stops half way, and lets the container start then", async () => {
    const ref = await withFiles((root) => writeFile(join(root, "big"), Buffer.alloc(16 << 20)));
    const { archive } = await subject.archives.read(ADMINISTRATOR, ref, "/big");
    archive.once("data", () => archive.destroy());
    await finished(archive).catch(() => {});
    const container = subject.registry.resolve(ADMINISTRATOR, ref);
    await subject.run(container, "true");
  });
});

it("ends an archive that nobody reads, and one that nobody sends, when the container is removed", async () => {
  const container = await subject.create({});
  await subject.run(container, "busybox truncate -s 1000G /huge");
  const { archive } = await subject.archives.read(ADMINISTRATOR, container.name, "/huge");
  archive.on("error", () => undefined);
  const unsent = new PassThrough();
  unsent.write(Buffer.alloc(1024));
  const sending = subject.archives
    .write(ADMINISTRATOR, container.name, "/", unsent, { keepKinds: false, copyOwners: false })
    .catch((thrown: Error) => thrown);
  await subject.runtime.remove(container.id);
  expect(await sending).toBeInstanceOf(Error);
});

it.each(["an archive of which somebody reads the beginning", "an archive that nobody sends"])(
  "lets a container start despite %s",
  async (which) => {
    const container = await subject.create({});
    await subject.run(container, "busybox truncate -s 1000G /huge");
    const unsent = new PassThrough();
    const sending =
      which === "an archive that nobody sends"
        ? subject.archives
            .write(ADMINISTRATOR, container.name, "/", unsent, { keepKinds: false, copyOwners: false })
            .catch(() => undefined)
        : (await subject.archives.read(ADMINISTRATOR, container.name, "/huge")).archive.on("error", () => undefined);
    unsent.write(Buffer.alloc(1024));
    if (sending instanceof Readable) await once(sending, "readable");
    await subject.run(container, "true");
    await sending;
  },
);

describe("a container that ends while it is opened", () => {
  const endedRoot = async (): Promise<string> => {
    const child = spawn("true", { stdio: "ignore" });
    await once(child, "exit");
    return `/proc/${child.pid}/root`;
  };

  it.each(["nobody's", "a host's process's"])("is read without it: its id is %s now", async (whose) => {
    const container = await subject.create();
    await subject.run(container, "echo here >/tmp/file");
    const roots = [whose === "nobody's" ? await endedRoot() : `/proc/${process.pid}/root`];
    const archives = subject.archivesWith({
      withRootfs: async (id, use) => {
        const root = roots.pop();
        return root === undefined ? await subject.runtime.withRootfs(id, use) : await use(root);
      },
    });
    const { archive } = await archives.read(ADMINISTRATOR, container.name, "/tmp/file");
    expect((await entriesOf(archive))[0]?.text).toBe("here\n");
  });
});

describe("mounts", () => {
  it.each(["stopped", "running"])("are read of a %s container, and a tmpfs is not", async (state) => {
    const outer = await makeFolder(subject.dir, `outer-${state}`);
    const inner = await makeFolder(subject.dir, `inner-${state}`);
    const file = join(subject.dir, `file-${state}`);
    await writeFile(join(outer, "o"), "outer");
    await writeFile(join(inner, "i"), "inner");
    await writeFile(file, "file");
    await symlink("/etc/passwd", join(outer, "out"));
    const container = await subject.create({
      mounts: [bind(inner, "/data/deep/inner"), bind(outer, "/data"), bind(file, "/etc/file")],
    });
    const idle = await subject.create({});
    if (state === "running") await subject.start(container, ["sleep", "1000000"]);
    const { entries, names } = await read(container.name, "/data");
    expect([...names].sort()).toEqual([
      "data/",
      "data/deep/",
      "data/deep/inner/",
      "data/deep/inner/i",
      "data/o",
      "data/out",
    ]);
    expect(entries.find(({ header }) => header.name === "data/deep/inner/i")?.text).toBe("inner");
    expect((await read(container.name, "/etc/file")).entries[0]?.text).toBe("file");
    expect((await stat(container.name, "/data/out")).linkTarget).toBe("/etc/passwd");
    if (state !== "running") return;
    expect((await read(container.name, "/etc/hosts")).entries[0]?.text).toBe("127.0.0.1\tlocalhost\n");
    expect(await stat(container.name, "/etc/hosts")).toMatchObject({ name: "hosts", size: 20 });
    expect(await stat(container.name, "/data/o")).toMatchObject({ name: "o", size: 5 });
    expect(await stat(container.name, "/etc/notes")).toEqual(await stat(idle.name, "/etc/notes"));
    await expect(stat(container.name, "/proc/1")).rejects.toMatchObject({ kind: "not-found" });
    expect((await read(container.name, "/proc")).names).toEqual(["proc/"]);
    expect((await read(container.name, "/dev")).names).toEqual(["dev/", "dev/console", "dev/pts/", "dev/shm/"]);
    await subject.runtime.pause(container.id);
    expect((await read(container.name, "/data/o")).names).toEqual(["o"]);
  });

  it.each(["stopped", "running"])(
    "are images of a %s container, and parts of them, which nobody writes to",
    async (state) => {
      const { layers } = await subject.create();
      const image = (destination: string, more: Partial<MountPoint> = {}): MountPoint => ({
        ...bind("", destination),
        type: "image",
        image: { id: "", layers },
        readWrite: false,
        ...more,
      });
      const container = await subject.create({ mounts: [image("/i"), image("/i/bin", { subpath: "etc" })] });
      if (state === "running") await subject.start(container, ["sleep", "1000000"]);
      expect((await read(container.name, "/i/etc")).names).toContain("etc/passwd");
      expect((await read(container.name, "/i/bin")).names).toContain("bin/passwd");
      const archive = pack();
      archive.entry({ name: "f" }, "f");
      archive.finalize();
      const options = { keepKinds: false, copyOwners: false };
      await expect(
        subject.archives.write(ADMINISTRATOR, container.name, "/i/etc", Readable.from(archive), options),
      ).rejects.toMatchObject({ kind: "forbidden" });
    },
  );

  it("are parts of a source that a link within it leads to, and none that leads out", async () => {
    const source = await makeFolder(subject.dir, "parts");
    await makeFolder(source, "part");
    await writeFile(join(source, "part/inner"), "inner");
    await writeFile(join(source, "outer"), "outer");
    for (const [name, target] of Object.entries({ inside: "part", out: "..", root: "/" }))
      await symlink(target, join(source, name));
    const part = (subpath: string) => subject.create({ mounts: [bind(source, "/data", { subpath })] });
    for (const subpath of ["part", "inside"])
      expect((await read((await part(subpath)).name, "/data")).names.sort()).toEqual(["data/", "data/inner"]);
    for (const subpath of ["out", "root/etc"])
      await expect(read((await part(subpath)).name, "/data")).rejects.toMatchObject({
        kind: "invalid",
        message: `path concatenation escapes the base directory, base: ${source}, subpath: ${subpath}`,
      });
    await expect(read((await part("nope")).name, "/data")).rejects.toMatchObject({
      message: `cannot access path ${source}/nope: lstat ${source}/nope: no such file or directory`,
    });
  });

  it("are named where their source is gone", async () => {
    const container = await subject.create({ mounts: [bind(join(subject.dir, "gone"), "/data")] });
    await expect(read(container.name, "/etc")).rejects.toMatchObject({
      kind: "failed",
      message: `${join(subject.dir, "gone")}: no such file or directory`,
    });
  });

  it("are refused to a user who may not have them, and where a link came into their way", async () => {
    const source = await makeFolder(subject.dir, "governed");
    const container = await subject.create({ owner: "1", mounts: [bind(source, "/data")] });
    const effective = effectiveConstraints({
      subject: { id: 1 as UserId, login: "ann", role: "user", active: true },
      constraints: [],
      baseline: BASELINES.safe,
      at: "2026-01-01T00:00:00.000Z",
    });
    const ann = { kind: "user", id: "1", login: "ann", effective } as const;
    await expect(subject.archives.stat(ann, container.name, "/etc")).rejects.toMatchObject({
      kind: "forbidden",
      message: expect.stringContaining(source),
    });
    await expect(subject.archives.read(ann, container.name, "/data")).rejects.toMatchObject({ kind: "forbidden" });
    const own = await subject.create({ owner: "1" });
    expect(await subject.archives.stat(ann, own.name, "/etc")).toMatchObject({ name: "etc" });

    const swapped = join(subject.dir, "swapped");
    await symlink(subject.dir, swapped);
    const view = { root: "/", access: "ro", mounts: [{ source: swapped, target: "/mnt", readonly: true }] } as const;
    await expect(subject.files.stat(view, "/mnt")).rejects.toMatchObject({
      kind: "failed",
      message: `${swapped}: too many levels of symbolic links`,
    });
  });

  it("hold where the container's own link stands in their way", async () => {
    const source = await makeFolder(subject.dir, "linked");
    await writeFile(join(source, "mine"), "mine");
    const container = await subject.create({ mounts: [bind(source, "/way/data")] });
    await subject.runtime.withRootfs(container.id, (root) => symlink(`../../../..${subject.dir}`, join(root, "way")));
    expect((await read(container.name, "/way/data/mine")).entries[0]?.text).toBe("mine");
    await expect(lstat(join(subject.dir, "data"))).rejects.toThrow("ENOENT");
  });
});

describe("export", () => {
  it.each(["stopped", "running"])("gives the root of a %s container without its mounts", async (state) => {
    const source = await makeFolder(subject.dir, `exported-${state}`);
    await writeFile(join(source, "mine"), "mine");
    const container = await subject.create({
      mounts: [bind(source, "/data")],
      hostConfig: someHostConfig({ ReadonlyRootfs: false }),
    });
    if (state === "running") await subject.start(container, ["sh", "-c", "echo new >/tmp/new; sleep 1000000"]);
    else await subject.run(container, "echo new >/tmp/new");
    let names: readonly string[] = [];
    while (!names.includes("tmp/new"))
      names = (await entriesOf(await subject.archives.export(ADMINISTRATOR, container.name))).map(
        ({ header }) => header.name,
      );
    expect(names).toEqual(expect.arrayContaining(["bin/", "bin/busybox", "etc/passwd", "data/"]));
    expect(names).not.toContain("data/mine");
    expect(names.filter((name) => name.startsWith("proc/"))).toEqual(["proc/"]);
    expect(subject.events).toContain("export");
  });
});
