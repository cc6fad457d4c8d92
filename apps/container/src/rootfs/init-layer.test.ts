import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Container } from "../containers/records/container.ts";
import { digestOf } from "../images/manifest/manifest.ts";
import {
  ADMINISTRATOR,
  type ArchiveSubject,
  entriesOf,
  openArchiveSubject,
  type TestEntry,
  tarOf,
} from "./rootfs.testing.ts";

let subject: ArchiveSubject;
beforeAll(async () => {
  subject = await openArchiveSubject();
});
afterEach(() => subject.clear());
afterAll(() => subject.dispose());

/** Type, mode and text of what an export of the container has, by name. */
async function exported({ name }: Container) {
  const entries = await entriesOf(await subject.archives.export(ADMINISTRATOR, name));
  return new Map(
    entries.map(({ header, text }) => [
      header.name.replace(/\/$/, ""),
      `${header.type} ${((header.mode ?? 0) & 0o7777).toString(8)} ${header.linkname || text}`,
    ]),
  );
}

const PLACES = {
  ".dockerenv": "file 755 ",
  "etc/hosts": "file 755 ",
  "etc/hostname": "file 755 ",
  "etc/resolv.conf": "file 755 ",
  "etc/mtab": "symlink 777 /proc/mounts",
  "dev/console": "file 755 ",
  "dev/pts": "directory 755 ",
  "dev/shm": "directory 755 ",
  proc: "directory 755 ",
  sys: "directory 755 ",
};

/** An image of these entries alone. */
async function imageOf(entries: readonly TestEntry[]): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of tarOf(entries)) chunks.push(chunk);
  const tar = Buffer.concat(chunks);
  const layer = {
    mediaType: "application/vnd.oci.image.layer.v1.tar",
    digest: digestOf(tar),
    size: tar.length,
  };
  const key = randomUUID();
  await subject.containerd.withLease(async ({ content, snapshots, diff }) => {
    await content.write(
      key,
      async function* () {
        yield tar;
      },
      layer,
    );
    await diff.apply(layer, await snapshots.prepare(key, ""));
    await snapshots.commit(layer.digest, key, { labels: { "containerd.io/gc.root": "test" } });
  });
  return layer.digest;
}

it.each([
  ["an image", undefined],
  [
    "an image with other things at their paths",
    [
      { name: "etc", type: "symlink", linkname: "/elsewhere" },
      { name: "elsewhere/hosts", text: "of the image" },
      { name: "dev/console/", type: "directory", mode: 0o700 },
      { name: "proc", text: "no folder" },
      { name: ".dockerenv", text: "not empty" },
    ],
  ],
] as const)("has what Docker's containers find: %s", async (_, entries) => {
  const made = await subject.create(entries === undefined ? {} : { layers: await imageOf(entries) });
  const found = await exported(made);
  // A folder stays what it is.
  const console = entries === undefined ? PLACES["dev/console"] : "directory 700 ";
  for (const [name, wanted] of Object.entries({ ...PLACES, "dev/console": console }))
    expect([name, found.get(name)]).toEqual([name, wanted]);
  if (entries !== undefined) expect(found.get("elsewhere/hosts")).toBe("file 644 of the image");
});

it("is in containers of an image without layers", async () => {
  const found = await exported(await subject.create({ layers: "" }));
  expect(Object.fromEntries(Object.keys(PLACES).map((name) => [name, found.get(name)]))).toEqual(PLACES);
});

it("is a change of the container only where it was written to: in a list, in a layer and in its size", async () => {
  const made = await subject.create();
  await subject.run(made, "test -f /.dockerenv && test -L /etc/mtab && echo 1 >/tmp/new && echo 2 >/.dockerenv");
  expect(await subject.archives.changes(ADMINISTRATOR, made.name)).toEqual([
    { path: "/.dockerenv", kind: "modified" },
    { path: "/tmp", kind: "modified" },
    { path: "/tmp/new", kind: "added" },
  ]);
  const { bytes } = await subject.runtime.diff(made.id);
  const names = (await entriesOf(bytes)).map(({ header }) => header.name);
  expect(names.filter((name) => Object.keys(PLACES).includes(name.replace(/\/$/, "")))).toEqual([".dockerenv"]);
  expect(names).toContain("tmp/new");
  expect(await subject.runtime.usage(made.id)).toEqual({ writable: 4 });
});

it("is made once for all containers of an image, and lasts as long as that", async () => {
  const { containerd } = subject;
  const layers = await imageOf([{ name: "only", text: randomUUID() }]);
  const initLayers = async () => (await containerd.snapshots.list([`parent=="${layers}"`])).map(({ name }) => name);
  /** Waits until containerd has collected what nothing refers to. */
  const collect = async () => containerd.leases.delete((await containerd.leases.create()).id, { gc: "wait" });
  const [first] = await Promise.all([1, 2, 3].map(() => subject.create({ layers })));
  expect(await initLayers()).toHaveLength(1);
  await subject.clear();
  await collect();
  expect(await initLayers()).toHaveLength(1);
  await containerd.snapshots.updateLabels(layers, { "containerd.io/gc.root": "" });
  await collect();
  expect(await containerd.snapshots.list([`name=="${layers}"`])).toEqual([]);
  expect(await initLayers()).toEqual([]);
  expect(first?.layers).toBe(layers);
});
