import { randomBytes } from "node:crypto";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { extract } from "tar-stream";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type {
  ContainerSpec,
  ExecSession,
  ExecSpec,
  Output,
  OutputOptions,
  Runtime,
} from "../containers/records/runtime.ts";
import type { ContainerId } from "../engine/ids.ts";
import { digestOf } from "../images/manifest/manifest.ts";

/** A runtime under test, and what surrounds it. */
export interface Subject {
  readonly runtime: Runtime;
  /** A root file system with a busybox in /bin and /etc/notes, which nobody may execute. */
  readonly layers: string;
  /** The runtime as a new service process finds it; the suite closes the old object. */
  reopen(): Promise<Runtime>;
  dispose(): Promise<void>;
}

/** A container with Docker's defaults, for one test. */
export function specOf(wish: Partial<ContainerSpec>): ContainerSpec {
  return {
    id: randomBytes(32).toString("hex") as ContainerId,
    args: ["true"],
    env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
    cwd: "/",
    user: "",
    additionalGroups: [],
    hostname: "berth",
    domainname: "",
    annotations: {},
    consoleSize: undefined,
    terminal: false,
    stdin: false,
    mounts: [],
    readonlyRootfs: false,
    privileged: false,
    capabilities: { add: [], drop: [] },
    seccomp: { kind: "default" },
    noNewPrivileges: false,
    maskedPaths: undefined,
    readonlyPaths: undefined,
    namespaces: {
      network: { kind: "private" },
      pid: { kind: "private" },
      ipc: { kind: "private" },
      uts: { kind: "private" },
      cgroup: { kind: "host" },
    },
    devices: [],
    deviceCgroupRules: [],
    resources: {},
    ulimits: [],
    sysctls: {},
    shmSize: 64 << 20,
    oomScoreAdj: 0,
    init: false,
    cgroupParent: "",
    log: { maxBytes: undefined, maxFiles: 1 },
    ...wish,
  };
}

export function execOf(wish: Partial<ExecSpec>): ExecSpec {
  return {
    args: ["true"],
    env: ["PATH=/bin"],
    cwd: "/",
    user: "",
    terminal: false,
    stdin: false,
    privileged: false,
    container: {
      privileged: false,
      capabilities: { add: [], drop: [] },
      noNewPrivileges: false,
      additionalGroups: [],
      ulimits: [],
    },
    ...wish,
  };
}

/** One after the other, however many come at once. */
export async function* chunksOf<Chunk>(output: Output<Chunk>): AsyncGenerator<Chunk> {
  for await (const chunks of output) yield* chunks;
}

/** Both streams of the log, in one text each. */
export async function readOutput(runtime: Runtime, id: ContainerId, options: Partial<OutputOptions> = {}) {
  const text = { stdout: "", stderr: "" };
  const output = runtime.output(id, { stdout: true, stderr: true, follow: true, ...options });
  for await (const { stream, data } of chunksOf(output)) text[stream] += data;
  return text;
}

export async function readExec({ output, exit }: ExecSession) {
  const text = { stdout: "", stderr: "" };
  for await (const { stream, data } of chunksOf(output)) text[stream] += data;
  return { ...text, ...(await exit) };
}

/** What every runtime has to do, whatever runs the containers. */
export function runtimeContract(open: () => Promise<Subject>): void {
  let subject: Subject;
  let runtime: Runtime;
  let made: ContainerId[] = [];
  beforeAll(async () => {
    subject = await open();
    runtime = subject.runtime;
  });
  afterEach(async () => {
    await Promise.all(made.map((id) => runtime.remove(id)));
    made = [];
    expect(await runtime.list()).toEqual([]);
  });
  afterAll(async () => {
    await runtime.close();
    await subject.dispose();
  });

  const create = async (wish: Partial<ContainerSpec>): Promise<ContainerSpec> => {
    const spec = specOf(wish);
    made.push(spec.id);
    await runtime.create(spec.id, subject.layers);
    return spec;
  };
  const start = async (wish: Partial<ContainerSpec>): Promise<ContainerSpec> => {
    const spec = await create(wish);
    await runtime.start(spec);
    return spec;
  };
  const forever = ["sleep", "1000000"];
  const statusOf = async (id: ContainerId) => (await runtime.list()).find((found) => found.id === id)?.task?.status;
  const absent = { kind: "not-found" };

  describe("life", () => {
    it("goes from created through running to gone", async () => {
      const spec = await create({ args: forever });
      await runtime.create(spec.id, subject.layers);
      expect(await runtime.list()).toEqual([{ id: spec.id, task: undefined }]);
      const { pid } = await runtime.start(spec);
      expect(await runtime.list()).toEqual([{ id: spec.id, task: { status: "running", pid } }]);
      expect(await runtime.processes(spec.id)).toEqual([pid]);
      const exit = runtime.wait(spec.id);
      await runtime.kill(spec.id, 9);
      expect(await exit).toEqual({ exitCode: 137, exitedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) });
      expect(await runtime.list()).toEqual([{ id: spec.id, task: undefined }]);
      await runtime.remove(spec.id);
      await runtime.remove(spec.id);
    });

    it.each([0, 3, 255])("gives exit code %i to all who wait, at any time", async (code) => {
      const spec = await start({ args: ["sh", "-c", `exit ${code}`] });
      const exits = await Promise.all([runtime.wait(spec.id), runtime.wait(spec.id)]);
      expect(exits.map(({ exitCode }) => exitCode)).toEqual([code, code]);
      expect((await runtime.wait(spec.id)).exitCode).toBe(code);
    });

    it("lets a waiter leave, and only that one", async () => {
      const spec = await start({ args: forever });
      const abort = new AbortController();
      const left = runtime.wait(spec.id, abort.signal);
      const stays = runtime.wait(spec.id);
      abort.abort(new Error("left"));
      await expect(left).rejects.toThrow("left");
      await runtime.kill(spec.id, 9);
      expect((await stays).exitCode).toBe(137);
    });

    it("pauses and resumes, also what is so already", async () => {
      const spec = await start({ args: forever });
      for (const _ of ["once", "again"]) {
        await runtime.pause(spec.id);
        expect(await statusOf(spec.id)).toBe("paused");
      }
      for (const _ of ["once", "again"]) {
        await runtime.resume(spec.id);
        expect(await statusOf(spec.id)).toBe("running");
      }
      await runtime.pause(spec.id);
      // The suite removes it as it is.
    });

    it("is not started twice", async () => {
      const spec = await start({ args: ["cat"], stdin: true });
      await expect(runtime.start(spec)).rejects.toMatchObject({ kind: "conflict" });
      (await runtime.stdin(spec.id)).end("still here\n");
      expect((await runtime.wait(spec.id)).exitCode).toBe(0);
      expect((await readOutput(runtime, spec.id)).stdout).toBe("still here\n");
    });

    it("starts again, and the log goes on", async () => {
      const spec = await start({ args: ["echo", "once"] });
      await runtime.wait(spec.id);
      await runtime.start({ ...spec, args: ["echo", "twice"] });
      await runtime.wait(spec.id);
      expect((await readOutput(runtime, spec.id)).stdout).toBe("once\ntwice\n");
    });

    it("knows nothing of an unknown container", async () => {
      const { id } = specOf({});
      await expect(runtime.wait(id)).rejects.toMatchObject(absent);
      await expect(runtime.kill(id, 9)).rejects.toMatchObject(absent);
      await expect(runtime.pause(id)).rejects.toMatchObject(absent);
      await expect(runtime.stats(id)).rejects.toMatchObject(absent);
      await expect(runtime.processes(id)).rejects.toMatchObject(absent);
      await expect(runtime.usage(id)).rejects.toMatchObject(absent);
      await expect(runtime.exec(id, "e", execOf({}))).rejects.toMatchObject(absent);
      await expect(runtime.assertUser(id, "")).rejects.toMatchObject(absent);
      await expect(runtime.start(specOf({}))).rejects.toMatchObject(absent);
      expect(await readOutput(runtime, id)).toEqual({ stdout: "", stderr: "" });
      await runtime.remove(id);
    });

    it("tells statistics of what runs", async () => {
      const spec = await start({ args: forever });
      const stats = await runtime.stats(spec.id);
      expect(stats.pids.current).toBeGreaterThan(0);
      expect(stats.cpu.total).toBeGreaterThanOrEqual(0);
      expect(stats.memory.usage).toBeGreaterThan(0);
      expect(Date.parse(stats.read)).not.toBeNaN();
    });

    it("takes new limits while it runs", async () => {
      const spec = await start({ args: forever, resources: { memory: 64 << 20 } });
      expect((await runtime.stats(spec.id)).memory.limit).toBe(64 << 20);
      await runtime.update(spec.id, { memory: 32 << 20, memorySwap: 64 << 20 });
      expect((await runtime.stats(spec.id)).memory.limit).toBe(32 << 20);
    });
  });

  describe("a start that fails", () => {
    it.each([
      [
        "not found in $PATH",
        ["nope"],
        { kind: "invalid", exitCode: 127, message: /exec: "nope": executable file not found/ },
      ],
      ["not there", ["/bin/nope"], { kind: "invalid", exitCode: 127, message: /no such file or directory/ }],
      ["not executable", ["/etc/notes"], { kind: "invalid", exitCode: 126, message: /permission denied/ }],
    ])("says that the program is %s, and leaves nothing", async (_, args, { message, ...error }) => {
      const spec = await create({ args });
      const failure = await runtime.start(spec).catch((thrown) => thrown);
      expect(failure).toMatchObject(error);
      expect(failure.message).toMatch(message);
      expect(await runtime.list()).toEqual([{ id: spec.id, task: undefined }]);
      await runtime.start({ ...spec, args: ["true"] });
      expect((await runtime.wait(spec.id)).exitCode).toBe(0);
    });

    it.each([
      ["nobody-here", "unable to find user nobody-here: no matching entries in passwd file"],
      ["root:no-group", "unable to find group no-group: no matching entries in group file"],
    ])("says that there is no user %s", async (user, message) => {
      const spec = await create({ user });
      await expect(runtime.start(spec)).rejects.toMatchObject({ kind: "invalid", message });
    });

    it("releases clients that attached and wrote to it, as a removal does", async () => {
      const spec = await create({ args: ["nope"], stdin: true });
      const attach = async () => {
        const [stdin, from] = await Promise.all([runtime.stdin(spec.id), runtime.outputEnd(spec.id)]);
        const written = new Promise((resolve) => stdin.write("to nobody\n", resolve));
        const done = Promise.all([readOutput(runtime, spec.id, { from }), written]);
        return { from, text: done.then(([text]) => text) };
      };
      const nothing = { stdout: "", stderr: "" };
      const first = await attach();
      await runtime.start(spec).catch(() => {});
      expect(await first.text).toEqual(nothing);
      const second = await attach();
      await runtime.remove(spec.id);
      expect(await second.text).toEqual(nothing);
      expect(await readOutput(runtime, spec.id, { from: second.from })).toEqual(nothing);
    });

    it("releases a client that attached before it", async () => {
      const spec = await create({ args: ["nope"] });
      const from = await runtime.outputEnd(spec.id);
      const text = readOutput(runtime, spec.id, { from });
      await runtime.start(spec).catch(() => {});
      expect(await text).toEqual({ stdout: "", stderr: "" });
    });
  });

  describe("output", () => {
    it("keeps the streams apart, each chunk with its time", async () => {
      const spec = await start({ args: ["sh", "-c", "echo out; echo err >&2"] });
      expect(await readOutput(runtime, spec.id)).toEqual({ stdout: "out\n", stderr: "err\n" });
      await runtime.wait(spec.id);
      expect(await readOutput(runtime, spec.id, { stderr: false })).toEqual({ stdout: "out\n", stderr: "" });
      expect(await readOutput(runtime, spec.id, { stdout: false })).toEqual({ stdout: "", stderr: "err\n" });
      for await (const { time } of chunksOf(runtime.output(spec.id, { stdout: true, stderr: true, follow: false }))) {
        expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
      }
    });

    it("gives the last lines, and what lies between two moments", async () => {
      const spec = await start({ args: ["sh", "-c", "echo 1; echo 2; echo 3; echo 4"] });
      await runtime.wait(spec.id);
      const tail = async (count: number) => (await readOutput(runtime, spec.id, { tail: count })).stdout;
      expect([await tail(0), await tail(1), await tail(3), await tail(9)]).toEqual([
        "",
        "4\n",
        "2\n3\n4\n",
        "1\n2\n3\n4\n",
      ]);
      const [early, late] = ["2000-01-01T00:00:00Z", "2100-01-01T00:00:00+02:00"];
      expect((await readOutput(runtime, spec.id, { since: early, until: late })).stdout).toBe("1\n2\n3\n4\n");
      expect((await readOutput(runtime, spec.id, { since: late })).stdout).toBe("");
      expect((await readOutput(runtime, spec.id, { until: early })).stdout).toBe("");
    });

    it("gives everything to a client that attached before the start, and only what follows to a later one", async () => {
      const spec = await create({ args: ["cat"], stdin: true });
      const first = readOutput(runtime, spec.id, { from: await runtime.outputEnd(spec.id) });
      await runtime.start(spec);
      const stdin = await runtime.stdin(spec.id);
      stdin.write("one\n");
      for await (const _ of runtime.output(spec.id, { stdout: true, stderr: true, follow: true })) break;
      const second = readOutput(runtime, spec.id, { from: await runtime.outputEnd(spec.id) });
      stdin.end("two\n");
      expect((await runtime.wait(spec.id)).exitCode).toBe(0);
      expect((await first).stdout).toBe("one\ntwo\n");
      expect((await second).stdout).toBe("two\n");
    });

    it("ends for a client that attached to a process that is over before it reads", async () => {
      const spec = await create({ args: ["true"] });
      const from = await runtime.outputEnd(spec.id);
      await runtime.start(spec);
      await runtime.wait(spec.id);
      expect(await readOutput(runtime, spec.id, { from })).toEqual({ stdout: "", stderr: "" });
    });

    it("gives a prompt that has no newline", async () => {
      const spec = await start({ args: ["cat"], stdin: true });
      (await runtime.stdin(spec.id)).write("$ ");
      for await (const { data } of chunksOf(runtime.output(spec.id, { stdout: true, stderr: true, follow: true }))) {
        expect(String(data)).toBe("$ ");
        break;
      }
    });

    it("ends for a reader that leaves, and a slow reader delays no other", async () => {
      const spec = await start({ args: ["cat"], stdin: true });
      const abort = new AbortController();
      const leaves = readOutput(runtime, spec.id, { signal: abort.signal });
      const options = { stdout: true, stderr: true, follow: true };
      const slow = runtime.output(spec.id, options)[Symbol.asyncIterator]();
      const stdin = await runtime.stdin(spec.id);
      stdin.write("0\n");
      await slow.next();
      abort.abort();
      await leaves;
      const text = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join("");
      stdin.end(text);
      expect((await readOutput(runtime, spec.id)).stdout).toBe(`0\n${text}`);
      expect(String((await slow.next()).value?.[0]?.data)).toBe("1\n");
      await slow.return?.();
    });
  });

  describe("input", () => {
    it("reaches the process, also what was written before it started", async () => {
      const spec = await create({ args: ["cat"], stdin: true });
      const stdin = await runtime.stdin(spec.id);
      stdin.end("early\n");
      await runtime.start(spec);
      expect((await runtime.wait(spec.id)).exitCode).toBe(0);
      expect((await readOutput(runtime, spec.id)).stdout).toBe("early\n");
    });

    it("is at its end where none was asked for", async () => {
      const spec = await start({ args: ["cat"] });
      expect((await runtime.wait(spec.id)).exitCode).toBe(0);
    });

    it("stays open when one of its writers leaves", async () => {
      const spec = await start({ args: ["cat"], stdin: true });
      (await runtime.stdin(spec.id)).destroy();
      (await runtime.stdin(spec.id)).end("still\n");
      await runtime.wait(spec.id);
      expect((await readOutput(runtime, spec.id)).stdout).toBe("still\n");
    });
  });

  describe("exec", () => {
    it("runs a second process with streams and an exit code of its own", async () => {
      const spec = await start({ args: forever });
      const session = await runtime.exec(
        spec.id,
        "e1",
        execOf({ args: ["sh", "-c", "echo out; echo err >&2; exit 5"] }),
      );
      expect(session.pid).toBeGreaterThan(0);
      expect(session.stdin).toBeUndefined();
      expect(await readExec(session)).toEqual({ stdout: "out\n", stderr: "err\n", exitCode: 5 });
      expect((await readOutput(runtime, spec.id, { follow: false })).stdout).toBe("");
    });

    it("feeds it until the input is ended", async () => {
      const spec = await start({ args: forever });
      const session = await runtime.exec(spec.id, "e2", execOf({ args: ["cat"], stdin: true }));
      const text = "line\n".repeat(50_000);
      session.stdin?.end(text);
      expect(await readExec(session)).toEqual({ stdout: text, stderr: "", exitCode: 0 });
    });

    it("says that a program is not there", async () => {
      const spec = await start({ args: forever });
      const failure = runtime.exec(spec.id, "e3", execOf({ args: ["nope"] }));
      await expect(failure).rejects.toMatchObject({ kind: "invalid", exitCode: 127 });
      expect((await readExec(await runtime.exec(spec.id, "e3", execOf({})))).exitCode).toBe(0);
    });

    it("tells the users that its container has from those it has not", async () => {
      const { id } = await start({ args: forever });
      for (const user of ["", "root", "0:0", "4711"]) await runtime.assertUser(id, user);
      for (const user of ["nobody-here", "root:no-group"])
        await expect(runtime.assertUser(id, user)).rejects.toMatchObject({
          kind: "invalid",
          message: /unable to find/,
        });
    });

    it("is killed alone", async () => {
      const spec = await start({ args: forever });
      const session = await runtime.exec(spec.id, "e4", execOf({ args: forever }));
      await session.kill();
      expect((await readExec(session)).exitCode).toBe(137);
      expect(await statusOf(spec.id)).toBe("running");
    });

    it("continues without a listener", async () => {
      const spec = await start({ args: forever });
      const args = ["sh", "-c", "echo one; echo two; exit 4"];
      const session = await runtime.exec(spec.id, "e5", execOf({ args }));
      session.detach();
      expect(await session.exit).toEqual({ exitCode: 4 });
      const detached = await runtime.exec(spec.id, "e6", execOf({ args, detached: true }));
      expect(await readExec(detached)).toEqual({ stdout: "", stderr: "", exitCode: 4 });
    });
  });

  describe("root file system", () => {
    it("is there when nothing runs and while something does", async () => {
      const spec = await create({ args: forever });
      await runtime.withRootfs(spec.id, (path) => writeFile(join(path, "etc/mine"), "before"));
      await runtime.start(spec);
      expect(await runtime.withRootfs(spec.id, (path) => readFile(join(path, "etc/mine"), "utf8"))).toBe("before");
      await runtime.kill(spec.id, 9);
      await runtime.wait(spec.id);
      const left = await runtime.withRootfs(spec.id, async (path) => path);
      await expect(access(join(left, "etc/mine"))).rejects.toThrow("ENOENT");
    });

    it("is gone after a use that failed", async () => {
      const spec = await create({});
      let path = "";
      const use = runtime.withRootfs(spec.id, async (mounted) => {
        path = mounted;
        throw new Error("failed");
      });
      await expect(use).rejects.toThrow("failed");
      await expect(access(join(path, "etc"))).rejects.toThrow("ENOENT");
    });

    it("tells its difference as a layer, and its size", async () => {
      const spec = await create({});
      expect(await runtime.usage(spec.id)).toEqual({ writable: 0 });
      await runtime.withRootfs(spec.id, async (path) => {
        await mkdir(join(path, "etc/folder"));
        await writeFile(join(path, "etc/added"), "new");
      });
      const tar = extract();
      const layer = await runtime.diff(spec.id);
      const bytes = await buffer(layer.bytes);
      expect({ size: layer.size, digest: layer.digest }).toEqual({ size: bytes.length, digest: digestOf(bytes) });
      tar.end(bytes);
      const files: Record<string, string> = {};
      for await (const entry of tar) {
        const bytes = await buffer(entry);
        if (entry.header.type === "file") files[entry.header.name.replace(/^\//, "")] = String(bytes);
      }
      expect(files).toEqual({ "etc/added": "new" });
      expect(await runtime.changedPaths(spec.id)).toContainEqual({ path: "/etc/added", deleted: false });
      expect(await runtime.usage(spec.id)).toEqual({ writable: 3 });
    });
  });

  describe("a restart of the service", () => {
    const restart = async () => {
      await runtime.close();
      runtime = await subject.reopen();
    };

    it("finds what runs, with its log, its input and its end", async () => {
      const spec = await start({ args: ["cat"], stdin: true });
      (await runtime.stdin(spec.id)).write("before\n");
      for await (const _ of runtime.output(spec.id, { stdout: true, stderr: true, follow: true })) break;
      await restart();
      expect(await statusOf(spec.id)).toBe("running");
      const text = readOutput(runtime, spec.id);
      const exit = runtime.wait(spec.id);
      (await runtime.stdin(spec.id)).end("after\n");
      expect((await exit).exitCode).toBe(0);
      expect((await text).stdout).toBe("before\nafter\n");
    });

    it("learns of an exit during its absence", async () => {
      const spec = await start({ args: ["sh", "-c", "echo bye; exit 6"] });
      await restart();
      expect((await runtime.wait(spec.id)).exitCode).toBe(6);
      await restart();
      expect((await runtime.wait(spec.id)).exitCode).toBe(6);
      expect((await readOutput(runtime, spec.id)).stdout).toBe("bye\n");
    });
  });
}
