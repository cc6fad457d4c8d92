import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "./berth.testing.ts";
import { page } from "./net.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";

// Debian sid's compose v2, with a file that has everything that an engine without a swarm and a builder can do.

const run = promisify(execFile);
const berth = sharedBerth();
const PROJECT = `today${process.pid}`;
const PLUGIN = join(import.meta.dirname, "../.cache/clients/usr/libexec/docker/cli-plugins/docker-compose");
const settings: Record<string, string> = { SECRET_OF_SHELL: "hush" };

/** Runs compose on the file; its standard output and error. */
async function compose(...args: readonly string[]): Promise<string> {
  if (!existsSync(PLUGIN)) throw new Error("compose is missing: scripts/reference.sh clients");
  const file = join(import.meta.dirname, "fixtures/compose-today.yml");
  const env = { ...process.env, ...settings, DOCKER_HOST: `unix://${berth.socket}` };
  const { stdout, stderr } = await run(PLUGIN, ["--ansi", "never", "-p", PROJECT, "-f", file, ...args], { env });
  return stdout + stderr;
}

/** What a shell in the service `web` says. */
async function inWeb(script: string): Promise<string> {
  return (await compose("exec", "-T", "web", "sh", "-c", script)).trim();
}

async function inspected(service: string) {
  return (await berth.expect([200], "GET", `/containers/${PROJECT}-${service}-1/json`)).json;
}

beforeAll(async () => {
  const [web, long, start] = await Promise.all([freePort(), freePort(), freePort()]);
  Object.assign(settings, { WEB_PORT: String(web), LONG_PORT: String(long), RANGE: `${start}-${start + 9}` });
  await compose("up", "-d");
});
afterAll(() => compose("down", "-v", "-t", "0"));

test("a service starts once others have completed or are healthy, at the start interval's pace", async () => {
  const [seed, web, client] = await Promise.all([inspected("seed"), inspected("web"), inspected("client")]);
  expect(seed.State).toMatchObject({ Status: "exited", ExitCode: 0 });
  // The interval of an hour begins after the first success.
  expect(web.State.Health.Status).toBe("healthy");
  expect(Date.parse(client.State.StartedAt)).toBeGreaterThan(Date.parse(web.State.Health.Log[0].End));
});

test("a second up changes nothing", async () => {
  const before = (await inspected("web")).Id;
  const said = await compose("up", "-d");
  expect(said).toContain(`${PROJECT}-web-1  Running`);
  expect(said).not.toContain("Recreate");
  expect((await inspected("web")).Id).toBe(before);
});

test("ports are published by both forms, from a range as well, and ranges are exposed", async () => {
  expect(await page(`http://127.0.0.1:${settings.WEB_PORT}/`)).toBe("seeded\n");
  const { NetworkSettings } = await inspected("web");
  expect(Object.keys(NetworkSettings.Ports).toSorted()).toEqual(
    ["80/tcp", "81/udp", "8081/tcp", "8082/udp", "8083/udp", "9000/tcp"].toSorted(),
  );
  expect(NetworkSettings.Ports["81/udp"]).toEqual([{ HostIp: "127.0.0.1", HostPort: settings.LONG_PORT }]);
  const [first = 0, last = 0] = (settings.RANGE ?? "").split("-").map(Number);
  const [{ HostPort }] = NetworkSettings.Ports["9000/tcp"];
  expect(Number(HostPort)).toBeGreaterThanOrEqual(first);
  expect(Number(HostPort)).toBeLessThanOrEqual(last);
});

test("networks have addresses, aliases, MTU and sysctls, and an internal one leads nowhere", async () => {
  const { NetworkSettings } = await inspected("web");
  expect(NetworkSettings.Networks[`${PROJECT}_front`]).toMatchObject({
    IPAddress: "10.213.7.10",
    MacAddress: "02:42:0a:d5:07:0a",
    GwPriority: 5,
  });
  expect(await inWeb("ip route | grep default")).toContain("via 10.213.7.1");
  expect(await inWeb("cat /sys/class/net/eth*/mtu | sort -n | head -n 1")).toBe("1400");
  expect(await inWeb("cat /proc/sys/net/ipv4/conf/eth*/log_martians | sort -n | tail -n 1")).toBe("1");
  expect(await compose("run", "--rm", "-T", "debug")).toContain("seeded");
  const client = (script: string) => compose("exec", "-T", "client", "sh", "-c", script);
  expect(await client("wget -qO- http://linked/")).toBe("seeded\n");
  expect(await client("ip route")).not.toContain("default");
});

test("a network has IPv6 alone, with its addresses and names", async () => {
  const said = await compose("run", "--rm", "-T", "debug-six");
  expect(said).toContain("fd00:213:7::10");
  expect(said).toContain("seeded");
});

test("names and resolvers are as asked", async () => {
  const hosts = await inWeb("cat /etc/hosts");
  expect(hosts).toMatch(/^10\.1\.2\.3\touter\.example\.test$/m);
  expect(hosts).toMatch(/^\d+\.\d+\.\d+\.\d+\tgateway\.example\.test$/m);
  expect(await inWeb("hostname -f")).toBe("front.example.test");
  expect(await inWeb("cat /etc/resolv.conf")).toMatch(/search example\.test[\s\S]*timeout:1/);
});

test("configs and secrets are files", async () => {
  expect(await inWeb("cat /etc/inline.conf")).toBe(`port = ${settings.WEB_PORT}`);
  expect(await inWeb("stat -c %a /etc/inline.conf")).toBe("440");
  expect(await inWeb("head -n 1 /filed")).toMatch(/^# Everything/);
  expect(await inWeb("cat /run/secrets/environ")).toBe("hush");
  expect(await inWeb("test -s /run/secrets/token && echo there")).toBe("there");
});

test("mounts are read-only, parts of volumes or in memory", async () => {
  expect(await inWeb("ls /www; touch /www/x 2>&1; touch /here/x 2>&1; true")).toMatch(
    /^index\.html\n[^\n]*Read-only[^\n]*\n[^\n]*Read-only/,
  );
  expect(await inWeb("grep ' /scratch ' /proc/mounts")).toMatch(/tmpfs .*size=1024k.*mode=700/);
  expect(await inWeb("grep ' /cache ' /proc/mounts")).toContain("size=64k");
  expect(await inWeb("cat /scratch/hook")).toBe("started");
  const client = await compose("exec", "-T", "client", "sh", "-c", "touch /x 2>&1; true");
  expect(client).toContain("Read-only");
});

test("limits, capabilities and the process are as asked", async () => {
  // An exec of Debian's runc may have the hard limit as its soft one: a race of runc with the Go it is built with (runc#4195).
  expect(await inWeb("ulimit -n; ulimit -Hn; cat /proc/sys/net/core/somaxconn; pwd")).toMatch(
    /^[12]000\n2000\n512\n\/srv\/made$/,
  );
  expect(await inWeb("grep -E 'CapBnd|NoNewPrivs' /proc/1/status")).toMatch(/0000000000000400[\s\S]*1$/);
  const { HostConfig, Config, RestartCount } = await inspected("web");
  expect(HostConfig).toMatchObject({
    NanoCpus: 500_000_000,
    Memory: 64 * 2 ** 20,
    MemoryReservation: 32 * 2 ** 20,
    PidsLimit: 50,
    OomScoreAdj: 100,
    ShmSize: 2 ** 20,
    RestartPolicy: { Name: "on-failure", MaximumRetryCount: 2 },
    LogConfig: { Type: "json-file", Config: { "max-size": "1m", "max-file": "2" } },
    Init: true,
    Annotations: { "berth.test/annotation": "yes" },
  });
  expect(Config.StopSignal).toBe("SIGUSR1");
  expect(RestartCount).toBe(0);
});

test("ps, top, images, port, cp, events and stats tell of the project", async () => {
  expect(await compose("ps", "--services")).toContain("web");
  expect(await compose("top", "web")).toContain("httpd");
  expect(await compose("images", "--format", "json")).toMatch(/"LastTagTime":"20\d\d-/);
  expect((await compose("port", "web", "80")).trim()).toBe(`127.0.0.1:${settings.WEB_PORT}`);
  // On a busy machine the client shows no numbers: two samples, a second apart, take longer than its two seconds.
  expect(await compose("stats", "--no-stream", "--format", "json")).toContain((await inspected("web")).Id);
  expect(await compose("logs", "--no-color", "client")).toContain("asking");
  await compose("pause", "client");
  expect(await compose("ps", "--status", "paused", "-q")).not.toBe("");
  await compose("unpause", "client");
});

test("down removes all of it", async () => {
  await compose("down", "-v", "-t", "0");
  const filter = encodeURIComponent(JSON.stringify({ label: [`com.docker.compose.project=${PROJECT}`] }));
  expect((await berth.expect([200], "GET", `/containers/json?all=1&filters=${filter}`)).json).toEqual([]);
  expect((await berth.expect([200], "GET", `/networks?filters=${filter}`)).json).toEqual([]);
  expect((await berth.expect([200], "GET", `/volumes?filters=${filter}`)).json.Volumes ?? []).toEqual([]);
});
