import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Archives, CommitRequest } from "../containers/archive/archives.ts";
import { createArchives } from "../containers/archive/archives-service.ts";
import { someConfig } from "../containers/records/container.testing.ts";
import type { Container } from "../containers/records/container.ts";
import type { Runtime } from "../containers/records/runtime.ts";
import { EngineError } from "../engine/errors.ts";
import { withCalls } from "../engine/with-calls.testing.ts";
import { AMPLE_QUOTA } from "../images/disk-quota.testing.ts";
import type { Images } from "../images/images.ts";
import { createImages } from "../images/images-service.ts";
import { platformOf } from "../images/manifest/platform.ts";
import { openRegistry, type Registry } from "../images/registry/registry.ts";
import { containerdImageStore } from "../runtimes/containerd/images/image-store.ts";
import { ADMINISTRATOR, type ArchiveSubject, entriesOf, openArchiveSubject, tarOf } from "./rootfs.testing.ts";

let subject: ArchiveSubject;
let registry: Registry;
let images: Images;
let archives: Archives;

function archivesWith(runtime: Partial<Runtime> = {}): Archives {
  return createArchives(
    { ...subject.context, images, runtime: withCalls(subject.runtime, runtime) },
    undefined as never,
  );
}

beforeAll(async () => {
  subject = await openArchiveSubject();
  registry = openRegistry({ mirrors: [], insecure: [], retry: { attempts: 1, delayMs: 1 } });
  images = await createImages({
    store: containerdImageStore(subject.containerd, AMPLE_QUOTA),
    registry,
    events: { emit: () => {} },
    platform: platformOf(process.arch),
    concurrency: 1,
    quota: AMPLE_QUOTA,
    warn: () => {},
  });
  archives = archivesWith();
});
afterEach(() => subject.clear());
afterAll(async () => {
  await registry.close();
  await subject.dispose();
});

const NONE: CommitRequest = {
  repo: "",
  tag: "",
  author: "",
  comment: "",
  pause: true,
  changes: [],
  config: {},
};

/** A container of an image that was imported: a busybox. */
async function container(more: Partial<Container> = {}): Promise<Container> {
  const busybox = await readFile("/bin/busybox");
  const tar = tarOf([
    { name: "bin/busybox", mode: 0o755, bytes: busybox },
    ...["sh", "sleep", "echo", "rm"].map(
      (name) => ({ name: `bin/${name}`, type: "symlink", linkname: "busybox" }) as const,
    ),
    { name: "etc/old", text: "old" },
  ]);
  const signal = new AbortController().signal;
  const imageId = await images.import(tar, {
    repo: "",
    tag: "",
    message: "",
    changes: [],
    platform: undefined,
    signal,
  });
  const { layers } = await images.get(imageId);
  return await subject.create({ imageId, layers, ...more });
}

function commit(of: Container, request: Partial<CommitRequest> = {}, by = archives) {
  return by.commit(ADMINISTRATOR, of.name, { ...NONE, ...request });
}

describe("commit", () => {
  it("makes an image of what the container changed, which containers start from", async () => {
    const made = await container({ config: someConfig({ Cmd: ["sh", "-c", "serve"], Env: ["A=1"] }) });
    await subject.run(made, "echo new >/etc/new; rm /etc/old");
    const id = await commit(made, { repo: "mine", tag: "v1", author: "ann", comment: "first" });
    const image = await images.get("mine:v1");
    expect(image).toMatchObject({
      id,
      parent: made.imageId,
      author: "ann",
      comment: "first",
      container: made.id,
      config: { Cmd: ["sh", "-c", "serve"], Env: ["A=1"] },
    });
    expect(image.history.at(-1)?.createdBy).toBe("sh -c serve");
    const next = await subject.create({ layers: image.layers });
    const names = (await entriesOf(await subject.archives.export(ADMINISTRATOR, next.name))).map(
      ({ header }) => header.name,
    );
    expect(names).toContain("etc/new");
    expect(names).not.toContain("etc/old");
    expect(subject.events).toEqual(["commit", "export"]);
  });

  it("lays the request's configuration over the container's, and the instructions over both", async () => {
    const made = await container({
      config: someConfig({ Cmd: ["old"], Env: ["A=1", "B=1"], WorkingDir: "/srv", Labels: { a: "1" }, User: "7" }),
    });
    const id = await commit(made, {
      config: { Cmd: ["asked"], Env: ["B=2"], ExposedPorts: { "80/tcp": {} } },
      changes: ["ENV C=3", "USER 8"],
    });
    const { config } = await images.get(id);
    expect(config).toMatchObject({
      Cmd: ["asked"],
      WorkingDir: "/srv",
      Labels: { a: "1" },
      User: "8",
      ExposedPorts: { "80/tcp": {} },
    });
    expect([...(config.Env ?? [])].sort()).toEqual(["A=1", "B=2", "C=3"]);
  });

  it("refuses a bad instruction, with nothing made", async () => {
    const made = await container();
    const before = await images.list({ all: true, filters: new Map() });
    await expect(commit(made, { changes: ["RUN rm -rf /"] })).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining("RUN is not a valid change command"),
    });
    expect(await images.list({ all: true, filters: new Map() })).toEqual(before);
  });

  it.each([
    ["pauses the container while it reads", true, "paused", ["pause", "commit", "unpause"]],
    ["leaves the container running without pause", false, "running", ["commit"]],
  ])("%s", async (_, pause, status, events) => {
    const made = await container();
    await subject.start(made, ["sleep", "1000000"]);
    const seen: unknown[] = [];
    const look = async () => [
      (await subject.runtime.list()).find(({ id }) => id === made.id)?.task?.status,
      subject.registry.get(made.id)?.state.status,
    ];
    const watched = archivesWith({
      diff: async (id) => {
        seen.push(...(await look()));
        return await subject.runtime.diff(id);
      },
    });
    await commit(made, { pause }, watched);
    expect(seen).toEqual([status, status]);
    expect(await look()).toEqual(["running", "running"]);
    expect(subject.events).toEqual(events);
  });

  it("lets the container run on where it fails", async () => {
    const made = await container();
    await subject.start(made, ["sleep", "1000000"]);
    const failing = archivesWith({
      diff: async () => {
        throw new EngineError("failed", "no space left on device");
      },
    });
    await expect(commit(made, {}, failing)).rejects.toThrow("no space");
    expect((await subject.runtime.list())[0]?.task?.status).toBe("running");
    expect(subject.registry.get(made.id)?.state.status).toBe("running");
  });

  it("does not pause a process that has ended", async () => {
    const made = await container();
    const gone = async () => {
      throw new EngineError("not-found", "no task");
    };
    await subject.registry.update(made.id, (before) => ({ ...before, state: { ...before.state, status: "running" } }));
    expect(await commit(made, {}, archivesWith({ pause: gone }))).toMatch(/^sha256:/);
  });
});
