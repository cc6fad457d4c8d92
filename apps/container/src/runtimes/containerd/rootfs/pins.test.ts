import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ContainerSpec, SpecMount } from "../../../containers/records/runtime.ts";
import { NATIVE_DIR } from "../../../host/native-dir.ts";
import { readOutput, specOf } from "../../contract.testing.ts";
import { busyboxLayers } from "../busybox.testing.ts";
import { openContainerd } from "../client/client.ts";
import { startTestContainerd, type TestContainerd } from "../containerd.testing.ts";
import { openContainerdRuntime } from "../runtime.ts";
import { mountPointsUnder } from "./mount.ts";
import { openPins } from "./pins.ts";

const PROGRAM = join(NATIVE_DIR, "pin");

let dir: string;
let pinsDir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "berth-pins-"));
  pinsDir = join(dir, "pins");
  await mkdir(join(dir, "own/data"), { recursive: true });
  await mkdir(join(dir, "secret"));
  await writeFile(join(dir, "own/data/file"), "own");
  await writeFile(join(dir, "secret/file"), "secret");
});
afterEach(async () => {
  expect(await mountPointsUnder(pinsDir)).toEqual([]);
  for (const point of await mountPointsUnder(dir)) execFileSync("umount", [point]);
  await rm(dir, { recursive: true });
});

function bind(source: string, more: Partial<SpecMount & { kind: "bind" }> = {}): SpecMount {
  return {
    kind: "bind",
    source: join(dir, source),
    target: "/data",
    readonly: false,
    propagation: "rprivate",
    recursive: true,
    exact: true,
    ...more,
  };
}

/** The user's folder goes, and a link to what is not the user's has its place. */
async function swap(): Promise<void> {
  await rename(join(dir, "own/data"), join(dir, "own/gone"));
  await symlink(join(dir, "secret"), join(dir, "own/data"));
}

function sourcesOf({ mounts }: ContainerSpec) {
  return mounts.map((mount) => (mount.kind === "bind" ? mount.source : ""));
}

describe("a pinned source", () => {
  it("is what it was, whatever has its path afterwards", async () => {
    const pins = await openPins(pinsDir, PROGRAM);
    const { spec, release } = await pins.pin(
      specOf({ mounts: [bind("own/data"), bind("own/data/file", { target: "/f" })] }),
    );
    await swap();
    const [folder = "", file = ""] = sourcesOf(spec);
    expect(await readFile(join(folder, "file"), "utf8")).toBe("own");
    expect(await readFile(file, "utf8")).toBe("own");
    await release();
    expect(await readFile(join(dir, "own/gone/file"), "utf8")).toBe("own");
  });

  it("is named by its own path where it cannot be mounted", async () => {
    const pins = await openPins(pinsDir, PROGRAM);
    await rm(pinsDir, { recursive: true });
    await expect(pins.pin(specOf({ mounts: [bind("own/data")] }))).rejects.toMatchObject({
      kind: "failed",
      message: `a source could not be mounted: ${join(dir, "own/data")}: No such file or directory`,
    });
  });

  it.each(["own/data", "own/data/file"])("is refused where a link is on the way: %s", async (source) => {
    const pins = await openPins(pinsDir, PROGRAM);
    await swap();
    const mounts = [bind("own/gone"), bind(source)];
    await expect(pins.pin(specOf({ mounts }))).rejects.toMatchObject({
      kind: "forbidden",
      message: expect.stringMatching(`denied by policy: bind source ${join(dir, source)} now resolves elsewhere`),
    });
  });

  describe("in part", () => {
    const part = (subpath: string) => specOf({ mounts: [bind("own", { subpath })] });
    beforeEach(async () => {
      const links = { good: "data", "data/up": "..", root: "/", bad: "root", secret: "../secret", loop: "loop" };
      for (const [name, target] of Object.entries(links)) await symlink(target, join(dir, "own", name));
    });

    it.each(["data", "good", "data/up/good", "data/../data"])(
      "is what a link within the source leads to: %s",
      async (subpath) => {
        const pins = await openPins(pinsDir, PROGRAM);
        const { spec, release } = await pins.pin(part(subpath));
        const before = sourcesOf(spec)[0] ?? "";
        await swap();
        expect(await readFile(join(before, "file"), "utf8")).toBe("own");
        expect(spec.mounts[0]).not.toHaveProperty("subpath");
        await release();
      },
    );

    it.each(["root", "bad", "secret", "root/etc", "data/up/secret"])(
      "is refused where it leads out: %s",
      async (subpath) => {
        const pins = await openPins(pinsDir, PROGRAM);
        await expect(pins.pin(part(subpath))).rejects.toMatchObject({
          kind: "invalid",
          message: `path concatenation escapes the base directory, base: ${join(dir, "own")}, subpath: ${subpath}`,
        });
      },
    );

    it("is refused where a folder of it is swapped for a link, as the source is", async () => {
      const pins = await openPins(pinsDir, PROGRAM);
      await swap();
      await expect(pins.pin(part("data"))).rejects.toMatchObject({ kind: "invalid" });
      const mounts = [bind("own/data", { subpath: "file" })];
      await expect(pins.pin(specOf({ mounts }))).rejects.toMatchObject({ kind: "forbidden" });
    });

    it.each([
      ["nope", "not-found", (path: string) => `cannot access path ${path}: lstat ${path}: no such file or directory`],
      [
        "loop",
        "invalid",
        (path: string) => `error while resolving symlinks in combined path "${path}": EvalSymlinks: too many links`,
      ],
      [
        "data/file/x",
        "invalid",
        (path: string) => `error while resolving symlinks in combined path "${path}": not a directory`,
      ],
    ] as const)("is told in dockerd's words where it is none: %s", async (subpath, kind, words) => {
      const pins = await openPins(pinsDir, PROGRAM);
      await expect(pins.pin(part(subpath))).rejects.toMatchObject({ kind, message: words(join(dir, "own", subpath)) });
    });
  });

  it.each(["rprivate", "rslave"])(
    "brings the mounts in it along, and leaves them where they are: %s",
    async (propagation) => {
      const inner = await mkdir(join(dir, "own/data/inner"), { recursive: true });
      expect(inner).toBeDefined();
      execFileSync("mount", ["-t", "tmpfs", "none", join(dir, "own/data/inner")]);
      execFileSync("mount", ["--make-rshared", join(dir, "own/data/inner")]);
      await writeFile(join(dir, "own/data/inner/file"), "inner");
      const pins = await openPins(pinsDir, PROGRAM);
      const { spec, release } = await pins.pin(specOf({ mounts: [bind("own/data", { propagation })] }));
      expect(await readFile(join(sourcesOf(spec)[0] ?? "", "inner/file"), "utf8")).toBe("inner");
      await release();
      expect(await readFile(join(dir, "own/data/inner/file"), "utf8")).toBe("inner");
    },
  );

  it("that a killed run left is let go of, with nothing in it lost", async () => {
    await (await openPins(pinsDir, PROGRAM)).pin(specOf({ mounts: [bind("own/data")] }));
    expect(await mountPointsUnder(pinsDir)).toHaveLength(1);
    await openPins(pinsDir, PROGRAM);
    expect(await readFile(join(dir, "own/data/file"), "utf8")).toBe("own");
  });

  it("is left as it is where it need not be exact, or tells the host of its mounts", async () => {
    const pins = await openPins(pinsDir, PROGRAM);
    const spec = specOf({ mounts: [bind("own/data", { exact: false }), bind("own", { propagation: "rshared" })] });
    expect((await pins.pin(spec)).spec).toBe(spec);
  });
});

describe("a container", () => {
  let test: TestContainerd;
  beforeAll(async () => {
    test = await startTestContainerd();
  });
  afterAll(() => test?.dispose());

  it("that fails on a source reports the source's own path", async () => {
    const runtime = await openContainerdRuntime(test);
    const spec = specOf({ args: ["true"], mounts: [bind("own/data", { target: "/etc/passwd" })] });
    try {
      await runtime.create(spec.id, await busyboxLayers(test.containerd));
      const message = expect.stringContaining(`error mounting "${join(dir, "own/data")}" to rootfs at "/etc/passwd"`);
      await expect(runtime.start(spec)).rejects.toMatchObject({ message });
      await expect(runtime.start(spec)).rejects.not.toMatchObject({ message: expect.stringContaining(test.runDir) });
    } finally {
      await runtime.remove(spec.id);
      await runtime.close();
    }
  });

  it("sees what was checked, though a link has its path by the time that runc mounts", async () => {
    const containerd = openContainerd(test.containerd);
    const create = containerd.tasks.create.bind(containerd.tasks);
    containerd.tasks.create = async (...args) => {
      await swap();
      return create(...args);
    };
    const runtime = await openContainerdRuntime({ ...test, containerd });
    const spec = specOf({ args: ["sh", "-c", "cat /data/file; echo more > /data/new"], mounts: [bind("own/data")] });
    try {
      await runtime.create(spec.id, await busyboxLayers(containerd));
      await runtime.start(spec);
      await runtime.wait(spec.id);
      expect((await readOutput(runtime, spec.id)).stdout).toBe("own");
      expect(await readFile(join(dir, "own/gone/new"), "utf8")).toBe("more\n");
      expect(await mountPointsUnder(join(test.runDir, "pins"))).toEqual([]);
    } finally {
      await runtime.remove(spec.id);
      await runtime.close();
      containerd.close();
    }
  });
});
