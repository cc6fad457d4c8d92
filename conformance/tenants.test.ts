import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BerthWithDirectory, startBerthWithDirectory } from "./berth.testing.ts";
import { type DockerUser, dockerAs } from "./docker-user.testing.ts";
import { page } from "./net.testing.ts";
import { addTenant, type Tenant } from "./tenants/tenant.testing.ts";

// Two limited users who run the same compose project side by side, and an administrator who sees both.

interface DockerTenant extends Tenant {
  readonly docker: DockerUser;
}

const FILE = join(import.meta.dirname, "fixtures/tenant-compose.yml");

let berth: BerthWithDirectory;
let ann: DockerTenant;
let bob: DockerTenant;

async function signUp(login: string): Promise<DockerTenant> {
  const ports = [{ start: 24_300, end: 24_309 }];
  const tenant = await addTenant(berth, login, [{ kind: "host-ports", effect: "limit", ports }]);
  return { ...tenant, docker: dockerAs(berth.tcp, tenant.token) };
}

function compose({ docker }: typeof ann, tenant: string, ...args: readonly string[]) {
  return docker.compose({ TENANT: tenant }, "-p", "shop", "-f", FILE, ...args);
}

async function lines({ docker }: typeof ann, ...args: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await docker.run(...args);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .sort();
}

beforeAll(async () => {
  berth = await startBerthWithDirectory();
  ann = await signUp("ann");
  bob = await signUp("bob");
  for (const [user, name] of [
    [ann, "ann"],
    [bob, "bob"],
  ] as const) {
    const up = await compose(user, name, "up", "-d");
    if (up.code !== 0) throw new Error(`docker-compose up as ${name}: ${up.stderr}`);
  }
});

afterAll(async () => {
  for (const user of [ann, bob]) user?.docker.close();
  await berth?.close();
});

test("each user sees the default networks and its own project", async () => {
  for (const user of [ann, bob]) {
    expect(await lines(user, "ps", "--format", "{{.Names}}")).toEqual(["shop_client_1", "shop_store_1"]);
    expect(await lines(user, "network", "ls", "--format", "{{.Name}}")).toEqual([
      "bridge",
      "host",
      "none",
      "shop_back",
    ]);
    expect(await lines(user, "volume", "ls", "-q")).toEqual(["shop_data"]);
  }
});

test("names resolve to the user's own services, on its own volumes", async () => {
  for (const [user, tenant] of [
    [ann, "ann"],
    [bob, "bob"],
  ] as const)
    expect(await lines(user, "exec", "shop_client_1", "wget", "-qO-", "http://store/")).toEqual([tenant]);
});

test("another user's network is not found by name or id, and cannot be joined or removed", async () => {
  const [id = ""] = await lines(ann, "network", "inspect", "-f", "{{.Id}}", "shop_back");
  for (const ref of [id, id.slice(0, 12), `${ann.id}/shop_back`]) {
    expect((await bob.docker.run("network", "inspect", ref)).stderr).toMatch(/not found|No such network/);
    expect((await bob.docker.run("network", "rm", ref)).stderr).toMatch(/not found|No such network/);
    expect((await bob.docker.run("network", "connect", ref, "shop_client_1")).code).not.toBe(0);
  }
  expect((await bob.docker.run("run", "--rm", "--network", id, "busybox", "true")).stderr).toContain("not found");
});

test.each(["containers", "networks", "volumes"])(
  "an administrator names a user's %s by owner or gets the candidates",
  async (kind) => {
    const name = { containers: "shop_store_1", networks: "shop_back", volumes: "shop_data" }[kind];
    const path = (ref: string) => (kind === "containers" ? `/containers/${ref}/json` : `/${kind}/${ref}`);
    const ambiguous = await berth.ask("GET", path(`${name}`));
    expect(ambiguous.status).toBe(400);
    expect(ambiguous.text).toContain(`${name} is ambiguous: use one of ${ann.id}/${name}, ${bob.id}/${name}, or an id`);
    for (const { id } of [ann, bob]) await berth.expect([200], "GET", path(`${id}/${name}`));
  },
);

test("a network is refused past the quota, on a public subnet and with a bridge of the host", async () => {
  const create = (...args: readonly string[]) => ann.docker.run("network", "create", ...args);
  expect((await create("--subnet", "8.8.8.0/24", "public")).stderr).toContain("is not a private IPv4 network");
  expect((await create("-o", "com.docker.network.bridge.name=eth0", "host0")).stderr).toContain(
    "only an administrator may set the network option com.docker.network.bridge.name",
  );
  const made: string[] = [];
  for (let count = 0; count < 9; count++) made.push((await create(`more${count}`)).stdout);
  expect((await create("over")).stderr).toMatch(/networks.*not granted/);
  expect(await lines(ann, "network", "rm", ...made)).toHaveLength(9);
});

test("a volume's name that both ask for at once is a volume of each", async () => {
  const words = (tenant: string) => [
    ...["run", "--rm", "-v", "raced:/data", "busybox", "sh", "-c"],
    `echo ${tenant} >> /data/file && cat /data/file`,
  ];
  const said = await Promise.all([ann, bob].map((user, at) => lines(user, ...words(at === 0 ? "ann" : "bob"))));
  expect(said).toEqual([["ann"], ["bob"]]);
  for (const user of [ann, bob]) await lines(user, "volume", "rm", "raced");
});

test("another account of the host reads and runs nothing that belongs to a user", async () => {
  const setuid = "cp /bin/busybox /data/suid && chmod 4755 /data/suid && mkdir -m 777 /data/open && sleep 600";
  const owner = ["--name", "owner", "-v", "closed:/data"];
  await lines(ann, "run", "-d", ...owner, "busybox", "sh", "-c", setuid);
  const [mountpoint = ""] = await lines(ann, "volume", "inspect", "-f", "{{.Mountpoint}}", "closed");
  await expect.poll(() => existsSync(join(mountpoint, "open"))).toBe(true);
  const asNobody = (args: readonly string[], input = "") =>
    spawnSync("setpriv", ["--reuid", "nobody", "--regid", "nogroup", "--clear-groups", ...args], {
      encoding: "utf8",
      input,
    });
  expect(asNobody([join(mountpoint, "suid"), "id"]).status).not.toBe(0);
  const paths = execFileSync("find", [berth.state, berth.run, "-xdev"], { encoding: "utf8" });
  const reached = asNobody(["sh", "-c", 'while read -r path; do [ ! -r "$path" ] || echo "$path"; done'], paths);
  // The sockets' folders, and what tells of the services themselves.
  const open = /\/(run(\/users)?|engine-id|(postgres|containerd)\.pid|containerd\.toml|postgres\.identity)$/;
  expect(reached.stdout.split("\n").filter((path) => path !== "" && !open.test(path))).toEqual([]);
  await lines(ann, "rm", "-f", "-v", "owner");
  await lines(ann, "volume", "rm", "closed");
});

test("system prune and volume prune remove a user's own unused things alone", async () => {
  for (const user of [ann, bob]) {
    await lines(user, "network", "create", "idle");
    await lines(user, "volume", "create", "idle");
    await lines(user, "create", "--name", "idle", "busybox", "true");
  }
  const pruned = await ann.docker.run("system", "prune", "-f", "--volumes");
  expect(pruned).toMatchObject({ code: 0, stderr: "" });
  expect((await ann.docker.run("volume", "prune", "-f", "--filter", "all=1")).code).toBe(0);
  for (const [user, left] of [
    [ann, 0],
    [bob, 1],
  ] as const) {
    const count = async (...args: readonly string[]) =>
      (await lines(user, ...args)).filter((one) => one === "idle").length;
    expect(await count("network", "ls", "--format", "{{.Name}}")).toBe(left);
    expect(await count("volume", "ls", "-q")).toBe(left);
    expect(await count("ps", "-a", "--format", "{{.Names}}")).toBe(left);
  }
});

test("a user's down removes its project and leaves the other user's", async () => {
  expect(await compose(ann, "ann", "down", "-v", "-t", "0")).toMatchObject({ code: 0 });
  expect(await lines(ann, "network", "ls", "--format", "{{.Name}}")).toEqual(["bridge", "host", "none"]);
  expect(await lines(ann, "volume", "ls", "-q")).toEqual([]);
  expect(await lines(bob, "exec", "shop_client_1", "wget", "-qO-", "http://store/")).toEqual(["bob"]);
});

describe("docker compose of today", () => {
  const file = join(import.meta.dirname, "fixtures/tenant-ports-compose.yml");
  const today = (user: DockerTenant, tenant: string, ...args: readonly string[]) =>
    user.docker.composeOfToday({ TENANT: tenant }, "-p", "stall", "-f", file, ...args);
  const published = async (user: DockerTenant) => {
    const { stdout } = await user.docker.run("port", "stall-web-1", "80/tcp");
    return Number(/:([0-9]+)$/m.exec(stdout)?.[1]);
  };

  beforeAll(() => {
    execFileSync("bash", [join(import.meta.dirname, "../scripts/reference.sh"), "clients"]);
  }, 600_000);

  test("runs one project for two users side by side, and removes each one's own", async () => {
    for (const [user, name] of [
      [ann, "ann"],
      [bob, "bob"],
    ] as const)
      expect(await today(user, name, "up", "-d")).toMatchObject({ code: 0 });
    for (const [user, name] of [
      [ann, "ann"],
      [bob, "bob"],
    ] as const) {
      expect(
        await lines(user, "ps", "--filter", "label=com.docker.compose.project=stall", "--format", "{{.Names}}"),
      ).toEqual(["stall-client-1", "stall-web-1"]);
      expect(await lines(user, "network", "ls", "--filter", "name=stall", "--format", "{{.Name}}")).toEqual([
        "stall_back",
      ]);
      expect(await lines(user, "exec", "stall-client-1", "wget", "-qO-", "http://web/")).toEqual([name]);
      expect(await page(`http://127.0.0.1:${await published(user)}/`)).toBe(`${name}\n`);
    }
    expect(await published(ann)).not.toBe(await published(bob));
    expect(await today(ann, "ann", "down", "-v", "-t", "0")).toMatchObject({ code: 0 });
    expect(await lines(ann, "network", "ls", "--filter", "name=stall", "-q")).toEqual([]);
    expect(await lines(ann, "volume", "ls", "-q")).toEqual([]);
    expect(await page(`http://127.0.0.1:${await published(bob)}/`)).toBe("bob\n");
    expect(await today(bob, "bob", "down", "-v", "-t", "0")).toMatchObject({ code: 0 });
  });
});
