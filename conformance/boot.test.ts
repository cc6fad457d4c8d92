import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort, type OwnBerth, startBerth } from "./berth.testing.ts";
import { page } from "./net.testing.ts";

const POSTGRES = join(resolve(import.meta.dirname, ".."), "scripts/postgres.sh");

/** A boot takes seconds, and many on a busy machine. */
const SLOW = { timeout: 120_000 };

const POLICIES = ["always", "unless-stopped", "on-failure"] as const;

let berth: OwnBerth;
const PORTS = new Map<string, number>();
beforeAll(async () => {
  berth = await startBerth();
  for (const policy of POLICIES) {
    const port = await freePort();
    PORTS.set(policy, port);
    await berth.expect([201], "POST", `/containers/create?name=${policy}`, {
      Image: "busybox",
      Cmd: ["sh", "-c", `echo ${policy} > /tmp/index.html; exec httpd -f -p 80 -h /tmp`],
      ExposedPorts: { "80/tcp": {} },
      HostConfig: {
        PortBindings: { "80/tcp": [{ HostIp: "127.0.0.1", HostPort: String(port) }] },
        RestartPolicy: { Name: policy },
      },
    });
    await berth.expect([204], "POST", `/containers/${policy}/start`);
  }
});
afterAll(() => berth?.close());

async function inspect(name: string) {
  return (await berth.expect([200], "GET", `/containers/${name}/json`)).json;
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** The processes of this machine whose command line has the words. */
function pidsOf(words: string): readonly number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => commandLineOf(pid).includes(words)).map(Number);
}

function kill(pids: readonly number[]): void {
  for (const pid of pids)
    try {
      process.kill(pid, "SIGKILL");
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: "ESRCH" });
    }
}

/** The container's processes in its control group, of which each container has one. */
async function processesIn(name: string): Promise<number> {
  const { json } = await berth.expect([200], "GET", `/containers/${name}/top`);
  return json.Processes.length;
}

async function expectAllBack(): Promise<void> {
  for (const policy of POLICIES) {
    expect(await page(`http://127.0.0.1:${PORTS.get(policy)}/`)).toBe(`${policy}\n`);
    // A process answers a moment before its record says that it runs.
    const running = { Running: true, Restarting: false, ExitCode: 0, Error: "" };
    await expect.poll(async () => (await inspect(policy)).State, SLOW).toMatchObject(running);
    const { State, NetworkSettings } = await inspect(policy);
    expect(() => process.kill(State.Pid, 0)).not.toThrow();
    expect(NetworkSettings.Ports["80/tcp"]).toEqual([{ HostIp: "127.0.0.1", HostPort: String(PORTS.get(policy)) }]);
    expect(await processesIn(policy)).toBe(1);
  }
}

test.each([0, 1000, 1500])(
  "containers that end while the service is away are back once, %i ms later",
  SLOW,
  async (gap) => {
    const pids = await Promise.all(POLICIES.map(async (policy) => (await inspect(policy)).State.Pid));
    await berth.container.end("SIGKILL");
    await pause(500);
    kill(pids);
    await pause(gap);
    await berth.container.start();
    await expectAllBack();
  },
);

/** Ends all and removes what a reboot removes. */
function reboot(runcState: "left" | "gone"): void {
  kill(pidsOf(join(berth.run, "containerd.toml")));
  // The loggers end with the shims.
  kill(pidsOf(`-namespace ${berth.instance} `));
  kill(cgroupProcesses());
  // The server's supervisor first, which would start it again.
  for (const file of [join(berth.run, "postgres.pid"), join(berth.state, "postgres/data/postmaster.pid")])
    kill([Number(readFileSync(file, "utf8").split("\n")[0])]);
  const namespaces = execFileSync("ip", ["netns"], { encoding: "utf8" }).split("\n");
  for (const line of namespaces.filter((one) => one.startsWith(`${berth.instance}-`)))
    execFileSync("ip", ["netns", "delete", line.split(" ")[0] ?? ""]);
  const links = execFileSync("ip", ["-o", "link"], { encoding: "utf8" }).matchAll(/^\d+: ([^:@]+)/gm);
  for (const [, link = ""] of links) if (link.startsWith(berth.instance)) execFileSync("ip", ["link", "delete", link]);
  execFileSync("nft", ["delete", "table", "ip", berth.instance]);
  for (const point of mountsBelow(berth.run)) execFileSync("umount", ["--lazy", point]);
  rmSync(berth.run, { recursive: true });
  if (runcState === "gone") rmSync(join("/run/containerd/runc", berth.instance), { recursive: true, force: true });
}

function cgroupProcesses(): readonly number[] {
  const roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/pids"].map((root) => join(root, berth.instance));
  return roots.flatMap((root) => {
    try {
      return readdirSync(root, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith("cgroup.procs"))
        .flatMap((path) => readFileSync(join(root, path), "utf8").split("\n").filter(Boolean).map(Number));
    } catch {
      return [];
    }
  });
}

function mountsBelow(folder: string): readonly string[] {
  const points = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "");
  return points.filter((point) => point.startsWith(`${folder}/`)).reverse();
}

test.each(["gone", "left"] as const)(
  "containers are back once after a reboot, with runc's state %s",
  SLOW,
  async (runcState) => {
    await berth.expect([204], "POST", "/containers/unless-stopped/stop?t=1");
    await berth.container.end("SIGKILL");
    reboot(runcState);
    execFileSync("bash", [POSTGRES, "start"], { env: berth.env });
    await berth.container.start();
    // One that was stopped stays so.
    await expect.poll(async () => (await inspect("always")).State.Status, SLOW).toBe("running");
    expect((await inspect("unless-stopped")).State.Status).toBe("exited");
    await berth.expect([204], "POST", "/containers/unless-stopped/start");
    await expectAllBack();
  },
);
