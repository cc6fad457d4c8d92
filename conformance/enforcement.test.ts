import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type BerthWithDirectory, startBerthWithDirectory } from "./berth.testing.ts";
import { type DockerUser, dockerAs, type Ran } from "./docker-user.testing.ts";

interface Answered {
  readonly id?: number;
  readonly token?: string;
}

const execute = promisify(execFile);
const COMMAND = join(import.meta.dirname, "../packages/cli/dist/bundle/main.js");
const PASS = "a long password nobody guesses";

describe("the directory's constraints, enforced on the Docker CLI", () => {
  let berth: BerthWithDirectory;
  let ann: DockerUser;
  let bob: DockerUser;
  let nobody: DockerUser;
  let annId: number;
  let groupId: number;
  const tokens: string[] = [];

  const api = async (method: string, path: string, body?: unknown, token = berth.adminToken): Promise<Answered> => {
    const response = await fetch(`${berth.directoryUrl}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${await response.text()}`);
    return response.status === 204 ? {} : ((await response.json()) as Answered);
  };

  const signUp = async (login: string) => {
    const user = await api("POST", "/users", { login, email: `${login}@example.com`, pass: PASS });
    const { token = "" } = await api("POST", "/login", { login, pass: PASS });
    tokens.push(token);
    return { id: user.id ?? 0, docker: dockerAs(berth.tcp, token) };
  };

  /** Runs `berth` as the administrator of the host. */
  const administer = async (...words: readonly string[]): Promise<string> => {
    const env = {
      ...process.env,
      BERTH_SOCKET: berth.socket,
      BERTH_DIRECTORY_URL: berth.directoryUrl,
      BERTH_TOKEN: berth.adminToken,
    };
    return (await execute(process.execPath, [COMMAND, ...words], { env })).stdout;
  };

  /** A change is in force a second later at the latest. */
  const inForce = () => new Promise((resolve) => setTimeout(resolve, 1_100));

  beforeAll(async () => {
    vi.stubEnv("BERTH_LOG_LEVEL", "debug");
    berth = await startBerthWithDirectory();
    tokens.push(berth.adminToken);
    ({ id: annId, docker: ann } = await signUp("ann"));
    ({ docker: bob } = await signUp("bob"));
    nobody = dockerAs(berth.tcp, undefined);
    const group = await api("POST", "/groups", { name: "web" });
    groupId = group.id ?? 0;
    await api("PUT", `/groups/${groupId}/members/${annId}`);
    const ports = [{ start: 18_000, end: 18_099, protocol: "tcp" }];
    await api("POST", `/groups/${groupId}/constraints`, { kind: "host-ports", effect: "limit", ports });
    await inForce();
  });

  afterAll(async () => {
    for (const client of [ann, bob, nobody]) client?.close();
    await berth?.close();
    vi.unstubAllEnvs();
  });

  it("lets nobody in without a token, and says how to bring one", async () => {
    const { code, stderr } = await nobody.run("ps");
    expect(code).not.toBe(0);
    expect(stderr).toContain("authentication required: send an Authorization header");
  });

  it("lets a user take a port that its group's limit permits, and a dynamic one within it", async () => {
    expect(await ann.run("run", "-d", "--name", "fixed", "-p", "18050:80", "busybox", "sleep", "600")).toMatchObject({
      code: 0,
    });
    expect(await ann.run("run", "-d", "--name", "dynamic", "-p", "80", "busybox", "sleep", "600")).toMatchObject({
      code: 0,
    });
    const { stdout } = await ann.run("port", "dynamic", "80");
    expect(Number(/:([0-9]+)$/m.exec(stdout)?.[1])).toSatisfy((port: number) => port >= 18_000 && port <= 18_099);
  });

  it.each([
    [
      "a port outside",
      ["-p", "19000:80"],
      /host-ports 19000\/tcp is outside the limit set by constraint \d+ of group web \(would pass: 18000-18099\/tcp\)/,
    ],
    ["privileges", ["--privileged"], /privileges privileged is not granted/],
    ["a capability", ["--cap-add", "NET_ADMIN"], /privileges capability:NET_ADMIN is not granted/],
    ["the host's network", ["--network", "host"], /privileges host-network is not granted/],
    ["the host's processes", ["--pid", "host"], /privileges host-pid is not granted/],
    ["a host folder", ["-v", "/etc:/host"], /mounts \/etc is not granted/],
    [
      "a host folder as a volume",
      ["--mount", "type=volume,dst=/x,volume-opt=type=none,volume-opt=o=bind,volume-opt=device=/etc"],
      /only an administrator mounts a volume with driver options/,
    ],
    ["a device", ["--device", "/dev/null"], /privileges devices is not granted/],
    ["no confinement", ["--security-opt", "seccomp=unconfined"], /privileges unconfined is not granted/],
  ])("refuses %s with what refuses and what would pass", async (_, args, message) => {
    const { code, stderr } = await ann.run("create", "--name", "refused", ...args, "busybox", "true");
    expect(code).not.toBe(0);
    expect(stderr).toMatch(message);
    expect((await ann.run("inspect", "refused")).stderr).toContain("No such");
  });

  it("shows a user its own containers alone", async () => {
    expect((await bob.run("ps", "-aq")).stdout).toBe("");
    for (const command of [
      ["inspect"],
      ["logs"],
      ["rm", "-f"],
      ["exec", "fixed", "id"],
      ["cp", "fixed:/etc/passwd", "-"],
    ]) {
      const args = command.length > 1 && command[0] !== "rm" ? command : [...command, "fixed"];
      const { stderr, stdout } = await bob.run(...args);
      expect(`${stdout}${stderr}`).toMatch(/No such (container|object)/);
    }
    expect((await ann.run("inspect", "-f", "{{.State.Status}}", "fixed")).stdout).toBe("running");
  });

  it("keeps what all share to administrators", async () => {
    expect((await ann.run("rmi", "busybox")).stderr).toContain("everyone's image: only an administrator may remove it");
    // A name of her own is no one else's.
    expect((await ann.run("tag", "busybox", "mine")).code).toBe(0);
    expect((await bob.run("inspect", "mine")).stderr).toContain("No such");
    expect((await ann.run("rmi", "mine")).code).toBe(0);
  });

  it("keeps a reserved port for the members of its group, with no container on it", async () => {
    const reserved = await administer("ports", "reserve", "18060", "--group", "web");
    expect(reserved).toMatch(/^18060 +tcp +reserved for group web +\d{4}-/m);
    const run = (docker: DockerUser, name: string) =>
      docker.run("run", "-d", "--name", name, "-p", "18060:80", "busybox", "sleep", "600");
    expect((await run(bob, "bobs")).stderr).toContain("port is reserved for somebody else");
    await bob.run("rm", "bobs");
    expect(await run(ann, "reserved")).toMatchObject({ code: 0 });
    expect(await administer("ports")).toMatch(/^0\.0\.0\.0:18060 +tcp +container reserved +ann +80 +\d{4}-/m);
    await ann.run("rm", "-f", "reserved");
    await administer("ports", "unreserve", "18060", "--yes");
    expect(await run(bob, "bobs")).toMatchObject({ code: 0 });
    await bob.run("rm", "-f", "bobs");
  });

  it("decides again at start, and holds a tightened limit within a second", async () => {
    await ann.run("stop", "-t", "0", "fixed");
    const deny = await api("POST", `/users/${annId}/constraints`, {
      kind: "host-ports",
      effect: "deny",
      ports: [{ start: 18_050, end: 18_050 }],
    });
    await inForce();
    expect((await ann.run("start", "fixed")).stderr).toMatch(
      /host-ports 18050\/tcp is denied by constraint \d+ of user ann/,
    );
    await api("DELETE", `/constraints/${deny.id}`);
    await inForce();
    expect(await ann.run("start", "fixed")).toMatchObject({ code: 0 });
  });

  it("never lets requests at once exceed a quota together", async () => {
    await api("POST", `/users/${annId}/constraints`, {
      kind: "quota",
      effect: "limit",
      resource: "containers",
      max: 4,
    });
    await inForce();
    const created = await Promise.all(Array.from({ length: 6 }, () => ann.run("create", "busybox", "true")));
    expect(created.filter(({ code }) => code === 0)).toHaveLength(2);
    for (const { code, stderr } of created) if (code !== 0) expect(stderr).toContain("over the quota");
  });

  it("ends every open stream of a user who is disabled", { timeout: 60_000 }, async () => {
    const { id, docker: dan } = await signUp("dan");
    const loop = "while :; do echo line; sleep 0.2; done";
    expect(await dan.run("run", "-d", "--name", "talker", "busybox", "sh", "-c", loop)).toMatchObject({ code: 0 });
    // `docker stats` shows its last figures for ever.
    const open = [
      ["exec", "-i", "talker", "sh", "-c", "echo begun; cat"],
      ["attach", "talker"],
      ["logs", "-f", "talker"],
      ["events", "--since", "1h"],
    ].map((args) => {
      const client = dan.open(...args);
      const heard = { name: args[0], client, any: false };
      client.stdout?.on("data", () => {
        heard.any = true;
      });
      return heard;
    });
    const names = (picked: typeof open) => picked.map(({ name }) => name);
    await expect.poll(() => names(open.filter(({ any }) => !any)), { timeout: 20_000 }).toEqual([]);
    expect(names(open.filter(({ client }) => client.exitCode !== null))).toEqual([]);
    await api("PATCH", `/users/${id}`, { active: false });
    const left = () => names(open.filter(({ client }) => client.exitCode === null));
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
    expect((await dan.run("ps")).stderr).toContain("authentication");
    await berth.expect([204], "DELETE", `/containers/${id}/talker?force=1`);
    dan.close();
  });

  it("shows by `berth enforce --dry-run` what is no longer permitted, and stops it without", async () => {
    const { id, docker: fay } = await signUp("fay");
    const grant = { kind: "privileges", effect: "grant", privileges: ["capability:NET_ADMIN"] };
    const { id: constraint } = await api("POST", `/users/${id}/constraints`, grant);
    await inForce();
    for (const [name, ...args] of [["able", "--cap-add", "NET_ADMIN", "--stop-signal", "KILL"], ["plain"]] as const)
      expect(await fay.run("run", "-d", "--name", name, ...args, "busybox", "sleep", "600")).toMatchObject({ code: 0 });
    expect(await administer("enforce", "--user", "fay", "--dry-run")).toBe("Every running container is permitted.\n");
    await api("DELETE", `/constraints/${constraint}`);
    await inForce();
    const running = async () => (await fay.run("ps", "--format", "{{.Names}}")).stdout.split("\n").sort();
    const found = /^LOGIN +NAME +OUTCOME +REASON\nfay +able +(\S+) +denied by policy: .*capability:NET_ADMIN.*\n$/;
    expect(found.exec(await administer("enforce", "--dry-run"))?.[1]).toBe("would-stop");
    expect(await administer("enforce", "--user", "bob", "--yes")).toBe("Every running container is permitted.\n");
    expect(await running()).toEqual(["able", "plain"]);
    expect(found.exec(await administer("enforce", "--yes"))?.[1]).toBe("stopped");
    expect(await running()).toEqual(["plain"]);
    expect((await fay.run("start", "able")).stderr).toContain("capability:NET_ADMIN is not granted");
    await fay.run("rm", "-f", "able", "plain");
    fay.close();
  });

  it("lets a removed user create nothing within a second, and leaves nothing half made", async () => {
    const { id, docker: cat } = await signUp("cat");
    const all = async (): Promise<readonly string[]> =>
      (await berth.expect([200], "GET", "/containers/json?all=true")).json.map(({ Id }: { Id: string }) => Id);
    const before = await all();
    let isOver = false;
    const creating = Array.from({ length: 3 }, async () => {
      const created: Ran[] = [];
      while (!isOver) {
        const one = await cat.run("create", "busybox", "true");
        created.push(one);
        if (one.code === 0) await cat.run("rm", one.stdout);
      }
      return created;
    });
    expect(await cat.run("create", "busybox", "true")).toMatchObject({ code: 0 });
    await api("DELETE", `/users/${id}`);
    await inForce();
    const refused = await cat.run("create", "busybox", "true");
    isOver = true;
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("authentication");
    const created = (await Promise.all(creating)).flat();
    expect(created.at(-1)?.stderr).toContain("authentication");
    // What is left of its containers is whole, and the administrators' to remove.
    for (const left of (await all()).filter((one) => !before.includes(one)))
      await berth.expect([204], "DELETE", `/containers/${left}?v=true`);
    expect(await all()).toEqual(before);
    cat.close();
  });

  it("logs no password, no token and no environment, and tells none of a registry's, right or wrong", async () => {
    const secrets = { password: "Zebra-1-crossing", identity: "Zebra-2-crossing", env: "Zebra-3-crossing" };
    const registry = "127.0.0.1:9";
    const login = { username: "ann", password: secrets.password, serveraddress: registry };
    const header = (value: unknown) => ({
      "x-registry-auth": Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url"),
    });
    const headers = [
      header(login),
      header({ identitytoken: secrets.identity }),
      header(`{"password":"${secrets.password}`),
    ];
    const told = [await berth.ask("POST", "/auth", { json: login })];
    told.push(await berth.ask("POST", "/auth", { json: { ...login, password: [secrets.password] } }));
    await berth.expect([201], "POST", `/images/busybox/tag?repo=${registry}/busybox&tag=1`);
    for (const one of headers) {
      told.push(await berth.ask("POST", `/images/create?fromImage=${registry}/x&tag=1`, { headers: one }));
      told.push(await berth.ask("POST", `/images/${registry}/busybox/push?tag=1`, { headers: one }));
    }
    await berth.expect([200], "DELETE", `/images/${registry}/busybox:1`);
    for (const { text } of told) expect(text).not.toMatch(/Zebra/);

    const env = `PASS=${secrets.env}`;
    const run = ["run", "-d", "--name", "spoken", "-e", env, "busybox", "sleep", "600"];
    for (const command of [run, ["exec", "-e", env, "spoken", "true"], ["rm", "-f", "spoken"]])
      expect(await bob.run(...command)).toMatchObject({ code: 0 });
    for (const refused of [["--privileged"], ["-p", "19000:80"], ["--cpus", "4096"], ["--network", "nowhere"]])
      expect((await bob.run("run", "-e", env, ...refused, "busybox", "true")).stderr).not.toContain(secrets.env);

    const logs = ["container", "directory"].map((name) =>
      readFileSync(join(dirname(berth.state), `${name}.log`), "utf8"),
    );
    const log = logs.join("");
    expect(log.length).toBeGreaterThan(0);
    const encoded = headers.map((one) => one["x-registry-auth"]);
    for (const secret of [...Object.values(secrets), ...encoded, ...tokens, PASS]) expect(log).not.toContain(secret);
  });

  it("refuses when the directory cannot be reached, and the administrators' socket goes on", async () => {
    await berth.directory.end("SIGKILL");
    await inForce();
    expect((await ann.run("ps")).stderr).toContain("the directory cannot be reached");
    expect((await berth.ask("GET", "/containers/json")).status).toBe(200);
  });
});
