import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ContainerSpec, Runtime, RuntimeEvent } from "../../containers/records/runtime.ts";
import type { ContainerId } from "../../engine/ids.ts";
import { chunksOf, execOf, readExec, readOutput, specOf } from "../contract.testing.ts";
import { busyboxLayers } from "./busybox.testing.ts";
import { startTestContainerd, type TestContainerd } from "./containerd.testing.ts";
import { mountPointsUnder } from "./rootfs/mount.ts";
import { openContainerdRuntime } from "./runtime.ts";

const execFileAsync = promisify(execFile);

let test: TestContainerd;
let runtime: Runtime;
let layers: string;
let dir: string;
let made: ContainerId[] = [];
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "berth-host-"));
  test = await startTestContainerd();
  layers = await busyboxLayers(test.containerd);
  runtime = await openContainerdRuntime(test);
});
afterEach(async () => {
  await Promise.all(made.map((id) => runtime.remove(id)));
  made = [];
});
afterAll(async () => {
  await runtime.close();
  await test.dispose();
  await rm(dir, { recursive: true });
});

async function create(wish: Partial<ContainerSpec>): Promise<ContainerSpec> {
  const spec = specOf(wish);
  made.push(spec.id);
  await runtime.create(spec.id, layers);
  return spec;
}
async function start(wish: Partial<ContainerSpec>): Promise<ContainerSpec> {
  const spec = await create(wish);
  await runtime.start(spec);
  return spec;
}
/** What a shell script writes and ends with. */
async function run(script: string, wish: Partial<ContainerSpec> = {}) {
  const spec = await start({ args: ["sh", "-c", script], ...wish });
  const { exitCode } = await runtime.wait(spec.id);
  return { ...(await readOutput(runtime, spec.id)), exitCode };
}
async function outputOf(script: string, wish: Partial<ContainerSpec> = {}) {
  return (await run(script, wish)).stdout;
}
const FOREVER = ["sleep", "1000000"];

describe("what a process gets", () => {
  it("has Docker's capabilities, a filter and no more", async () => {
    const status = await outputOf("cat /proc/self/status");
    expect(status).toMatch(/^CapEff:\s+00000000a80425fb$/m);
    expect(status).toMatch(/^CapBnd:\s+00000000a80425fb$/m);
    expect(status).toMatch(/^CapInh:\s+0000000000000000$/m);
    expect(status).toMatch(/^Seccomp:\s+2$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+0$/m);
  });

  it.each([
    [{ add: ["net_admin"], drop: ["CAP_MKNOD"] }, "00000000a00435fb"],
    [{ add: ["SYS_PTRACE"], drop: ["ALL"] }, "0000000000080000"],
    [{ add: [], drop: ["all"] }, "0000000000000000"],
  ])("has the capabilities of %o", async (capabilities, mask) => {
    expect(await outputOf("cat /proc/self/status", { capabilities })).toMatch(new RegExp(`^CapEff:\\s+${mask}$`, "m"));
  });

  it("has all that we have when it is privileged, with the host's devices", async () => {
    const ours = /^CapEff:\s+(\w+)$/m.exec(await readFile("/proc/self/status", "utf8"))?.[1];
    const script =
      "cat /proc/self/status; ls /dev; mount | grep ' /sys '; touch /proc/sys/kernel/hostname && echo writable";
    const text = await outputOf(script, { privileged: true });
    expect(text).toMatch(new RegExp(`^CapEff:\\s+${ours}$`, "m"));
    expect(text).toMatch(/^Seccomp:\s+0$/m);
    expect(text).toMatch(/^kmsg$/m);
    expect(text).toMatch(/ \/sys type sysfs \(rw/);
    expect(text).toContain("writable");
  });

  it.each([
    ["", "uid=0(root) gid=0(root) groups=0(root)"],
    ["alice", "uid=1000(alice) gid=1000(alice) groups=50(staff),1000(alice)"],
    ["alice:audio", "uid=1000(alice) gid=29(audio) groups=29(audio)"],
    ["4242", "uid=4242 gid=0(root) groups=0(root)"],
  ])("runs as user %j", async (user, expected) => {
    expect((await outputOf("id", { user })).trim()).toBe(expected);
  });

  it("runs in a new folder, with its environment, name and limits", async () => {
    const script = "pwd; echo $A; hostname; ulimit -n; ulimit -Hn; cat /proc/self/oom_score_adj";
    const text = await outputOf(script, {
      cwd: "/new/folder",
      env: ["PATH=/bin", "A=b c"],
      hostname: "harbour",
      ulimits: [{ name: "nofile", soft: 100, hard: -1 }],
      oomScoreAdj: 100,
    });
    const [cwd, a, hostname, soft, hard, score] = text.split("\n");
    expect([cwd, a, hostname, soft, score]).toEqual(["/new/folder", "b c", "harbour", "100", "100"]);
    const ours = /^Max open files\s+\S+\s+(\S+)/m.exec(await readFile("/proc/self/limits", "utf8"))?.[1];
    expect(hard).toBe(ours);
  });

  it("sees what is mounted, and writes only where it may", async () => {
    await writeFile(join(dir, "file"), "from the host\n");
    await mkdir(join(dir, "folder"), { recursive: true });
    const script = [
      "cat /mnt/file; echo x > /mnt/file; echo y > /data/new; echo z > /root-file; echo w > /tmp/x && cat /tmp/x",
      "echo 1 > /proc/sys/kernel/hostname; cat /proc/kcore; df_shm=$(mount | grep /dev/shm); echo $df_shm",
    ].join(";");
    const { stdout, stderr } = await run(script, {
      readonlyRootfs: true,
      shmSize: 1 << 20,
      mounts: [
        { kind: "tmpfs", target: "/tmp", options: ["size=64k", "exec"] },
        {
          kind: "bind",
          source: join(dir, "file"),
          target: "/mnt/file",
          readonly: true,
          propagation: "",
          recursive: true,
        },
        {
          kind: "bind",
          source: join(dir, "folder"),
          target: "/data",
          readonly: false,
          propagation: "rslave",
          recursive: true,
        },
      ],
    });
    expect(stdout).toMatch(/^from the host\nw\n.*size=1024k/);
    expect(stderr).toContain("can't create /mnt/file: Read-only file system");
    expect(stderr).toContain("can't create /root-file: Read-only file system");
    expect(stderr).toContain("can't create /proc/sys/kernel/hostname: Read-only file system");
    expect(await readFile(join(dir, "folder/new"), "utf8")).toBe("y\n");
  });

  it.each([true, false])("keeps what is mounted below a bind as read-only as the bind: %s", async (readonly) => {
    const source = join(dir, `tree-${readonly}`);
    const below = join(source, "below");
    await mkdir(below, { recursive: true });
    await execFileAsync("mount", ["-t", "tmpfs", "below", below]);
    try {
      const mount = { kind: "bind", source, target: "/x", readonly, propagation: "", recursive: true } as const;
      const { stderr } = await run("echo x > /x/here; echo y > /x/below/there", { mounts: [mount] });
      const refused = ["/x/here", "/x/below/there"].map((path) => `can't create ${path}: Read-only file system`);
      for (const text of refused) expect(stderr.includes(text)).toBe(readonly);
      expect(await readdir(below)).toEqual(readonly ? [] : ["there"]);
      await writeFile(join(below, "of-the-host"), "");
    } finally {
      await execFileAsync("umount", [below]);
    }
  });

  it("has an init as process 1 where it asks for one", async () => {
    const { stdout, exitCode } = await run("cat /proc/1/cmdline; exit 7", { init: true });
    expect(stdout).toContain("/sbin/docker-init");
    expect(exitCode).toBe(7);
    // Without an init, process 1 ignores what it does not handle.
    const spec = await start({ args: ["sh", "-c", "echo ready; exec sleep 1000000"], init: true });
    for await (const _ of runtime.output(spec.id, { stdout: true, stderr: true, follow: true })) break;
    await runtime.kill(spec.id, 15);
    expect((await runtime.wait(spec.id)).exitCode).toBe(143);
  });

  it("is bound by its limits, and an OOM kill is reported", async () => {
    const abort = new AbortController();
    const events: RuntimeEvent[] = [];
    const listening = (async () => {
      for await (const event of runtime.events(abort.signal)) events.push(event);
    })();
    const spec = await start({
      args: ["sh", "-c", "cat; head -c 60000000 /dev/zero | tail"],
      stdin: true,
      resources: { memory: 16 << 20, memorySwap: 16 << 20, pidsLimit: 20, cpuQuota: 50_000, cpuPeriod: 100_000 },
    });
    const stats = await runtime.stats(spec.id);
    expect(stats).toMatchObject({ pids: { limit: 20 }, memory: { limit: 16 << 20 } });
    expect(stats.memory.stats).toHaveProperty("total_inactive_file");
    (await runtime.stdin(spec.id)).end();
    expect((await runtime.wait(spec.id)).exitCode).toBe(137);
    await expect.poll(() => events).toContainEqual({ kind: "oom", id: spec.id });
    abort.abort();
    await listening;
  });

  it("is refused what can't be, before anything is made", async () => {
    for (const wish of [
      { capabilities: { add: ["FLY"], drop: [] } },
      { ulimits: [{ name: "wings", soft: 1, hard: 1 }] },
      { deviceCgroupRules: ["everything"] },
      { devices: [{ hostPath: "/dev/not-there", path: "/dev/x", permissions: "rwm" }] },
      { seccomp: { kind: "profile", json: "{" } },
    ] as const) {
      const spec = await create(wish);
      await expect(runtime.start(spec)).rejects.toMatchObject({ kind: "invalid" });
    }
  });
});

describe("a terminal", () => {
  it("takes input, size and both streams as one", async () => {
    const spec = await start({ args: ["sh"], env: ["PATH=/bin", "PS1=$ "], terminal: true, stdin: true });
    const output = runtime.output(spec.id, { stdout: true, stderr: true, follow: true });
    await runtime.resize(spec.id, { height: 33, width: 99 });
    (await runtime.stdin(spec.id)).write("stty size; echo err >&2; exit 4\n");
    let text = "";
    for await (const { stream, data } of chunksOf(output)) {
      expect(stream).toBe("stdout");
      text += data;
    }
    expect(text).toContain("33 99\r\nerr\r\n");
    expect((await runtime.wait(spec.id)).exitCode).toBe(4);
  });

  it("goes on when a client ends its input, and takes the next one's", async () => {
    const spec = await start({ args: ["cat"], terminal: true, stdin: true });
    const text = readOutput(runtime, spec.id);
    await finished((await runtime.stdin(spec.id)).end("one\n"));
    await finished((await runtime.stdin(spec.id)).end("two\n\x04"));
    expect((await runtime.wait(spec.id)).exitCode).toBe(0);
    expect((await text).stdout).toContain("two\r\n");
  });

  it("is there for an exec", async () => {
    const spec = await start({ args: FOREVER });
    const size = { height: 20, width: 70 };
    const wish = { args: ["sh", "-c", "stty size; echo err >&2; exit 3"], terminal: true, size };
    const { stdout, stderr, exitCode } = await readExec(await runtime.exec(spec.id, "tty", execOf(wish)));
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: "20 70\r\nerr\r\n", stderr: "", exitCode: 3 });
  });
});

describe("an exec", () => {
  it("may write though it is detached", async () => {
    const spec = await start({ args: FOREVER });
    const wish = { args: ["sh", "-c", "echo one && echo two >&2 && exit 4"], detached: true };
    expect(await (await runtime.exec(spec.id, "quiet", execOf(wish))).exit).toEqual({ exitCode: 4 });
  });

  it("has no more than its container, unless it is privileged", async () => {
    const capabilities = { add: [], drop: ["ALL"] };
    const spec = await start({ args: FOREVER, capabilities, noNewPrivileges: true });
    const container = {
      privileged: false,
      capabilities,
      noNewPrivileges: true,
      additionalGroups: ["audio"],
      ulimits: [],
    };
    const statusOf = async (privileged: boolean) => {
      const wish = execOf({
        args: ["sh", "-c", "cat /proc/self/status; id; pwd"],
        container,
        privileged,
        user: "root",
        cwd: "/tmp",
      });
      return (await readExec(await runtime.exec(spec.id, `e-${privileged}`, wish))).stdout;
    };
    const status = await statusOf(false);
    expect(status).toMatch(/^CapEff:\s+0000000000000000$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(status).toContain("groups=0(root),29(audio)\n/tmp\n");
    expect(await statusOf(true)).not.toMatch(/^CapEff:\s+0000000000000000$/m);
  });
});

describe("the log", () => {
  it("gives back every byte", async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    const binary = Buffer.concat(Array.from({ length: 300 }, () => bytes));
    await writeFile(
      join(dir, "bytes"),
      Buffer.concat([bytes, Buffer.from("é€😀\n"), bytes, Buffer.alloc(99_999), binary]),
    );
    const spec = await start({
      args: ["cat", "/bytes"],
      mounts: [
        {
          kind: "bind",
          source: join(dir, "bytes"),
          target: "/bytes",
          readonly: true,
          propagation: "",
          recursive: true,
        },
      ],
    });
    await runtime.wait(spec.id);
    const parts: Buffer[] = [];
    for await (const { data } of chunksOf(runtime.output(spec.id, { stdout: true, stderr: true, follow: false })))
      parts.push(data);
    expect(Buffer.concat(parts)).toEqual(await readFile(join(dir, "bytes")));
  });

  it("is cut to its size, and a follower misses nothing of it", async () => {
    const spec = await create({
      args: ["sh", "-c", "cat; seq 1 3000"],
      stdin: true,
      log: { maxBytes: 50_000, maxFiles: 3 },
    });
    const followed = readOutput(runtime, spec.id, { from: await runtime.outputEnd(spec.id) });
    await runtime.start(spec);
    (await runtime.stdin(spec.id)).end();
    await runtime.wait(spec.id);
    const kept = (await readOutput(runtime, spec.id)).stdout;
    expect((await followed).stdout.endsWith(kept)).toBe(true);
    expect(kept.endsWith("\n3000\n")).toBe(true);
    expect(kept.length).toBeLessThan(3000 * 5);
    expect((await stat(runtime.logPath(spec.id))).size).toBeLessThanOrEqual(50_000);
  });

  it("loses nothing when the daemon is killed, and neither does who waits", async () => {
    const spec = await start({ args: ["sh", "-c", "cat; exit 9"], stdin: true });
    const stdin = await runtime.stdin(spec.id);
    const text = readOutput(runtime, spec.id);
    const exit = runtime.wait(spec.id);
    const before = await test.pid();
    stdin.write("before\n");
    await test.crash();
    stdin.write("while it is away\n");
    await expect.poll(test.pid, { timeout: 10_000 }).not.toBe(before);
    expect((await runtime.list()).map(({ task }) => task?.status)).toEqual(["running"]);
    stdin.end("after\n");
    expect((await exit).exitCode).toBe(9);
    expect((await text).stdout).toBe("before\nwhile it is away\nafter\n");
  });

  it("is found, with the exit, of a process that ended while the daemon was away", async () => {
    const spec = await start({ args: ["sh", "-c", "read line; echo $line; exit 8"], stdin: true });
    const stdin = await runtime.stdin(spec.id);
    const before = await test.pid();
    await test.crash();
    stdin.write("last words\n");
    await expect.poll(test.pid, { timeout: 10_000 }).not.toBe(before);
    expect((await runtime.wait(spec.id)).exitCode).toBe(8);
    expect((await readOutput(runtime, spec.id)).stdout).toBe("last words\n");
  });
});

describe("a crash of what stands behind one container", () => {
  /** The pids of the processes whose command line has all of these words. */
  const pidsOf = async (...words: readonly string[]): Promise<readonly number[]> => {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
    const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
    return pids.filter((_, index) => words.every((word) => lines[index]?.includes(word)));
  };

  it("of its shim ends it, and it can start again", async () => {
    const spec = await start({ args: FOREVER });
    const [shim] = await pidsOf("containerd-shim", spec.id);
    process.kill(shim ?? 0, "SIGKILL");
    expect((await runtime.wait(spec.id)).exitCode).toBe(137);
    await runtime.start({ ...spec, args: ["true"] });
    expect((await runtime.wait(spec.id)).exitCode).toBe(0);
  });

  it("of its logger ends its log alone", async () => {
    const spec = await start({ args: ["sh", "-c", "cat >/dev/null; exit 5"], stdin: true });
    const text = readOutput(runtime, spec.id);
    const [logger] = await pidsOf("logger", spec.id);
    process.kill(logger ?? 0, "SIGKILL");
    expect(await text).toEqual({ stdout: "", stderr: "" });
    (await runtime.stdin(spec.id)).end();
    expect((await runtime.wait(spec.id)).exitCode).toBe(5);
  });
});

it("discards a task that a crash left created but not started", async () => {
  const { containerd } = test;
  const spec = await create({ args: FOREVER });
  await runtime.start(spec);
  await runtime.kill(spec.id, 9);
  await runtime.wait(spec.id);
  const io = { stdin: "", stdout: "", stderr: "", terminal: false };
  const { pid } = await containerd.tasks.create(spec.id, io, await containerd.snapshots.mounts(spec.id));
  expect(await containerd.tasks.list()).toMatchObject([{ status: "CREATED", pid }]);
  await runtime.close();
  runtime = await openContainerdRuntime(test);
  expect(await runtime.list()).toEqual([{ id: spec.id, task: undefined }]);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

it("runs many at once, with nothing mixed up or left", async () => {
  const one = async (index: number) => {
    const spec = await start({ args: ["sh", "-c", `cat; echo ${index}; exit ${index}`], stdin: index % 2 === 0 });
    const text = readOutput(runtime, spec.id);
    if (spec.stdin) (await runtime.stdin(spec.id)).end();
    expect((await runtime.wait(spec.id)).exitCode).toBe(index);
    expect((await text).stdout).toBe(`${index}\n`);
    await runtime.remove(spec.id);
  };
  await Promise.all(Array.from({ length: 16 }, (_, index) => one(index)));
  expect(await runtime.list()).toEqual([]);
  expect(await test.containerd.tasks.list()).toEqual([]);
});

describe("the root file system", () => {
  it("leads nobody out by a link", async () => {
    await writeFile(join(dir, "passwd"), "intruder:x:0:0::/:/bin/sh\n");
    const spec = await create({ args: FOREVER, user: "intruder" });
    await runtime.withRootfs(spec.id, async (root) => {
      await rm(join(root, "etc/passwd"));
      await symlink(join(dir, "passwd"), join(root, "etc/passwd"));
    });
    const message = "unable to find user intruder: no matching entries in passwd file";
    await expect(runtime.start(spec)).rejects.toMatchObject({ message });
    await runtime.start({ ...spec, user: "" });
    await expect(runtime.exec(spec.id, "e", execOf({ user: "intruder" }))).rejects.toMatchObject({ message });
  });

  it("is unmounted after each use", async () => {
    const spec = await create({ args: ["true"] });
    await runtime.withRootfs(spec.id, (root) => readFile(join(root, "etc/group")));
    await runtime.start(spec);
    await runtime.wait(spec.id);
    await runtime.remove(spec.id);
    expect(await mountPointsUnder(test.runDir)).toEqual([test.containerdState]);
    expect(await test.containerd.snapshots.list([`name==${spec.id}`])).toEqual([]);
    await expect(stat(runtime.logPath(spec.id))).rejects.toThrow("ENOENT");
  });
});

it("names its versions", async () => {
  expect(await runtime.version()).toEqual({
    name: "containerd",
    version: expect.stringMatching(/^v?\d+\./),
    runc: expect.stringMatching(/^1\./),
  });
});
