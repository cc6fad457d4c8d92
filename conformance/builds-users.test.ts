import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ask } from "../scripts/ask.mjs";
import { type BerthWithDirectory, startBerthWithDirectory } from "./berth.testing.ts";
import { build, contextOf, leftOfBuilds } from "./builds.testing.ts";
import { type DockerUser, dockerAs } from "./docker-user.testing.ts";

// What users build is their own: names, cache, quotas, network, and what they may build from.

const PASS = "a long password nobody guesses";
const MIB = 2 ** 20;

let berth: BerthWithDirectory;
let folder: string;

interface User {
  readonly id: number;
  readonly docker: DockerUser;
  build(context: Buffer, query?: string): ReturnType<typeof build>;
  ask(method: string, path: string): ReturnType<typeof ask>;
}

let ann: User;
let bob: User;
/** May run busybox alone. */
let carl: User;
/** Has small quotas. */
let dora: User;

async function directory(path: string, body: unknown) {
  const response = await fetch(`${berth.directoryUrl}/api${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${berth.adminToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status} ${await response.text()}`);
  return (await response.json()) as { readonly id: number; readonly token: string };
}

async function signUp(login: string, ...constraints: readonly unknown[]): Promise<User> {
  const { id } = await directory("/users", { login, email: `${login}@example.com`, pass: PASS });
  for (const constraint of constraints) await directory(`/users/${id}/constraints`, constraint);
  const { token } = await directory("/login", { login, pass: PASS });
  const asking: typeof berth.ask = (method, path, { headers = {}, ...options } = {}) =>
    ask(`${berth.tcp.replace("tcp:", "http:")}${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...options,
    });
  return {
    id,
    docker: dockerAs(berth.tcp, token),
    build: (context, query) => build({ ask: asking }, context, query),
    ask: (method, path) => asking(method, path),
  };
}

function quota(resource: string, max: number) {
  return { kind: "quota", effect: "limit", resource, max };
}

beforeAll(async () => {
  process.env.DOCKER_BUILDKIT = "0";
  folder = mkdtempSync(join(tmpdir(), "berth-users-builds-"));
  berth = await startBerthWithDirectory();
  [ann, bob, carl, dora] = await Promise.all([
    signUp("ann"),
    signUp("bob"),
    signUp("carl", { kind: "images", effect: "limit", patterns: ["docker.io/library/busybox:*"] }),
    signUp("dora", quota("memory", 64 * MIB), quota("storage", 24 * MIB), quota("pids", 64)),
  ]);
  await berth.expect([201], "POST", "/images/busybox/tag?repo=other&tag=latest");
  const other = await build(berth, contextOf("FROM busybox\nLABEL other=1"), "t=corp/secret");
  expect(other.error).toBeUndefined();
});

afterAll(async () => {
  for (const user of [ann, bob, carl, dora]) user?.docker.close();
  await berth?.close();
  await rm(folder, { recursive: true, force: true });
});

function write(name: string, files: Readonly<Record<string, string>>): string {
  const context = join(folder, name);
  mkdirSync(context, { recursive: true });
  for (const [path, content] of Object.entries(files)) writeFileSync(join(context, path), content);
  return context;
}

async function printed({ docker }: User, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await docker.run(...args);
  expect(stderr.replace(/^DEPRECATED[\s\S]*?\n\n/, "")).not.toMatch(/error/i);
  expect(code).toBe(0);
  return stdout;
}

describe("two users who build under one name", () => {
  beforeAll(async () => {
    for (const [user, word] of [
      [ann, "ann"],
      [bob, "bob"],
    ] as const) {
      const context = write(word, { Dockerfile: "FROM busybox\nCOPY word /word\nCMD cat /word", word });
      expect(await printed(user, "build", "-t", "app", context)).toContain("Successfully tagged app:latest");
    }
  });

  test("run each their own, and see no other's", async () => {
    expect(await printed(ann, "run", "--rm", "app")).toBe("ann");
    expect(await printed(bob, "run", "--rm", "app")).toBe("bob");
    const ids = await Promise.all([ann, bob].map((user) => printed(user, "images", "-q", "--no-trunc", "app")));
    expect(ids[0]).not.toBe(ids[1]);
    for (const path of [`/images/${ids[0]}/json`, `/images/${ids[0]}/get`, `/images/${ids[0]?.slice(7, 20)}/history`])
      expect((await bob.ask("GET", path)).status).toBe(404);
    expect((await bob.docker.run("run", "--rm", ids[0] ?? "", "true")).stderr).toMatch(/No such image/);
    expect((await bob.build(contextOf(`FROM ${ids[0]}`))).error).toContain("No such image");
    expect((await berth.ask("GET", "/images/app/json")).status).toBe(404);
  });

  test("build upon their own images, by name", async () => {
    const built = await ann.build(
      contextOf("FROM app AS base\nFROM busybox\nCOPY --from=app /word /copied\nRUN cat /copied"),
    );
    expect(built.error).toBeUndefined();
    expect(built.text).toContain("\nann");
  });

  test("keep their names from an administrator's prune, and remove their own", async () => {
    await berth.expect([200], "POST", "/images/prune");
    expect(await printed(ann, "tag", "app", "second")).toBe("");
    expect(await printed(ann, "rmi", "second")).toContain("Untagged: second:latest");
    const refused = await ann.docker.run("rmi", "busybox");
    expect(refused.stderr).toContain("busybox is everyone's image");
    expect(await printed(ann, "run", "--rm", "app")).toBe("ann");
  });

  test("move no name of everyone's", async () => {
    const before = (await berth.expect([200], "GET", "/images/busybox/json")).json.Id;
    await ann.build(contextOf("FROM busybox\nLABEL by=ann"), "t=busybox&t=docker.io/corp/secret:latest");
    expect((await berth.expect([200], "GET", "/images/busybox/json")).json.Id).toBe(before);
    expect((await bob.ask("GET", "/images/busybox/json")).json.Id).toBe(before);
    expect((await ann.ask("GET", "/images/busybox/json")).json.Config.Labels.by).toBe("ann");
    await printed(ann, "rmi", "busybox", "corp/secret");
    expect((await ann.ask("GET", "/images/busybox/json")).json.Id).toBe(before);
  });

  test("share no cache", async () => {
    const context = contextOf("FROM busybox\nRUN date +%s%N > /moment && cat /moment");
    const first = await ann.build(context);
    expect((await ann.build(context)).text).toContain("Using cache");
    expect((await bob.build(context)).text).not.toContain("Using cache");
    expect(first.error).toBeUndefined();
    expect((await ann.ask("GET", "/system/df")).json.BuildCache.length).toBeGreaterThan(0);
    await printed(bob, "builder", "prune", "-f");
    expect((await bob.ask("GET", "/system/df")).json.BuildCache).toEqual([]);
    expect((await ann.build(context)).text).toContain("Using cache");
  });
});

describe("what a user may build from", () => {
  test("is what it may run, and so is the result", async () => {
    const built = await carl.build(contextOf("FROM busybox\nRUN echo made > /made"), "t=mine");
    expect(built.error).toBeUndefined();
    expect(await printed(carl, "run", "--rm", "mine", "cat", "/made")).toBe("made");
    expect((await carl.build(contextOf("FROM mine\nRUN true"))).error).toBeUndefined();
  });

  test.each([
    ["FROM", "FROM corp/secret"],
    ["an argument", "ARG IMAGE=corp/secret\nFROM $IMAGE"],
    ["an argument's default", `ARG IMAGE\nFROM \${IMAGE:-corp/secret}`],
    ["a later stage", "FROM busybox AS one\nFROM corp/secret"],
    ["COPY --from", "FROM busybox\nCOPY --from=corp/secret /bin /x"],
    ["nothing", "FROM scratch\nCOPY Dockerfile /"],
    ["nothing, by an argument", "ARG BASE=scratch\nFROM $BASE\nCOPY Dockerfile /"],
    ["a name that is not here", "FROM localhost:1/never/pulled"],
  ])("is nothing else, by %s", async (_, dockerfile) => {
    const { error, status } = await carl.build(contextOf(dockerfile));
    expect(error).toMatch(/denied by policy: image/);
    expect([200, 403]).toContain(status);
    expect(leftOfBuilds(berth)).toEqual([]);
  });

  test("is no image by its id", async () => {
    const { Id } = (await berth.expect([200], "GET", "/images/corp/secret/json")).json;
    for (const dockerfile of [`FROM ${Id}`, `FROM busybox\nCOPY --from=${Id.slice(7)} /bin /x`])
      expect((await carl.build(contextOf(dockerfile))).error).toMatch(/denied by policy|No such image/);
  });
});

const REFUSED: readonly (readonly [what: string, dockerfile: string, error: string | RegExp, query?: string])[] = [
  ["ADD of a loopback address", "FROM busybox\nADD http://127.0.0.1/x /x", "address of the host alone"],
  ["ADD of a link-local address", "FROM busybox\nADD http://169.254.169.254/latest /x", "address of the host alone"],
  ["ADD in JSON", 'FROM busybox\nADD ["http://127.0.0.1/x", "/x"]', "address of the host alone"],
  ["ADD of a variable's URL", "FROM busybox\nENV U=http://127.0.0.1:1\nADD $U/x /x", /connection refused/],
  ["ADD of a file of the host", "FROM busybox\nADD file:///etc/passwd /x", /no such file|file:/],
  ["ADD of a repository", "FROM busybox\nADD git@127.0.0.1:a/b.git /x", /no such file|Git/],
  ["a context on loopback", "", "address of the host alone", "remote=http://127.0.0.1:1/Dockerfile"],
  ["a context on a link-local address", "", "address of the host alone", "remote=http://169.254.169.254/x"],
  ["a repository on the host's disk", "", "want a URL", "remote=file:///work/repository.git"],
  ["a repository by a program", "", "want a URL", "remote=ext::sh%20-c%20id"],
  ["the host's network", "FROM busybox", "host-network", "networkmode=host"],
  ["a container's network", "FROM busybox", /join-container|No such container/, "networkmode=container:x"],
  ["another user's network", "FROM busybox", "not found", "networkmode=bobs"],
  ["a frontend", "# syntax=docker/dockerfile:1\nFROM busybox\nRUN --mount=type=ssh true", "requires BuildKit"],
  ["endless layers", `FROM busybox\n${"RUN true\n".repeat(1001)}`, "more than 1000 instructions"],
];

test.each(REFUSED.map(([what, dockerfile, error, query = ""]) => [what, dockerfile, error, query] as const))(
  "a user's build is refused %s, and nothing is left",
  async (_, dockerfile, error, query) => {
    if (query === "networkmode=bobs") await printed(bob, "network", "create", "bobs");
    const built = await ann.build(contextOf(dockerfile), query);
    expect(built.error).toMatch(error);
    expect(built.id).toBeUndefined();
    expect(leftOfBuilds(berth)).toEqual([]);
  },
);

describe("a user's step", () => {
  test("reaches its owner's containers, and no other's, nor the host", async () => {
    const serve = ["run", "-d", "--name", "web", "busybox", "sh", "-c", "echo found > /x; httpd -f -p 80 -h /"];
    for (const user of [ann, bob]) await printed(user, ...serve);
    const address = (user: User) =>
      printed(user, "inspect", "-f", "{{.NetworkSettings.Networks.bridge.IPAddress}}", "web");
    const [own, others] = [await address(ann), await address(bob)];
    const [, gateway = ""] = /^(.*)\.\d+$/.exec(own) ?? [];
    const get = (host: string, port = "80") => `printf 'GET /x HTTP/1.0\\r\\n\\r\\n' | nc -w 2 ${host} ${port}`;
    const { text } = await ann.build(
      contextOf(
        [
          "FROM busybox",
          `RUN ${get(own)} | grep found || echo own-''lost`,
          `RUN ${get(others)} | grep found || echo others-''kept`,
          `RUN ${get(`${gateway}.1`, new URL(berth.tcp.replace("tcp:", "http:")).port)} | grep HTTP || echo host-''kept`,
        ].join("\n"),
      ),
      "nocache=1",
    );
    for (const word of ["found", "others-kept", "host-kept"]) expect(text).toContain(`${word}\n`);
    expect(text).not.toContain("own-lost");
    for (const user of [ann, bob]) await printed(user, "rm", "-f", "web");
  });

  test("has the rights that the user's containers have", async () => {
    const show = "grep -E 'Cap|Seccomp:|NoNewPrivs' /proc/self/status";
    const { text } = await ann.build(contextOf(`FROM busybox\nRUN ${show}`), "nocache=1");
    expect(text).toContain(await printed(ann, "run", "--rm", "busybox", "sh", "-c", show));
  });
});

describe("a user's quotas", () => {
  test("bind its build as a whole, and count it while it runs", async () => {
    const building = dora.build(contextOf("FROM busybox\nRUN echo begun; sleep 1000"), "buildid=held");
    await vi.waitFor(async () => expect(leftOfBuilds(berth).some((name) => name.startsWith("build-"))).toBe(true), {
      timeout: 30_000,
      interval: 50,
    });
    const refused = await dora.docker.run("run", "--rm", "-m", "16m", "--pids-limit", "8", "busybox", "true");
    expect(refused.stderr).toContain("quota memory");
    expect((await bob.ask("POST", "/build/cancel?id=held")).status).toBe(204);
    expect(leftOfBuilds(berth)).not.toEqual([]);
    expect((await dora.ask("POST", "/build/cancel?id=held")).status).toBe(204);
    expect((await building).error).toBe("the build was cancelled");
    expect(await printed(dora, "run", "--rm", "-m", "16m", "--pids-limit", "8", "busybox", "echo", "free")).toBe(
      "free",
    );
  });

  test.each([
    ["memory", "RUN head -c 200m /dev/zero | tail", /non-zero code: 137|Killed|builder/],
    ["storage", "RUN dd if=/dev/zero of=/big bs=1M count=400; sleep 60", /quota storage/],
    ["storage, in a context that unpacks to more", "ADD bomb.tar /x", /quota storage|exceeds|storage/],
  ])("on %s end a build that takes more", async (_, step, error) => {
    const bomb = { name: "bomb.tar", content: "\0".repeat(30 * MIB) };
    const built = await dora.build(contextOf(`FROM busybox\n${step}`, ...(step.startsWith("ADD") ? [bomb] : [])));
    expect(built.error).toMatch(error);
    expect(leftOfBuilds(berth)).toEqual([]);
    expect((await dora.ask("GET", "/_ping")).status).toBe(200);
  });

  test("on storage end a build whose compressed context holds more", async () => {
    const bomb = gzipSync(contextOf("FROM busybox", { name: "bomb", content: "\0".repeat(60 * MIB) }));
    expect(bomb.length).toBeLessThan(MIB);
    expect((await dora.build(bomb)).error).toMatch(/quota storage|exceeds|storage/);
    expect(leftOfBuilds(berth)).toEqual([]);
  });

  test("on storage count images and cache, until they are removed", async () => {
    const context = contextOf("FROM busybox\nRUN dd if=/dev/zero of=/part bs=1M count=9");
    // What the build before has used counts until her storage is measured again.
    await vi.waitFor(async () => expect((await dora.build(context, "t=part")).error).toBeUndefined(), {
      timeout: 30_000,
    });
    const more = contextOf("FROM busybox\nRUN dd if=/dev/zero of=/more bs=1M count=9; sleep 30");
    expect((await dora.build(more, "t=more")).error).toMatch(/quota storage/);
    await printed(dora, "rmi", "part");
    await printed(dora, "builder", "prune", "-f");
    expect((await dora.build(contextOf("FROM busybox\nRUN true"))).error).toBeUndefined();
  });

  test("keep an owner's builds in a queue that others do not wait for", async () => {
    const context = contextOf("FROM busybox\nRUN sleep 1000");
    const many = Array.from({ length: 20 }, () => ann.build(context, "buildid=many"));
    await vi.waitFor(() => expect(leftOfBuilds(berth).length).toBeGreaterThan(0), { timeout: 30_000 });
    expect((await bob.build(contextOf("FROM busybox\nRUN echo not held up"))).error).toBeUndefined();
    const settled = new Set<string | undefined>();
    await vi.waitFor(
      async () => {
        await ann.ask("POST", "/build/cancel?id=many");
        for (const { error } of await Promise.race([
          Promise.all(many),
          new Promise<never[]>((r) => setTimeout(() => r([]), 200)),
        ]))
          settled.add(error);
        expect(settled.size).toBeGreaterThan(0);
      },
      { timeout: 30_000 },
    );
    expect([...settled].sort()).toEqual([
      "16 builds of yours wait or run already: wait until one of them ends",
      "the build was cancelled",
    ]);
    // A build answers before its folders are gone.
    await vi.waitFor(() => expect(leftOfBuilds(berth)).toEqual([]), { timeout: 20_000 });
  });
});
