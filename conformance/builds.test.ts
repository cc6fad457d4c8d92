import { execFile } from "node:child_process";
import { once } from "node:events";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { removeContainers } from "./berth.testing.ts";
import { build, contextOf, leftOfBuilds } from "./builds.testing.ts";
import { dockerOf } from "./docker.testing.ts";
import { documentedCommands, patternOf } from "./readme.testing.ts";
import { sharedBerth } from "./shared-berth.testing.ts";
import { settingsFor } from "./testcontainers.testing.ts";

const berth = sharedBerth();
// The classic builder, whatever else the CLI has.
process.env.DOCKER_BUILDKIT = "0";
Object.assign(process.env, settingsFor(berth), { TESTCONTAINERS_RYUK_DISABLED: "true" });
const { GenericContainer } = await import("testcontainers");
const docker = dockerOf(berth);
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "berth-builds-"));

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await removeContainers(berth);
  const { json } = await berth.ask("GET", "/images/json");
  for (const { Id, RepoTags } of json as readonly { Id: string; RepoTags: readonly string[] | null }[])
    if (!(RepoTags ?? []).includes("busybox:latest")) await berth.ask("DELETE", `/images/${Id}?force=1`);
  await berth.expect([200], "POST", "/build/prune");
});

/** Writes a context, and gives its folder. */
function write(name: string, files: Readonly<Record<string, string>>): string {
  const context = join(folder, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(context, path, ".."), { recursive: true });
    writeFileSync(join(context, path), content);
  }
  return context;
}

describe("docker build", () => {
  test("builds stages with arguments, labels and names, and runs the result", async () => {
    const context = write("stages", {
      Dockerfile: [
        "ARG BASE=missing",
        "FROM $BASE AS made",
        "ARG WORD",
        'RUN echo "$WORD" > /word && chown 7:8 /word',
        "FROM busybox AS shown",
        "COPY --from=made /word /word",
        "COPY more /more/",
        'CMD ["cat", "/word", "/more/file"]',
        "FROM missing AS unwanted",
      ].join("\n"),
      "more/file": "of the context",
    });
    const args = ["--build-arg", "BASE=busybox", "--build-arg", "WORD=said", "--label", "a=b c", "--target", "shown"];
    const built = await docker.run("build", ...args, "-t", "stages:1", "-t", "stages:2", context);
    expect(built).toContain("Step 2/8 : FROM $BASE AS made\n ---> ");
    expect(built).toContain("Successfully tagged stages:2");
    expect(await docker.run("run", "--rm", "stages:1")).toBe("said\nof the context");
    expect(await docker.run("run", "--rm", "stages:2", "stat", "-c", "%u %g", "/word")).toBe("7 8");
    expect(await docker.run("inspect", "-f", "{{.Config.Labels.a}}", "stages:1")).toBe("b c");
    expect(await docker.run("history", "--format", "{{.CreatedBy}}", "--no-trunc", "stages:1")).toContain("/more/");

    const again = await docker.run("build", ...args, "-t", "stages:1", context);
    expect(again.match(/ ---> Using cache\n/g)?.length).toBeGreaterThanOrEqual(4);
    const anew = await docker.run("build", "--no-cache", ...args, "-t", "stages:1", context);
    expect(anew).not.toContain("Using cache");
  });

  test("takes from the cache what was built last, also by a build that did not ask it", async () => {
    const context = contextOf("FROM busybox\nRUN date +%s%N > /moment");
    const first = await build(berth, context);
    expect((await build(berth, context)).id).toBe(first.id);
    const anew = await build(berth, context, "nocache=1");
    expect(anew.id).not.toBe(first.id);
    const again = await build(berth, context);
    expect([again.id, again.text.includes("Using cache")]).toEqual([anew.id, true]);
  });

  test("takes a Dockerfile from outside of the context", async () => {
    const outside = write("outside", { "Other.Dockerfile": "FROM busybox\nCOPY file /file\nRUN cat /file" });
    const built = await docker.run(
      "build",
      "--no-cache",
      "-f",
      join(outside, "Other.Dockerfile"),
      write("inside", { file: "of the context" }),
    );
    expect(built).toContain("\nof the context");
  });

  test("prints what docs/builds.md shows", async () => {
    const page = readFileSync(join(import.meta.dirname, "../docs/builds.md"), "utf8");
    const [{ command, output } = { command: "", output: "" }] = documentedCommands(page);
    const context = write("page", { Dockerfile: 'FROM busybox\nRUN echo hello\nCMD ["sh"]\n' });
    await berth.expect([200], "POST", "/build/prune");
    const args = command.replace("DOCKER_BUILDKIT=0 docker ", "").split(" ");
    expect(await docker.run(...args.map((arg) => (arg === "." ? context : arg)))).toMatch(patternOf(output));
  });

  test("shows its cache, and prunes it", async () => {
    await docker.run("build", "-q", write("cached", { Dockerfile: "FROM busybox\nRUN touch /cached" }));
    expect(await docker.run("system", "df", "--format", "{{.Type}} {{.TotalCount}}")).toMatch(/Build Cache [1-9]/);
    await berth.expect([200], "POST", "/build/prune?keep-storage=1000000000");
    expect(await docker.run("system", "df", "--format", "{{.Type}} {{.TotalCount}}")).toMatch(/Build Cache [1-9]/);
    const { json } = await berth.expect([200], "POST", "/build/prune?keep-storage=1");
    expect(json.CachesDeleted.length).toBeGreaterThan(0);
    await docker.run("build", "-q", write("cached", { Dockerfile: "FROM busybox\nRUN touch /cached" }));
    expect(await docker.run("builder", "prune", "-f", "--filter", "until=24h")).toContain("Total");
    expect(await docker.run("builder", "prune", "-f")).toMatch(/Total:|Total reclaimed space: [1-9]/);
    expect(await docker.run("system", "df", "--format", "{{.Type}} {{.TotalCount}}")).toContain("Build Cache 0");
  });

  test("-q prints the id alone", async () => {
    const id = await docker.run("build", "-q", write("quiet", { Dockerfile: "FROM busybox\nENV A=b" }));
    expect(id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await docker.run("inspect", "-f", "{{.Config.Env}}", id)).toContain("A=b");
  });

  test("tells which command failed, and leaves nothing", async () => {
    const { code, stderr } = await docker.try("build", write("fails", { Dockerfile: "FROM busybox\nRUN exit 7" }));
    expect(stderr).toContain("The command '/bin/sh -c exit 7' returned a non-zero code: 7");
    expect(code).toBe(7);
    expect(leftOfBuilds(berth)).toEqual([]);
  });

  test("ends with its client", async () => {
    const context = write("endless", { Dockerfile: "FROM busybox\nRUN echo begun; sleep 1000" });
    const building = docker.start("build", context);
    await building.prints("begun");
    expect(leftOfBuilds(berth)).not.toEqual([]);
    building.kill();
    await vi.waitFor(() => expect(leftOfBuilds(berth)).toEqual([]), { timeout: 20_000, interval: 50 });
  });

  test("has the network that it is given", async () => {
    const Dockerfile = "FROM busybox\nRUN ip -o link | wc -l; cat /etc/hosts";
    const none = await docker.run("build", "--network", "none", "--no-cache", write("none", { Dockerfile }));
    expect(none).toMatch(/\n1\n/);
    const bridge = await docker.run(
      "build",
      "--no-cache",
      "--add-host",
      "db:10.1.2.3",
      write("bridge", { Dockerfile }),
    );
    expect(bridge).toMatch(/\n2\n/);
    expect(bridge).toMatch(/10\.1\.2\.3\s+db/);
    expect((await docker.try("build", "--network", "nowhere", write("nowhere", { Dockerfile }))).stderr).toContain(
      "network nowhere not found",
    );
  });
});

describe("a step", () => {
  // fsync(2) of /dev/null fails.
  test("does not wait for the disk", async () => {
    const dockerfile = "FROM busybox\nRUN dd if=/dev/zero of=/dev/null count=1 conv=fsync && sync";
    expect((await build(berth, contextOf(dockerfile), "nocache=1")).error).toBeUndefined();
  });

  test("has no more than a container has", async () => {
    const show =
      "grep -E 'CapEff|Seccomp:' /proc/self/status; ls /dev | sort | tr '\\n' ' '; ls -A /sys/fs/cgroup | wc -l; ls -A /sys/firmware | wc -l";
    const { text, error } = await build(
      berth,
      contextOf(`FROM busybox\nRUN ${show}\nRUN mknod /sda b 8 0 && ! cat /sda\nRUN ! mount -t tmpfs x /mnt`),
      "nocache=1",
    );
    expect(error).toBeUndefined();
    const contained = await docker.run("run", "--rm", "busybox", "sh", "-c", show.split(" ls -A /sys/fs")[0] ?? "");
    const [capabilities = "", seccomp = "", devices = ""] = contained.split("\n");
    expect(text).toContain(`${capabilities}\n${seccomp}\n`);
    for (const device of text
      .match(/^core.*|^fd .*$/m)?.[0]
      .trim()
      .split(" ")
      .slice(0, -1) ?? [])
      expect(devices.split(" ")).toContain(device.replace(/0$/, ""));
    expect(text).toMatch(/stderr stdin stdout tty urandom zero 0\n0\n/);
  });
});

/** What buildah says instead of its reason where its helper ends before it has read the question (buildah#5520). */
const ENDED_EARLY = "copier subprocess: write |1: broken pipe";

const CASES: readonly (readonly [what: string, dockerfile: string | Buffer, error: string, query?: string])[] = [
  ["an unknown instruction", "FROM busybox\nBREW tea", "dockerfile parse error line 2: unknown instruction: BREW"],
  ["an empty Dockerfile", "", "the Dockerfile (Dockerfile) cannot be empty"],
  ["a Dockerfile elsewhere", "FROM busybox", "Forbidden path outside the build context: ../x", "dockerfile=../x"],
  ["a Dockerfile that is missing", "FROM busybox", "Cannot locate specified Dockerfile: x", "dockerfile=x"],
  ["a name that is none", "FROM busybox", "invalid reference format", "t=A%20B"],
  [
    "arguments of the wrong type",
    "FROM busybox",
    "query parameter buildargs: invalid JSON: json: cannot unmarshal",
    "buildargs=[1]",
  ],
  ["labels of the wrong type", "FROM busybox", "query parameter labels", 'labels={"a":1}'],
  ["a number that is none", "FROM busybox", "query parameter memory", "memory=much"],
  ["squash", "FROM busybox", "squash is only supported with experimental mode", "squash=1"],
  ["BuildKit", "FROM busybox", "BuildKit's API is not offered", "version=2"],
  ["a mount of the host", "FROM busybox\nRUN --mount=type=bind,source=/,target=/h true", "requires BuildKit"],
  ["a stage of another build", "FROM busybox\nCOPY --from=7 /a /b", "no such stage"],
  ["a target that is missing", "FROM busybox", "failed to reach build target x", "target=x"],
  [
    "a link out of the context",
    contextOf("FROM busybox\nCOPY x /x", link("x", "../../etc/shadow")),
    "no such file or directory",
  ],
  [
    "a hard link out of it",
    contextOf("FROM busybox", { name: "x", type: "1", link: "../../etc/shadow" }),
    "invalid hardlink",
  ],
  ["a device", contextOf("FROM busybox", { name: "x", type: "4" }), "the device node"],
  ["no archive", Buffer.from("garbage".repeat(200)), "invalid archive"],
  [
    "half an archive",
    contextOf("FROM busybox", { name: "x", content: "y".repeat(5000) }).subarray(0, 2000),
    "invalid archive",
  ],
  ["a file that is missing", "FROM busybox\nCOPY missing /x", "no such file or directory"],
  ["a path out of the context", "FROM busybox\nCOPY ../../../../etc/shadow /x", "no such file or directory"],
  ["an absolute link", contextOf("FROM busybox\nCOPY x/shadow /x", link("x", "/etc")), "no such file or directory"],
  ["an image that does not exist", "FROM localhost:1/nothing", "localhost:1"],
  ["an image that no name can be", "FROM busybox@x", "invalid reference format"],
  [
    "a context on the service's disk",
    "FROM busybox",
    "want a URL with http, https or git",
    "remote=file:///etc/passwd",
  ],
  ["a URL of the service's host", "FROM busybox\nADD http://127.0.0.1:1/x /x", "connection refused"],
];

function link(name: string, target: string) {
  return { name, type: "2", link: target };
}

test.each(CASES.map(([what, dockerfile, error, query = ""]) => [what, dockerfile, error, query] as const))(
  "%s is refused with a reason, and nothing is left",
  async (_, dockerfile, error, query) => {
    const context = typeof dockerfile === "string" ? contextOf(dockerfile) : dockerfile;
    const built = await build(berth, context, query);
    expect(built.error).toSatisfy((told?: string) => [error, ENDED_EARLY].some((reason) => told?.includes(reason)));
    expect(built.id).toBeUndefined();
    expect(leftOfBuilds(berth)).toEqual([]);
  },
);

test("a link within the context leads nowhere else", async () => {
  const { text, error } = await build(
    berth,
    contextOf("FROM busybox\nCOPY a /a\nRUN cat /a/passwd 2>&1 || echo no", link("a", "/etc")),
    "nocache=1",
  );
  expect(error ?? text).toSatisfy((told: string) => /no such file|\nno\n/.test(told) || told.includes(ENDED_EARLY));
});

test("endless output ends with its reader, and holds up nobody", async () => {
  const headers = { "content-type": "application/x-tar" };
  const asking = request({ socketPath: berth.socket, path: "/build?nocache=1", method: "POST", headers });
  asking.end(contextOf("FROM busybox\nRUN yes"));
  const [stream] = (await once(asking, "response")) as [IncomingMessage];
  await once(stream, "data");
  stream.pause();
  await berth.expect([200], "GET", "/_ping");
  stream.destroy();
  await vi.waitFor(() => expect(leftOfBuilds(berth)).toEqual([]), { timeout: 20_000, interval: 50 });
});

test("a build is cancelled by its id", async () => {
  const building = build(berth, contextOf("FROM busybox\nRUN sleep 1000"), "buildid=mine");
  await vi.waitFor(() => expect(leftOfBuilds(berth)).not.toEqual([]), { timeout: 20_000, interval: 50 });
  await berth.expect([204], "POST", "/build/cancel?id=another");
  await berth.expect([204], "POST", "/build/cancel?id=mine");
  expect((await building).error).toBe("the build was cancelled");
  expect(leftOfBuilds(berth)).toEqual([]);
});

describe("a context elsewhere", () => {
  const site = join(folder, "site");
  const server = createServer((asked, answer) => {
    const path = join(site, new URL(asked.url ?? "/", "http://site").pathname);
    if (existsSync(path) && statSync(path).isFile()) createReadStream(path).pipe(answer);
    else answer.writeHead(404).end();
  });
  let url = "";
  beforeAll(async () => {
    const files = { Dockerfile: "FROM busybox\nCOPY file /file\nRUN cat /file", file: "from elsewhere" };
    write("site/source/part", files);
    write("site", { "lone/Dockerfile": "FROM busybox\nRUN echo lone" });
    const git = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
    const source = join(site, "source");
    await run("tar", ["-C", join(source, "part"), "-czf", join(site, "context.tgz"), "."]);
    await run("git", ["-C", source, "init", "-q", "-b", "main"]);
    await run("git", ["-C", source, "add", "."]);
    await run("git", ["-C", source, ...git, "commit", "-q", "-m", "one"]);
    await run("git", ["clone", "-q", "--bare", source, join(site, "repository.git")]);
    await run("git", ["-C", join(site, "repository.git"), "update-server-info"]);
    server.listen(0, "0.0.0.0");
    await once(server, "listening");
    const { json } = await berth.expect([200], "GET", "/networks/bridge");
    url = `http://${json.IPAM.Config[0].Gateway}:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  test.each([
    ["context.tgz", "from elsewhere"],
    ["repository.git#main:part", "from elsewhere"],
    ["lone/Dockerfile", "lone"],
    // What was fetched is the Dockerfile, whatever the client calls it.
    ["lone/Dockerfile", "lone", "&dockerfile=other"],
  ])("%s", async (path, shown, further = "") => {
    const { text, error } = await build(
      berth,
      Buffer.alloc(0),
      `nocache=1&remote=${encodeURIComponent(`${url}/${path}`)}${further}`,
    );
    expect(error).toBeUndefined();
    expect(text).toContain(shown);
    expect(leftOfBuilds(berth)).toEqual([]);
  });

  test.each([
    ["missing", "invalid response status 404"],
    ["missing.git", "not found"],
    ["repository.git#nowhere", "nowhere"],
    ["repository.git#main:nowhere", 'the repository has no folder "nowhere"'],
  ])("%s is refused with a reason", async (path, reason) => {
    const { error } = await build(berth, Buffer.alloc(0), `remote=${encodeURIComponent(`${url}/${path}`)}`);
    expect(error).toContain(reason);
    expect(leftOfBuilds(berth)).toEqual([]);
  });
});

describe("other clients", () => {
  test("docker-compose 1.29 builds and starts a service", async () => {
    const context = write("composed", {
      "docker-compose.yml":
        'version: "3.7"\nservices:\n  one:\n    build:\n      context: .\n      args: {WORD: composed}\n    command: cat /word\n',
      Dockerfile: "FROM busybox\nARG WORD\nRUN echo $WORD > /word",
    });
    const env = { ...process.env, DOCKER_HOST: `unix://${berth.socket}` };
    const compose = (...args: readonly string[]) =>
      run("docker-compose", ["--no-ansi", "-p", "built", ...args], { env, cwd: context });
    const { stdout } = await compose("up", "--build");
    expect(stdout).toMatch(/one_1\s+\| composed/);
    await compose("down", "--rmi", "all");
  });

  test("testcontainers builds from a Dockerfile", async () => {
    const context = write("contained", { Dockerfile: "FROM busybox\nARG WORD\nENV WORD=$WORD\nCMD sleep 1000" });
    const image = await GenericContainer.fromDockerfile(context).withBuildArgs({ WORD: "contained" }).build();
    const container = await image.start();
    expect((await container.exec(["sh", "-c", "echo $WORD"])).output.trim()).toBe("contained");
    await container.stop({ timeout: 0 });
  });

  test("docker-py builds from a file", async () => {
    const script = [
      "import docker, io",
      "client = docker.from_env()",
      'image, logs = client.images.build(fileobj=io.BytesIO(b"FROM busybox\\nLABEL by=py"), tag="by-py", rm=True)',
      'print(image.labels["by"], image.tags[0], any("Successfully built" in line.get("stream", "") for line in logs))',
    ].join("\n");
    const env = { ...process.env, DOCKER_HOST: `unix://${berth.socket}` };
    const { stdout } = await run("/usr/bin/python3", ["-c", script], { env });
    expect(stdout.trim()).toBe("py by-py:latest True");
  });
});
