import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContainerSpec, Runtime } from "../../../containers/records/runtime.ts";
import type { ContainerId } from "../../../engine/ids.ts";
import { NATIVE_DIR } from "../../../host/native-dir.ts";
import { specOf } from "../../contract.testing.ts";
import { busyboxLayers } from "../busybox.testing.ts";
import { startTestContainerd, type TestContainerd } from "../containerd.testing.ts";
import { openContainerdRuntime } from "../runtime.ts";
import { runcRoot } from "./runc-state.ts";
import { installTaskRuntime, PLAIN_RUNTIME } from "./task-runtime.ts";

const run = promisify(execFile);
const RUNC = join(NATIVE_DIR, "runc");
const SHIM = join(NATIVE_DIR, "containerd-shim-berth-v2");

let test: TestContainerd;
let runtime: Runtime;
let layers: string;
let folder: string;
beforeAll(async () => {
  test = await startTestContainerd();
  layers = await busyboxLayers(test.containerd);
  runtime = await openContainerdRuntime(test);
  folder = await mkdtemp(join(test.runDir, "runtime-"));
});
afterAll(async () => {
  await runtime.close();
  await test.dispose();
});

async function create(spec: Partial<ContainerSpec> = {}): Promise<ContainerSpec> {
  const whole = specOf({ args: ["sleep", "1000000"], ...spec });
  await runtime.create(whole.id, layers);
  return whole;
}

function bundleOf(id: string): string {
  return join(test.containerdState, "io.containerd.runtime.v2.task", test.instance, id);
}

async function runtimeOf(id: string): Promise<readonly string[]> {
  return await Promise.all(["shim-binary-path", "runtime"].map((name) => readFile(join(bundleOf(id), name), "utf8")));
}

describe("the programs in front of the shim and of runc", () => {
  it("start a task, from the state folder", async () => {
    const spec = await create();
    await runtime.start(spec);
    const installed = join(test.stateDir, "runtime");
    expect(await runtimeOf(spec.id)).toEqual([join(installed, "containerd-shim-berth-v2"), join(installed, "runc")]);
    await runtime.remove(spec.id);
  });

  it("are not used with a containerd that may not see the state folder", async () => {
    const plain = await openContainerdRuntime({ ...test, ownContainerd: false });
    const spec = await create();
    await plain.start(spec);
    expect((await runtimeOf(spec.id))[1]).toBe("");
    await plain.kill(spec.id, 9);
    await plain.wait(spec.id);
    // The next start is by the others, as after an upgrade of Berth.
    await runtime.start(spec);
    expect((await runtimeOf(spec.id))[1]).toBe(join(test.stateDir, "runtime/runc"));
    await plain.close();
    await runtime.remove(spec.id);
  });

  it.each(["2.1.9", "1.8.0", "1.5.13", ""])("are not used with containerd %s", async (version) => {
    expect(await installTaskRuntime(folder, { nativeDir: NATIVE_DIR, version })).toEqual(PLAIN_RUNTIME);
  });

  it.each(["1.6.20~ds1", "v1.7.29"])(
    "are used with containerd %s, and replaced by a later release's",
    async (version) => {
      const target = join(folder, "containerd-shim-berth-v2");
      await writeFile(target, "an earlier release's");
      const { name, options } = await installTaskRuntime(folder, { nativeDir: NATIVE_DIR, version });
      expect(name).toBe(target);
      expect(options?.value.toString()).toContain(join(folder, "runc"));
      expect((await readFile(target)).equals(await readFile(SHIM))).toBe(true);
    },
  );

  it("are refused in a folder where no program can run", async () => {
    const closed = join(folder, "closed");
    await mkdir(closed);
    await run("mount", ["-t", "tmpfs", "-o", "noexec", "tmpfs", closed]);
    try {
      const options = { nativeDir: NATIVE_DIR, version: "1.6.20" };
      await expect(installTaskRuntime(closed, options)).rejects.toThrow("EACCES");
    } finally {
      await run("umount", [closed]);
    }
  });
});

describe("the shim", () => {
  const args = (id: string) => ["-namespace", test.instance, "-address", "/none", "-id", id, "start"];

  /** Starts a shim as containerd does, in a bundle of its own. */
  async function startShim(id: string): Promise<{ readonly address: string; readonly pid: number }> {
    const bundle = join(folder, id);
    await mkdir(bundle, { recursive: true });
    await writeFile(join(bundle, "log"), "");
    await rm(join(bundle, "address"), { force: true });
    const { stdout: address } = await run(SHIM, args(id), {
      cwd: bundle,
      env: { ...process.env, TTRPC_ADDRESS: "/none" },
    });
    expect(await readFile(join(bundle, "address"), "utf8")).toBe(address);
    const words = ["containerd-shim-runc-v2", "-namespace", test.instance, "-id", id, "-address"];
    const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(names.map((name) => readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "")));
    return { address, pid: Number(names[lines.findIndex((line) => line.startsWith(words.join("\0")))]) };
  }

  const ends = (pid: number) => expect.poll(() => access(`/proc/${pid}`).catch(() => "gone")).toBe("gone");

  it("has a socket for root alone, and removes it when it ends", async () => {
    const { address, pid } = await startShim("gentle");
    const path = address.slice("unix://".length);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    // It takes the signal once it serves.
    await expect.poll(() => readFile(join(folder, "gentle/log"), "utf8")).toContain("starting signal loop");
    process.kill(pid, "SIGTERM");
    await ends(pid);
    await expect(access(path)).rejects.toThrow("ENOENT");
  });

  it("runs on one processor at a time, so that its collection of garbage does not wait for itself", async () => {
    const { address, pid } = await startShim("lone");
    expect(await readFile(`/proc/${pid}/environ`, "utf8")).toMatch(/(^|\0)GOMAXPROCS=1\0/);
    process.kill(pid, "SIGKILL");
    await ends(pid);
    await rm(address.slice("unix://".length));
  });

  it("takes over the socket of one that was killed, and shares that of one which runs", async () => {
    const first = await startShim("again");
    const second = await startShim("again");
    expect(second).toEqual(first);
    process.kill(first.pid, "SIGKILL");
    await ends(first.pid);
    const third = await startShim("again");
    expect(third.address).toBe(first.address);
    expect(third.pid).not.toBe(first.pid);
    process.kill(third.pid, "SIGKILL");
    await rm(third.address.slice("unix://".length));
  });

  it("fails where containerd's shim cannot be started, and leaves no socket", async () => {
    const bundle = join(folder, "nowhere");
    await mkdir(bundle);
    const failing = run(SHIM, args("nowhere"), { cwd: bundle, env: { PATH: "/nowhere" } });
    await expect(failing).rejects.toThrow("containerd-shim-runc-v2: No such file or directory");
    const address = await readFile(join(bundle, "address"), "utf8");
    await expect(access(address.slice("unix://".length))).rejects.toThrow("ENOENT");
  });
});

describe("runc's start", () => {
  const start = (id: string) => run(RUNC, ["--root", runcRoot(test.instance), "start", id]);

  /** A process that waits for its start. */
  async function createTask(): Promise<{ readonly id: ContainerId; readonly pid: number }> {
    const spec = await create();
    const { id } = spec;
    await runtime.start(spec);
    await runtime.kill(id, 9);
    await runtime.wait(id);
    const { containerd } = test;
    const io = { stdin: "", stdout: "", stderr: "", terminal: false };
    const { pid } = await containerd.tasks.create(id, io, await containerd.snapshots.mounts(id));
    return { id, pid };
  }

  async function openFilesOf(pid: number | undefined): Promise<readonly string[]> {
    const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
    return await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => "")));
  }

  async function discard(id: ContainerId): Promise<void> {
    await test.containerd.tasks.kill(id, 9).catch(() => {});
    await test.containerd.tasks.wait(id).catch(() => {});
    await test.containerd.tasks.delete(id).catch(() => {});
    await runtime.remove(id);
  }

  it("starts a process that waits, once", async () => {
    const { id, pid } = await createTask();
    await start(id);
    // The kernel closes the FIFO a moment before it shows the new program.
    await expect.poll(() => readFile(`/proc/${pid}/cmdline`, "utf8")).toBe("sleep\0" + "1000000\0");
    await expect(start(id)).rejects.toThrow("cannot start an already running container");
    await discard(id);
  });

  it("says of a process that has ended what runc says", async () => {
    const { id, pid } = await createTask();
    process.kill(pid, "SIGKILL");
    await test.containerd.tasks.wait(id);
    await expect(start(id)).rejects.toThrow("cannot start a container that has stopped");
    await discard(id);
  });

  it("does not wait for ever for a process that ends meanwhile", async () => {
    const { id, pid } = await createTask();
    // It cannot open its end of the FIFO while it is stopped.
    process.kill(pid, "SIGSTOP");
    const starting = start(id);
    const fifo = join(runcRoot(test.instance), id, "exec.fifo");
    await expect.poll(() => openFilesOf(starting.child.pid)).toContain(fifo);
    process.kill(pid, "SIGKILL");
    await expect(starting).rejects.toThrow("cannot start a container that has stopped");
    await discard(id);
  });

  it.each(["..", "../x", "nothing"])("refuses %s as runc does", async (id) => {
    const why = await start(id).catch(({ stderr }: { readonly stderr: string }) => stderr);
    const expected = await run("runc", ["--root", runcRoot(test.instance), "start", id]).catch(({ stderr }) => stderr);
    const withoutTime = (text: unknown) => String(text).replace(/time="[^"]*"/, "");
    expect(withoutTime(why)).toBe(withoutTime(expected));
  });
});
