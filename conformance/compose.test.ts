import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "./berth.testing.ts";
import { page } from "./net.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";

// Debian's docker-compose 1.29: it speaks to the engine itself, in the old way of networks connected after create.

const run = promisify(execFile);
const berth = sharedBerth();
const PROJECT = `compose${process.pid}`;
let port = 0;

/** Runs docker-compose on the three services; the standard output, or the error with everything that it said. */
async function compose(...args: readonly string[]): Promise<string> {
  const file = join(import.meta.dirname, "fixtures/compose.yml");
  const env = { ...process.env, DOCKER_HOST: `unix://${berth.socket}`, WEB_PORT: String(port) };
  const { stdout } = await run("docker-compose", ["--no-ansi", "-p", PROJECT, "-f", file, ...args], { env }).catch(
    (thrown) => {
      if (thrown.code !== "ENOENT") throw thrown;
      throw new Error("docker-compose is missing: apt-get install docker-compose");
    },
  );
  return stdout;
}

interface Listed {
  readonly Id: string;
  readonly Labels: Readonly<Record<string, string>>;
}

async function containers(service: string): Promise<readonly Listed[]> {
  const filters = JSON.stringify({
    label: [`com.docker.compose.project=${PROJECT}`, `com.docker.compose.service=${service}`],
  });
  return (await berth.expect([200], "GET", `/containers/json?all=1&filters=${encodeURIComponent(filters)}`)).json;
}

async function inspected(service: string) {
  const [found] = await containers(service);
  return (await berth.expect([200], "GET", `/containers/${found?.Id}/json`)).json;
}

async function named(path: string): Promise<number> {
  return (await berth.ask("GET", path)).status;
}

beforeAll(async () => {
  port = await freePort();
  await compose("up", "-d");
});
afterAll(() => compose("down", "-v", "-t", "0"));

test("ps shows the three services, with ports and health", async () => {
  const shown = await compose("ps");
  for (const service of ["store", "web", "client"]) expect(shown).toMatch(new RegExp(`${PROJECT}_${service}_1 .*Up`));
  expect(shown).toContain(`127.0.0.1:${port}->80/tcp`);
  expect(shown).toContain("Up (healthy)");
});

test("what depends on a healthy service starts when it is healthy", async () => {
  const [store, web] = await Promise.all([inspected("store"), inspected("web")]);
  expect(store.State.Health.Status).toBe("healthy");
  // Its page comes a second after its start.
  expect(Date.parse(web.State.StartedAt) - Date.parse(store.State.StartedAt)).toBeGreaterThan(1000);
  // It could ask for its page by the other service's name as it began.
  expect(await page(`http://127.0.0.1:${port}/`)).toBe("started\n");
});

test("exec runs in a service, where the names of the others resolve", async () => {
  expect(await compose("exec", "-T", "client", "wget", "-qO-", "http://store/")).toBe("started\n");
  expect(await compose("exec", "-T", "client", "wget", "-qO-", "http://web/")).toBe("started\n");
  await expect(compose("exec", "-T", "client", "sh", "-c", "exit 7")).rejects.toMatchObject({ code: 7 });
});

test("logs gives what the services said", async () => {
  expect(await compose("logs", "--no-color", "client")).toContain("client_1  | asking");
});

test("scale adds containers of a service and takes them away", async () => {
  await compose("up", "-d", "--no-recreate", "--scale", "client=3");
  expect(await containers("client")).toHaveLength(3);
  const addresses = await compose("exec", "-T", "web", "nslookup", "client");
  expect(new Set(addresses.match(/^Address.*: *\d+\.\d+\.\d+\.\d+$/gm)).size).toBeGreaterThanOrEqual(3);
  await compose("up", "-d", "--no-recreate", "--scale", "client=1");
  expect(await containers("client")).toHaveLength(1);
});

test("a named volume outlives its containers, and down -v takes it along with the network", async () => {
  await compose("down", "-t", "0");
  expect(await named(`/networks/${PROJECT}_back`)).toBe(404);
  expect(await named(`/volumes/${PROJECT}_data`)).toBe(200);
  await compose("up", "-d", "store");
  await expect.poll(() => compose("exec", "-T", "store", "cat", "/data/index.html")).toBe("started\nstarted\n");
  await compose("down", "-v", "-t", "0");
  expect(await named(`/volumes/${PROJECT}_data`)).toBe(404);
  expect(await containers("store")).toEqual([]);
});
