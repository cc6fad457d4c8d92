import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ADMINISTRATOR, type ArchiveSubject, bind, makeFolder, openArchiveSubject } from "./rootfs.testing.ts";

let subject: ArchiveSubject;
beforeAll(async () => {
  subject = await openArchiveSubject();
});
afterEach(async () => {
  await subject.clear();
  expect(await subject.leftovers()).toEqual([]);
});
afterAll(() => subject.dispose());

describe("changes", () => {
  it("are none in a container that never ran, and in one that wrote nothing", async () => {
    const container = await subject.create({ mounts: [bind(await makeFolder(subject.dir, "idle"), "/data/deep")] });
    expect(await subject.archives.changes(ADMINISTRATOR, container.name)).toEqual([]);
    await subject.run(container, "true");
    expect(await subject.archives.changes(ADMINISTRATOR, container.name)).toEqual([]);
  });

  it("cost no disk, however large the files are", async () => {
    const container = await subject.create({});
    await subject.run(container, "busybox truncate -s 1000G /huge /etc/passwd");
    expect(await subject.archives.changes(ADMINISTRATOR, container.name)).toEqual([
      { path: "/etc", kind: "modified" },
      { path: "/etc/passwd", kind: expect.any(String) },
      { path: "/huge", kind: "added" },
    ]);
  });

  it("are refused where they are too many to list", async () => {
    const container = await subject.create({});
    // Their paths are long, so that a few do.
    const folder = `/tmp${`/${"x".repeat(250)}`.repeat(12)}`;
    const script = `mkdir -p ${folder}; cd ${folder}; i=0; while [ $i -lt 3000 ]; do : >$i; i=$((i+1)); done`;
    await subject.run(container, script);
    await expect(subject.archives.changes(ADMINISTRATOR, container.name)).rejects.toMatchObject({ kind: "too-large" });
  });

  it.each(["stopped", "running"])("of a %s container are as docker diff lists them", async (state) => {
    const container = await subject.create({ mounts: [bind(await makeFolder(subject.dir, state), "/data")] });
    const script = [
      "echo more >>/etc/notes",
      "rm /etc/group",
      "mkdir -p /srv/www",
      "echo hi >/srv/www/index.html",
      "busybox chmod 700 /home",
      "echo hidden >/data/file",
      "busybox ln -s /etc /tmp/link",
      "rm -r /sbin; echo file >/sbin",
    ].join("\n");
    await subject.run(container, script);
    if (state === "running") await subject.start(container, ["sleep", "1000000"]);
    expect(await subject.archives.changes(ADMINISTRATOR, container.name)).toEqual([
      { path: "/etc", kind: "modified" },
      { path: "/etc/group", kind: "deleted" },
      { path: "/etc/notes", kind: "modified" },
      { path: "/home", kind: "modified" },
      { path: "/sbin", kind: "modified" },
      { path: "/srv", kind: "added" },
      { path: "/srv/www", kind: "added" },
      { path: "/srv/www/index.html", kind: "added" },
      { path: "/tmp", kind: "modified" },
      { path: "/tmp/link", kind: "added" },
    ]);
  });
});
