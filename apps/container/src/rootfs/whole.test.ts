import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Container } from "../containers/records/container.ts";
import { NATIVE_DIR } from "../host/native-dir.ts";
import { AMPLE_QUOTA } from "../images/disk-quota.testing.ts";
import { attributesOf } from "./attributes.ts";
import { createArchiveFiles } from "./in-rootfs.ts";
import {
  ADMINISTRATOR,
  type ArchiveSubject,
  entriesOf,
  makeFolder,
  openArchiveSubject,
  tarOf,
} from "./rootfs.testing.ts";

// What else than content, owner and mode a file has, and what it may be on its way.

let subject: ArchiveSubject;
beforeAll(async () => {
  subject = await openArchiveSubject();
});
afterEach(async () => {
  await subject.clear();
});
afterAll(() => subject.dispose());

function write({ name }: Container, path: string, archive: Readable) {
  return subject.archives.write(ADMINISTRATOR, name, path, archive, { keepKinds: false, copyOwners: false });
}

/** One record of a pax header: its own length counts itself. */
function paxRecord(key: string, value: Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), value, Buffer.from("\n")]);
  let length = rest.length;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return Buffer.concat([Buffer.from(String(length)), rest]);
}

/** The tar whose first entry is a pax header, which `tar-stream` writes as text alone. */
function asPaxHeader(tar: Buffer): Buffer {
  tar.write("x", 156);
  tar.fill(" ", 148, 156);
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return tar;
}

/** The attributes in the header of a tar's first entry. */
function attributesIn(tar: Buffer): Readonly<Record<string, Buffer>> {
  if (tar[156] !== "x".charCodeAt(0)) return {};
  const size = Number.parseInt(tar.subarray(124, 135).toString(), 8);
  return Object.fromEntries(
    [...attributesOf(tar.subarray(512, 512 + size))].map(([name, value]) => [name, Buffer.from(value)]),
  );
}

it("has capabilities and a program's own attributes, and none of the file system's", async () => {
  const [container, other] = [await subject.create(), await subject.create()];
  // cap_setuid,cap_net_raw+ep: bytes that are no text.
  const capability = Buffer.from("0100000280200000000000000000000000000000", "hex");
  const own = Buffer.from([0, 255, 10, 61, 128]);
  const records = Buffer.concat([
    paxRecord("SCHILY.xattr.security.capability", capability),
    paxRecord("SCHILY.xattr.user.own", own),
    paxRecord("SCHILY.xattr.trusted.overlay.redirect", Buffer.from("elsewhere")),
    paxRecord("SCHILY.xattr.user.overlay.redirect", Buffer.from("elsewhere")),
  ]);
  const tar = await buffer(
    tarOf([{ name: "header", bytes: records }, { name: "ping", text: "program" }, { name: "plain" }]),
  );
  await write(container, "/tmp", Readable.from([asPaxHeader(tar)]));

  const attributes = ({ id }: Container, name: string) =>
    subject.runtime.withRootfs(id, async (root) => {
      const args = ["--format=pax", "--xattrs", "--xattrs-include=*", "-C", join(root, "tmp"), "-cf", "-", name];
      const { stdout } = spawnSync("tar", args);
      expect(stdout.includes("trusted.overlay")).toBe(false);
      return attributesIn(stdout);
    });
  expect(await attributes(container, "ping")).toEqual({ "security.capability": capability, "user.own": own });
  expect(await attributes(container, "plain")).toEqual({});
  // From one container to the next, as `docker cp` copies: capabilities alone, as in Docker.
  const { archive } = await subject.archives.read(ADMINISTRATOR, container.name, "/tmp/ping");
  await write(other, "/tmp", Readable.from([await buffer(archive)]));
  expect(await attributes(other, "ping")).toEqual({ "security.capability": capability });
});

it("is no more than what its owner's quota on storage leaves", async () => {
  const { id } = await subject.create();
  const files = createArchiveFiles(join(NATIVE_DIR, "in-rootfs"), AMPLE_QUOTA);
  const archive = Readable.from([gzipSync(await buffer(tarOf([{ name: "zeros", bytes: Buffer.alloc(4 << 20) }])))]);
  const options = { keepKinds: false, devices: "refused", left: 1 << 20, owner: undefined } as const;
  const writing = subject.runtime.withRootfs(id, (root) =>
    files.write({ root, mounts: [], access: "rw" }, "/tmp", archive, options),
  );
  await expect(writing).rejects.toMatchObject({
    kind: "forbidden",
    message: expect.stringContaining("the files exceed the quota on storage, of which 1048576 bytes are left"),
  });
});

it("is no more than a layer may have", async () => {
  const { id } = await subject.create();
  const files = createArchiveFiles(join(NATIVE_DIR, "in-rootfs"), { ...AMPLE_QUOTA, layer: 1 << 20 });
  const archive = Readable.from([gzipSync(await buffer(tarOf([{ name: "zeros", bytes: Buffer.alloc(4 << 20) }])))]);
  const writing = subject.runtime.withRootfs(id, (root) =>
    files.write({ root, mounts: [], access: "rw" }, "/tmp", archive, {
      keepKinds: false,
      devices: "refused",
      left: Number.POSITIVE_INFINITY,
      owner: undefined,
    }),
  );
  await expect(writing).rejects.toMatchObject({ kind: "too-large" });
});

it("keeps hard links, and what is sparse is whole again", async () => {
  const container = await subject.create();
  await subject.run(
    container,
    "mkdir /tmp/h; cd /tmp/h; echo one > a; ln a b; truncate -s 3M holes; echo end >> holes",
  );
  const { archive } = await subject.archives.read(ADMINISTRATOR, container.name, "/tmp/h");
  const entries = await entriesOf(archive);
  const [file, link] = entries.filter(({ header }) => /h\/[ab]$/.test(header.name));
  expect([file?.header.type, link?.header.type]).toEqual(["file", "link"]);
  expect(link?.header.linkname).toBe(file?.header.name);
  const holes = entries.find(({ header }) => header.name === "h/holes");
  expect(holes?.text).toBe(`${"\0".repeat(3 << 20)}end\n`);
});

it("is refused where a sparse file's holes are only told of", async () => {
  const container = await subject.create();
  const folder = await makeFolder(subject.dir, "sparse");
  spawnSync("truncate", ["-s", "1M", join(folder, "holes")]);
  for (const format of ["pax", "gnu"]) {
    const { stdout } = spawnSync("tar", ["--sparse", `--format=${format}`, "-C", folder, "-cf", "-", "holes"]);
    await expect(write(container, "/tmp", Readable.from([stdout]))).rejects.toMatchObject({ kind: "invalid" });
  }
});
