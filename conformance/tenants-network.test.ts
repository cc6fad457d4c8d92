import { execFile, execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BerthWithDirectory, freePort, startBerthWithDirectory } from "./berth.testing.ts";
import { type DockerUser, dockerAs } from "./docker-user.testing.ts";
import { page } from "./net.testing.ts";
import { addTenant, askDirectory, type Tenant } from "./tenants/tenant.testing.ts";

// What one user's containers can do to another's, to an administrator's and to the host over the network.

const folder = mkdtempSync(join(tmpdir(), "berth-spoof-"));
const SPOOF = join(folder, "spoof");
const run = promisify(execFile);

let berth: BerthWithDirectory;
let bob: DockerTenant;
let eve: DockerTenant;
let bobPort: number;

interface DockerTenant extends Tenant {
  readonly docker: DockerUser;
}

async function signUp(login: string): Promise<DockerTenant> {
  const tenant = await addTenant(berth, login);
  return { ...tenant, docker: dockerAs(berth.tcp, tenant.token) };
}

async function said({ docker }: DockerTenant, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await docker.run(...args);
  if (code !== 0) throw new Error(`docker ${args.join(" ")}: ${stderr}`);
  return stdout;
}

function serve(text: string): readonly string[] {
  return ["busybox", "sh", "-c", `mkdir /www && echo ${text} > /www/index.html && exec httpd -f -p 80 -h /www`];
}

/** What a container gets from a web server; the failure's text where it gets nothing. */
async function got(tenant: DockerTenant, container: string, host: string, port = 80): Promise<string> {
  const { code, stdout, stderr } = await tenant.docker.run(
    ...["exec", container, "timeout", "2", "wget", "-qO-", `http://${host}:${port}/`],
  );
  return code === 0 ? stdout : `failed: ${stderr}`;
}

async function addressOf(ref: string): Promise<{ readonly address: string; readonly mac: string }> {
  const { json } = await berth.expect([200], "GET", `/containers/${ref}/json`);
  return { address: json.NetworkSettings.IPAddress, mac: json.NetworkSettings.MacAddress };
}

async function gateway(): Promise<string> {
  return (await berth.expect([200], "GET", "/networks/bridge")).json.IPAM.Config[0].Gateway;
}

beforeAll(async () => {
  execFileSync("gcc", ["-O2", "-static", "-o", SPOOF, join(import.meta.dirname, "spoof.c")]);
  berth = await startBerthWithDirectory();
  bob = await signUp("bob");
  eve = await signUp("eve");
  bobPort = await freePort();
  await said(bob, "run", "-d", "--name", "web", "-p", `${bobPort}:80`, ...serve("bob"));
  await said(bob, "run", "-d", "--name", "app", "busybox", "sleep", "3600");
  await said(eve, "run", "-d", "--name", "attacker", "busybox", "sleep", "3600");
  await said(eve, "cp", SPOOF, "attacker:/spoof");
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  for (const tenant of [bob, eve]) tenant?.docker.close();
  await berth?.close();
});

describe("on the default network", () => {
  test("a user's containers reach each other, and another user's reach none of them", async () => {
    const { address } = await addressOf(`${bob.id}/web`);
    expect(await got(bob, "app", address)).toBe("bob");
    expect(await got(eve, "attacker", address)).toContain("failed");
  });

  test("a port published on loopback is the host's alone, one on every address is everybody's", async () => {
    const port = await freePort();
    const id = (
      await berth.expect([201], "POST", "/containers/create?name=private", {
        Image: "busybox",
        Cmd: serve("administrator").slice(1),
        HostConfig: { PortBindings: { "80/tcp": [{ HostIp: "127.0.0.1", HostPort: String(port) }] } },
      })
    ).json.Id;
    await berth.expect([204], "POST", `/containers/${id}/start`);
    expect(await page(`http://127.0.0.1:${port}/`)).toBe("administrator\n");
    const { address } = await addressOf(id);
    expect(await got(eve, "attacker", address)).toContain("failed");
    expect(await got(eve, "attacker", await gateway(), port)).toContain("failed");
    expect(await got(eve, "attacker", await gateway(), bobPort)).toBe("bob");
    await berth.expect([204], "DELETE", `/containers/${id}?force=true`);
  });

  test("the rules outlast a restart of the service", async () => {
    await berth.container.end("SIGKILL");
    await berth.container.start();
    const { address } = await addressOf(`${bob.id}/web`);
    expect(await got(eve, "attacker", address)).toContain("failed");
    expect(await got(bob, "app", address)).toBe("bob");
  });
});

describe("an attacker with raw sockets", () => {
  test.each(["its own", "the victim's"])(
    "gets nothing of a victim's published port by answers for its address from %s hardware address",
    async (whose) => {
      const victim = await addressOf(`${bob.id}/web`);
      const { mac } = await addressOf(`${eve.id}/attacker`);
      const sender = whose === "its own" ? mac : victim.mac;
      await said(
        eve,
        ...["exec", "-d", "attacker", "/spoof", "eth0", sender, victim.address, await gateway()],
        ...(whose === "its own" ? [] : [mac]),
      );
      await run("ip", ["neigh", "flush", "dev", `${berth.instance}0`]);
      for (let count = 0; count < 10; count++) expect(await page(`http://127.0.0.1:${bobPort}/`)).toBe("bob\n");
      const { stdout } = await run("ip", ["neigh", "show", "to", victim.address, "dev", `${berth.instance}0`]);
      expect(stdout).toContain(victim.mac);
      expect(await said(eve, "exec", "attacker", "sh", "-c", "pidof spoof && killall spoof")).not.toBe("");
    },
  );

  test("may not have the victim's hardware address", async () => {
    const { mac } = await addressOf(`${bob.id}/web`);
    const body = { Image: "busybox", Cmd: ["true"], MacAddress: mac };
    expect((await eve.ask("POST", "/containers/create?name=twin", { json: body })).status).toBe(201);
    expect(await eve.ask("POST", "/containers/twin/start")).toMatchObject({
      status: 409,
      text: expect.stringContaining("is already in use"),
    });
  });
});

describe("the host's services", () => {
  test("are refused to a user's container, and served to one whose user has the privilege", async () => {
    const server = createServer((socket) => socket.end("HTTP/1.0 200 OK\r\n\r\nhost")).listen({
      host: "0.0.0.0",
      port: 0,
    });
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    try {
      const host = await gateway();
      expect(await got(eve, "attacker", host, port)).toContain("failed");
      await askDirectory(berth, "POST", `/users/${eve.id}/constraints`, {
        kind: "privileges",
        effect: "grant",
        privileges: ["host-services"],
      });
      await expect
        .poll(
          async () => {
            await said(eve, "restart", "-t", "0", "attacker");
            return got(eve, "attacker", host, port);
          },
          { timeout: 20_000 },
        )
        .toBe("host");
    } finally {
      server.close();
    }
  });
});

describe("a network of an administrator", () => {
  beforeAll(async () => {
    await berth.expect([201], "POST", "/networks/create", { Name: "teamnet" });
  });

  async function share(tenant: DockerTenant): Promise<void> {
    await askDirectory(berth, "POST", `/users/${tenant.id}/constraints`, {
      kind: "networks",
      effect: "grant",
      names: ["teamnet"],
    });
    await expect
      .poll(async () => (await tenant.docker.run("network", "inspect", "teamnet")).code, { timeout: 20_000 })
      .toBe(0);
  }

  test("is not found by a user whom nobody let on it", async () => {
    for (const args of [
      ["network", "inspect", "teamnet"],
      ["run", "--rm", "--network", "teamnet", "busybox", "true"],
      ["network", "connect", "teamnet", "attacker"],
    ])
      expect(await eve.docker.run(...args)).toMatchObject({
        code: expect.any(Number),
        stderr: expect.stringMatching(/not found|No such network/),
      });
  });

  test("joins the users it is shared with, and no name of one leads to another's container", async () => {
    await share(bob);
    await share(eve);
    await said(bob, "run", "-d", "--name", "db", "--network", "teamnet", ...serve("bob"));
    await said(bob, "run", "-d", "--name", "client", "--network", "teamnet", "busybox", "sleep", "3600");
    await said(
      eve,
      ...["run", "-d", "--name", "thief", "--network", "teamnet"],
      ...["--network-alias", "db", "--network-alias", "api.github.com", ...serve("eve")],
    );
    expect(await got(bob, "client", "thief")).toBe("eve");
    for (let count = 0; count < 6; count++) expect(await got(bob, "client", "db")).toBe("bob");
    expect(await got(bob, "client", "api.github.com")).toContain("failed");
    expect(await got(eve, "thief", "api.github.com")).toBe("eve");
    expect((await eve.docker.run("network", "rm", "teamnet")).stderr).toContain("only its owner may remove it");
    expect(await said(eve, "network", "inspect", "-f", "{{len .Containers}}", "teamnet")).toBe("1");
  });

  test("starts no container once it is not shared any more", async () => {
    const all: readonly { readonly id: number; readonly kind: string }[] = await askDirectory(
      berth,
      "GET",
      `/users/${eve.id}/constraints`,
    );
    for (const { id } of all.filter(({ kind }) => kind === "networks"))
      await askDirectory(berth, "DELETE", `/constraints/${id}`);
    await expect
      .poll(async () => (await eve.docker.run("restart", "-t", "0", "thief")).stderr, { timeout: 20_000 })
      .toContain("networks teamnet is not granted");
    expect(await got(bob, "client", "db")).toBe("bob");
  });
});

test("a user's name server is not asked on the host's loopback", async () => {
  const asked: string[] = [];
  const server = createSocket("udp4", (message) => asked.push(message.toString("latin1")));
  server.bind(53, "127.0.0.99");
  await once(server, "listening");
  try {
    await said(eve, "network", "create", "own");
    for (const address of ["127.0.0.99", "169.254.169.254", "0.0.0.0"])
      expect(
        (await eve.docker.run("run", "--rm", "--network", "own", "--dns", address, "busybox", "true")).stderr,
      ).toContain(`name server ${address} is an address of the host itself`);
    expect(asked).toEqual([]);
  } finally {
    server.close();
  }
});
