import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readHost } from "../spec/host.ts";
import { connectDaemon, type Daemon, type DaemonOptions } from "./daemon.ts";
import { daemonPaths } from "./daemon-config.ts";

let dir: string;
let open: Daemon[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "berth-"));
});
afterEach(async () => {
  for (const daemon of open) await daemon.stop();
  open = [];
  await rm(dir, { recursive: true });
});

function optionsOf(name: string, hostSocket?: string): DaemonOptions {
  const own = join(dir, name);
  return {
    instance: `berth-${process.pid}-${name}`,
    stateDir: join(own, "state"),
    runDir: join(own, "run"),
    hostSocket,
  };
}
async function connect(options: DaemonOptions): Promise<Daemon> {
  const daemon = await connectDaemon(options);
  open.push(daemon);
  return daemon;
}
async function pidOf(options: DaemonOptions) {
  return Number(await readFile(daemonPaths(options).pid, "utf8"));
}

/** Stops a process: when it settles, none of its threads runs any more. */
async function freeze(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  const states = async () => {
    const threads = await readdir(`/proc/${pid}/task`);
    const stats = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, "utf8")));
    return new Set(stats.map((stat) => stat.slice(stat.lastIndexOf(")") + 2)[0]));
  };
  await expect.poll(states).toEqual(new Set(["T"]));
}

describe("connectDaemon", () => {
  it("starts one, finds it again, and stops it", async () => {
    const options = optionsOf("a");
    const first = await connect(options);
    expect(first.own).toBe(true);
    const pid = await pidOf(options);
    const { lowestOomScoreAdj } = await readHost();
    expect(Number(await readFile(`/proc/${pid}/oom_score_adj`, "utf8"))).toBe(Math.max(-500, lowestOomScoreAdj));
    first.release();
    const second = await connect(options);
    expect(await pidOf(options)).toBe(pid);
    expect(await second.containerd.version()).toHaveProperty("version");
    await second.stop();
    // Its parent may not have waited for it yet.
    expect(await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).toBe("");
    await expect(stat(daemonPaths(options).pid)).rejects.toThrow("ENOENT");
  });

  it("keeps the bundles in a private mount of their own, until there are none", async () => {
    const options = optionsOf("a");
    const { state } = daemonPaths(options);
    const bundle = join(state, "io.containerd.runtime.v2.task/ns/id");
    const mounts = async () => {
      const lines = (await readFile("/proc/self/mountinfo", "utf8")).split("\n").map((line) => line.split(" "));
      return lines.filter(([, , , , point]) => point === state).map((fields) => fields.slice(6, fields.indexOf("-")));
    };
    const first = await connect(options);
    expect(await mounts()).toEqual([[]]);
    await mkdir(bundle, { recursive: true });
    await first.stop();
    expect(await mounts()).toEqual([[]]);
    await rm(bundle, { recursive: true });
    await (await connect(options)).stop();
    expect(await mounts()).toEqual([]);
    // A mount would cover what is mounted in the bundles of an earlier release.
    await mkdir(bundle, { recursive: true });
    await (await connect(options)).stop();
    expect(await mounts()).toEqual([]);
  });

  it("uses the host's where one answers, and leaves it running", async () => {
    const host = optionsOf("host");
    await connect(host);
    const { socket, root } = daemonPaths(host);
    const options = optionsOf("guest", socket);
    const daemon = await connect(options);
    expect(daemon.own).toBe(false);
    expect(daemon.containerd).toMatchObject({ socket, namespace: options.instance });
    await daemon.stop();
    process.kill(await pidOf(host), 0);
    expect((await stat(root)).isDirectory()).toBe(true);
  });

  it("keeps its own once it had one", async () => {
    const host = optionsOf("host");
    await connect(host);
    const options = optionsOf("guest", daemonPaths(host).socket);
    await mkdir(daemonPaths(options).root, { recursive: true });
    expect((await connect(options)).own).toBe(true);
  });

  it("starts its own where the host's does not answer", async () => {
    expect((await connect(optionsOf("a", join(dir, "no.sock")))).own).toBe(true);
  });

  it("waits for its own that runs and does not answer", async () => {
    const options = optionsOf("a");
    (await connect(options)).release();
    const pid = await pidOf(options);
    await freeze(pid);
    const reasons: string[] = [];
    const daemon = await connect({
      ...options,
      waits: (reason) => {
        reasons.push(reason);
        process.kill(pid, "SIGCONT");
      },
    });
    expect(reasons[0]).toBe(`containerd (process ${pid}) does not answer`);
    expect(await daemon.containerd.version()).toHaveProperty("version");
  });

  it("waits for the host's that has its containers, and starts none of its own", async () => {
    const host = optionsOf("host");
    await connect(host);
    const { socket } = daemonPaths(host);
    const options = optionsOf("guest", socket);
    (await connect(options)).release();
    const pid = await pidOf(host);
    await freeze(pid);
    const reasons: string[] = [];
    const waits = (reason: string) => {
      reasons.push(reason);
      process.kill(pid, "SIGCONT");
    };
    expect((await connect({ ...options, waits })).own).toBe(false);
    expect(reasons[0]).toBe(`the host's containerd at ${socket} does not answer`);
  });

  it("says that the run folder's path is too long", async () => {
    const options = { ...optionsOf("a"), runDir: join(dir, "x".repeat(100)) };
    await expect(connectDaemon(options)).rejects.toMatchObject({ kind: "invalid" });
  });
});
