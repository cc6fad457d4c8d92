import { execFile } from "node:child_process";
import { hostname } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BerthWithDirectory, startBerthWithDirectory } from "./berth.testing.ts";
import { type DockerUser, dockerAs } from "./docker-user.testing.ts";
import { answers, page } from "./net.testing.ts";
import { addTenant, type Tenant } from "./tenants/tenant.testing.ts";

// A user with a share of the host, which a Docker client enters by the path `/places/NAME` of its address.

const COMMAND = join(import.meta.dirname, "../packages/cli/dist/bundle/main.js");
const COMPOSE = join(import.meta.dirname, "fixtures/tenant-compose.yml");
/** Mebibytes: what sets a container up is in its control group, too. */
const MEMORY = 256;

let berth: BerthWithDirectory;
let ann: Tenant;
let bob: Tenant;
let outside: DockerUser;
let inside: DockerUser;
let other: DockerUser;
/** Below the dynamic ports, which are everyone's. */
const port = 24_400 + (process.pid % 400);

/** Runs `berth` as the administrator of the host. */
async function administer(...words: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    BERTH_SOCKET: berth.socket,
    BERTH_DIRECTORY_URL: berth.directoryUrl,
    BERTH_TOKEN: berth.adminToken,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...words], { env });
  return stdout;
}

async function run(user: DockerUser, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await user.run(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** A web server on the place's own port. */
async function runWeb(user: DockerUser): Promise<void> {
  const published = ["-p", `${port}:80`, "--name", "web", "--stop-timeout", "1"];
  await run(user, "run", "-d", ...published, "busybox", "httpd", "-f", "-p", "80", "-h", "/etc");
}

async function names(user: DockerUser): Promise<readonly string[]> {
  return (await run(user, "ps", "-a", "--format", "{{.Names}}")).split("\n").filter((name) => name !== "");
}

beforeAll(async () => {
  berth = await startBerthWithDirectory(async ({ tcp }) => ({ BERTH_FLEET_ADDRESS: tcp }));
  ann = await addTenant(berth, "ann");
  bob = await addTenant(berth, "bob");
  outside = dockerAs(berth.tcp, ann.token);
  inside = dockerAs(`${berth.tcp}/places/ci`, ann.token);
  other = dockerAs(berth.tcp, bob.token);
  const size = ["--memory", `${MEMORY}m`, "--cpus", "1", "--pids", "60"];
  await administer("places", "take", "ci", "--user", "ann", ...size, "--port", String(port), "--for", "1h");
});
afterAll(async () => {
  for (const user of [outside, inside, other]) user?.close();
  await berth?.close();
});

test("a place has what is in it, and its user's other containers are outside", async () => {
  await run(outside, "run", "-d", "--name", "web", "busybox", "sleep", "600");
  await runWeb(inside);
  expect(await page(`http://127.0.0.1:${port}/hostname`)).toMatch(/^[0-9a-f]{12}\n$/);
  expect([await names(inside), await names(outside)]).toEqual([["web"], ["web"]]);
  expect(await run(inside, "exec", "web", "hostname")).not.toBe(await run(outside, "exec", "web", "hostname"));
  expect(await run(inside, "info", "--format", "{{.MemTotal}} {{.NCPU}} {{.Containers}}")).toBe(
    `${MEMORY * 2 ** 20} 1 1`,
  );
  const [place] = JSON.parse(await administer("places", "--json"));
  expect(place).toMatchObject({ id: `${ann.id}@ci`, ports: [`${port}/tcp`], state: "ready", containers: 1 });
});

test("a port that is not the place's is refused with the place's name, and nobody else gets the place's", async () => {
  const refused = await inside.run("run", "--rm", "-p", "8099:80", "busybox", "true");
  expect(refused.stderr).toContain(`host-ports 8099/tcp is outside the limit set by place ci (would pass: ${port}/tcp`);
  const large = await inside.run("run", "--rm", "--memory", `${MEMORY * 2}m`, "busybox", "true");
  expect(large.stderr).toContain("is over the quota set by place ci");
  for (const user of [outside, other]) {
    const taken = await user.run("run", "--rm", "-p", `127.0.0.1:${port}:80`, "busybox", "true");
    expect(taken.stderr).toContain("port is already allocated");
  }
  expect(await administer("ports")).toContain("reserved for place ci of ann");
  const explained = await administer(
    "explain",
    "ann",
    "--here",
    "--place",
    "ci",
    "--",
    "run",
    "-p",
    "8099:80",
    "busybox",
  );
  expect(explained).toContain(`host-ports 8099/tcp is outside the limit set by place ci (would pass: ${port}/tcp`);
  const asked = await ann.ask("GET", "/berth/explain?image=busybox&publish=8099:80&place=ci");
  expect(asked.json).toMatchObject({ decision: "refuse", place: "ci", subject: { login: "ann" } });
  expect(await run(inside, "run", "--rm", "-p", "80", "busybox", "echo", "dynamic")).toBe("dynamic");
});

test.each([
  ["nobody has", () => dockerAs(`${berth.tcp}/places/none`, ann.token), "user ann has no place none on this host"],
  ["another user has", () => dockerAs(`${berth.tcp}/places/ci`, bob.token), "user bob has no place ci on this host"],
])("a place that %s lets nobody in", async (_, connect, message) => {
  const user = connect();
  expect((await user.run("ps")).stderr).toContain(message);
  user.close();
});

test("the memory and the processes of all containers in a place together are bounded, and those outside go on", async () => {
  // Of what is in the place, the kernel ends the process with the most memory.
  const hog = ["run", "--rm", "busybox", "awk", 'BEGIN { x = "x"; while (1) x = x x }'];
  expect(await inside.run(...hog)).toMatchObject({ code: 137 });
  expect(await run(inside, "inspect", "web", "--format", "{{.State.Running}} {{.HostConfig.Memory}}")).toBe("true 0");
  const forks = "for i in $(seq 100); do sleep 5 & done; wait";
  expect((await inside.run("run", "--rm", "busybox", "sh", "-c", forks)).stderr).toContain("can't fork");
  expect(await run(outside, "inspect", "web", "--format", "{{.State.Running}}")).toBe("true");
});

test("the same project runs inside and outside at once", async () => {
  for (const user of [outside, inside]) {
    const up = await user.compose({ TENANT: "ann" }, "-p", "shop", "-f", COMPOSE, "up", "-d");
    expect(up).toMatchObject({ code: 0 });
    expect(await names(user)).toContain("shop_store_1");
    expect(await run(user, "exec", "shop_client_1", "wget", "-qO-", "http://store/")).toBe("ann");
  }
});

test("a place outlives the service, and what starts in it then is bounded by it", async () => {
  await berth.container.end("SIGKILL");
  await berth.container.start();
  expect(await names(inside)).toContain("web");
  await run(inside, "restart", "-t", "0", "web");
  const groups = await run(inside, "run", "--rm", "--cgroupns", "host", "busybox", "cat", "/proc/self/cgroup").catch(
    () => run(inside, "run", "--rm", "busybox", "cat", "/proc/self/cgroup"),
  );
  expect(groups).toContain(`/${berth.instance}/place-${ann.id}-ci/`);
});

test("a user takes a place of the fleet from elsewhere, works in it, and gives it back, whatever dies meanwhile", async () => {
  const command = async (...words: readonly string[]) => {
    const settings = { BERTH_SOCKET: "/nonexistent/berth.sock", BERTH_DIRECTORY_URL: berth.directoryUrl };
    const env = { ...process.env, ...settings, BERTH_TOKEN: bob.token };
    return (await promisify(execFile)(process.execPath, [COMMAND, ...words], { env })).stdout;
  };
  const host = hostname();
  const size = ["--memory", "64m", "--cpus", "0.5"];
  const printed = await command("places", "take", "far", "--env", "--host", host, ...size, "--for", "1h");
  expect(printed).toBe(`export DOCKER_HOST='${berth.tcp}/places/far'\n`);
  const far = dockerAs(`${berth.tcp}/places/far`, bob.token);
  try {
    await run(far, "run", "-d", "--name", "web", "--stop-timeout", "1", "busybox", "sleep", "600");
    expect(await run(far, "info", "--format", "{{.MemTotal}}")).toBe(`${64 * 2 ** 20}`);
    await berth.directory.end("SIGKILL");
    await Promise.all([berth.directory.start(), berth.container.end("SIGKILL")]);
    await berth.container.start();
    await expect
      .poll(() => far.run("ps", "--format", "{{.Names}}"), { timeout: 30_000 })
      .toMatchObject({ stdout: "web" });
    const [place] = JSON.parse(await command("places", "--json"));
    expect(place).toMatchObject({ name: "far", host, state: "ready", memory: 64 * 2 ** 20 });
    expect(await command("places", "give", "far", "--yes")).toContain("Gave place far of bob back.");
    expect((await far.run("ps")).stderr).toContain("user bob has no place far on this host");
    expect(await command("places", "--json")).toBe("[]\n");
  } finally {
    far.close();
  }
});

test("giving a place back ends and removes what is in it, frees its port, and touches nothing outside", async () => {
  const [id] = (await run(inside, "ps", "-q", "--no-trunc", "--filter", "name=web")).split("\n");
  // Neither ends by a signal that it may ignore as process 1.
  await run(inside, "kill", "shop_store_1", "shop_client_1");
  expect(await administer("places", "give", "ann/ci", "--yes")).toBe("Gave place ci of ann back.\n");
  expect(await answers(`http://127.0.0.1:${port}/hostname`)).toBe(false);
  expect((await inside.run("start", `${id}`)).stderr).toContain("user ann has no place ci on this host");
  expect((await berth.ask("GET", "/containers/json?all=1")).text).not.toContain(`${ann.id}@ci`);
  for (const [path, left] of [
    ["/networks", '"Name":"shop_back"'],
    ["/volumes", '"Name":"shop_data"'],
  ] as const)
    expect((await berth.ask("GET", path)).text.split(left)).toHaveLength(2);
  expect(await names(outside)).toEqual(expect.arrayContaining(["web", "shop_store_1"]));
  await runWeb(other);
  expect(await administer("places", "--json")).toBe("[]\n");
  for (const [action, by] of [
    ["place.take", "root"],
    ["place.give", "root"],
    ["container.start", "ann"],
  ] as const)
    await expect
      .poll(() => administer("audit", "--user", "ann", "--action", action), { timeout: 20_000 })
      .toMatch(new RegExp(`${by} .*${action}`));
});
