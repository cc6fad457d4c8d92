import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startTestRegistry } from "../apps/container/src/images/registry/registry.testing.ts";
import { ask } from "../scripts/ask.mjs";
import {
  type BuildKitBerth,
  clientOf,
  done,
  type Run,
  sleeping,
  startBuildKitBerth,
  writeInto,
} from "./buildkit.testing.ts";
import { build as buildOverApi, contextOf } from "./builds.testing.ts";
import { askDirectory } from "./tenants/tenant.testing.ts";

// BuildKit's API with clients of today, in front of the BuildKit of dockerd 28.5. It needs `scripts/reference.sh build`.

const folder = mkdtempSync(join(tmpdir(), "berth-buildkit-"));
let berth: BuildKitBerth;
let root: Run;
let ann: Run;
let bob: Run;

/** The engine as ann sees it. */
function annApi(): Pick<BuildKitBerth, "ask"> {
  return { ask: (method, path, options) => ask(`unix:${berth.annSocket}`, { method, path, ...options }) };
}

function write(name: string, files: Readonly<Record<string, string>>): string {
  return writeInto(folder, name, files);
}

describe("BuildKit's API", () => {
  beforeAll(async () => {
    berth = await startBuildKitBerth(folder);
    ({ root, ann, bob } = berth);
  }, 300_000);
  afterAll(async () => {
    await berth?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("docker build: stages, secrets, cache mounts and heredocs, without --load", async () => {
    const context = write("all", {
      Dockerfile: [
        "FROM busybox AS made",
        "ARG WORD",
        "RUN --mount=type=cache,target=/c --mount=type=secret,id=key echo $WORD $(cat /run/secrets/key) > /word",
        "FROM busybox",
        "COPY --chmod=600 --from=made /word /word",
        "COPY <<EOF /here",
        "of a heredoc",
        "EOF",
        "COPY more /more",
        'CMD ["cat", "/word", "/here", "/more"]',
      ].join("\n"),
      more: "of the context",
    });
    const key = join(write("keys", { key: "hush" }), "key");
    const args = ["--build-arg", "WORD=said", "--secret", `id=key,src=${key}`, "--label", "a=b"];
    await done(root, "build", ...args, "-t", "all:1", "-t", "all:2", "--iidfile", join(folder, "id"), context);
    expect(await done(root, "run", "--rm", "all:1")).toBe("said hush\nof a heredoc\nof the context");
    const { json } = await berth.expect([200], "GET", "/images/all:2/json");
    expect(json.Id).toBe(readFileSync(join(folder, "id"), "utf8"));
    expect(json.Config.Labels).toEqual({ a: "b" });
    expect(await done(root, "build", ...args, "-t", "all:1", context)).toContain("CACHED");
    expect(await done(root, "build", "-q", context)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  test("docker buildx bake, docker compose build, and files as output", async () => {
    const context = write("several", {
      Dockerfile: "FROM busybox AS one\nRUN echo one > /which\nFROM busybox AS two\nRUN echo two > /which",
      "docker-bake.json": JSON.stringify({
        group: { default: { targets: ["one", "two"] } },
        target: Object.fromEntries(["one", "two"].map((name) => [name, { target: name, tags: [`baked:${name}`] }])),
      }),
      "compose.yml": "services:\n  one:\n    build: {context: ., target: one}\n    command: cat /which\n",
    });
    await done(
      root,
      "buildx",
      "bake",
      "--allow=fs.read=*",
      "-f",
      `${context}/docker-bake.json`,
      "--set",
      `*.context=${context}`,
    );
    expect(await done(root, "run", "--rm", "baked:two", "cat", "/which")).toBe("two");
    const up = await done(root, "compose", "-p", "built", "-f", `${context}/compose.yml`, "up", "--build");
    expect(up).toMatch(/one-1\s+\| one/);
    await done(root, "compose", "-p", "built", "-f", `${context}/compose.yml`, "down", "--rmi", "all");
    await done(root, "build", "--target", "two", "--output", `type=tar,dest=${folder}/out.tar`, context);
    expect(readFileSync(`${folder}/out.tar`).includes("which")).toBe(true);
  });

  test("docker build for another platform, and with the client's SSH agent", async () => {
    const scratch = write("platform", { Dockerfile: "FROM scratch\nCOPY file /file", file: "x" });
    await done(root, "build", "--platform", "linux/arm64", "-t", "arm", scratch);
    expect((await berth.expect([200], "GET", "/images/arm/json")).json.Architecture).toBe("arm64");
    const several = ["--platform", "linux/amd64,linux/arm64", "--output", `type=oci,dest=${folder}/several.tar`];
    await done(root, "build", ...several, "--provenance=mode=max", scratch);
    const oci = readFileSync(`${folder}/several.tar`).toString("latin1");
    for (const word of ["arm64", "amd64", "attestation-manifest"]) expect(oci).toContain(word);
    const agent = createServer().listen(join(folder, "agent.sock"));
    try {
      const ssh = write("ssh", {
        Dockerfile: 'FROM busybox\nRUN --mount=type=ssh test -S "$SSH_AUTH_SOCK" && echo of-the-agent',
      });
      const args = ["--no-cache", "--ssh", `default=${join(folder, "agent.sock")}`];
      expect(await done(root, "build", ...args, ssh)).toMatch(/ of-the-agent$/m);
    } finally {
      agent.close();
    }
  });

  test("docker build for several platforms with attestations, and docker push of all", async () => {
    const both = ["--platform", "linux/amd64,linux/arm64"];
    await done(
      root,
      "build",
      ...both,
      "-t",
      "below",
      write("below", { Dockerfile: "FROM scratch\nCOPY f /f", f: "x" }),
    );
    const statement = '{"_type":"https://in-toto.io/Statement/v0.1","predicateType":"https://spdx.dev/Document"}';
    const scan = `CMD ["sh", "-c", "echo '${statement.replaceAll('"', '\\"')}' > $BUILDKIT_SCAN_DESTINATION/x.spdx.json"]`;
    await done(root, "build", "-t", "scanner", write("scanner", { Dockerfile: `FROM busybox\n${scan}` }));
    const Dockerfile = [
      "FROM --platform=$BUILDPLATFORM busybox AS made",
      "ARG TARGETARCH",
      "RUN echo for $TARGETARCH > /arch",
      "FROM below",
      "COPY --from=made /arch /arch",
    ].join("\n");
    const registry = await startTestRegistry();
    try {
      const name = `${registry.host}/several:1`;
      const attested = ["--provenance=mode=max", "--sbom=generator=scanner"];
      await done(root, "build", ...both, ...attested, "-t", name, write("several-platforms", { Dockerfile }));
      const tree = await done(root, "image", "ls", "--tree", name);
      for (const platform of ["linux/amd64", "linux/arm64"]) expect(tree).toContain(platform);
      const { json } = await berth.expect([200], "GET", `/v1.51/images/${name}/json?manifests=1`);
      const kinds = json.Manifests.map(({ Kind, Available }: Readonly<Record<string, unknown>>) => [Kind, Available]);
      expect(kinds).toEqual(["image", "image", "attestation", "attestation"].map((kind) => [kind, true]));
      for (const platform of ["amd64", "arm64"]) {
        const id = await done(root, "create", "--platform", `linux/${platform}`, name, "none");
        const { code, text } = await root("cp", `${id}:/arch`, "-");
        expect([code, text]).toEqual([0, expect.stringContaining(`for ${platform}`)]);
        await done(root, "rm", id);
      }
      expect(await done(root, "push", name)).not.toContain("instead of index");
      const pushed = await ask(`http://${registry.host}/v2/several/manifests/1`, {
        headers: { accept: "application/vnd.oci.image.index.v1+json" },
      });
      expect(pushed.headers["docker-content-digest"]).toBe(json.Descriptor.digest);
      expect(pushed.json.manifests).toHaveLength(4);
      expect((await root("run", "--rm", "--platform", "unknown/unknown", name)).code).not.toBe(0);
    } finally {
      await registry.stop();
    }
  });

  test("a user's image with attestations is the user's own, and stays one at the next start", async () => {
    const args = ["--provenance=true", "-t", "attested"];
    await done(ann, "build", ...args, write("attested", { Dockerfile: "FROM busybox\nCMD echo attested" }));
    const kinds = async () => {
      const { json } = await annApi().ask("GET", "/v1.51/images/attested/json?manifests=1");
      return json.Manifests.map(({ Kind }: { readonly Kind: string }) => Kind);
    };
    expect(await kinds()).toEqual(["image", "attestation"]);
    expect((await berth.ask("GET", "/images/attested/json")).status).toBe(404);
    await berth.container.end("SIGTERM");
    await berth.container.start();
    expect(await kinds()).toEqual(["image", "attestation"]);
    expect(await done(ann, "run", "--rm", "attested")).toBe("attested");
    expect(await done(ann, "rmi", "attested")).toContain("Deleted");
  });

  test("a user's docker compose build and bake, with secrets, cache mounts and heredocs", async () => {
    const context = write("user", {
      Dockerfile: [
        "FROM busybox",
        "RUN --mount=type=secret,id=key --mount=type=cache,target=/c cat /run/secrets/key > /word",
        "COPY <<EOF /here",
        "of a heredoc",
        "EOF",
        "CMD cat /word /here",
      ].join("\n"),
      key: "hush ",
      "compose.yml": [
        "services: {one: {image: composed, build: {context: ., secrets: [key]}}}",
        "secrets: {key: {file: ./key}}",
      ].join("\n"),
      "bake.json": JSON.stringify({
        target: {
          default: {
            context: join(folder, "user"),
            tags: ["baked"],
            secret: [`id=key,src=${join(folder, "user/key")}`],
          },
        },
      }),
    });
    await done(ann, "compose", "-p", "user", "-f", `${context}/compose.yml`, "build");
    await done(ann, "buildx", "bake", "--allow=fs.read=*", "-f", `${context}/bake.json`);
    for (const name of ["composed", "baked"]) expect(await done(ann, "run", "--rm", name)).toBe("hush of a heredoc");
  });

  test("a user builds images of its own, which others do not see", async () => {
    const context = write("mine", { Dockerfile: "FROM busybox\nRUN echo ann > /who\nCMD cat /who" });
    await done(ann, "build", "-t", "mine", context);
    expect(await done(ann, "run", "--rm", "mine")).toBe("ann");
    await done(ann, "build", "-t", "upon", write("upon", { Dockerfile: "FROM mine\nCOPY --from=mine /who /copy" }));
    expect((await bob("run", "--rm", "mine")).text).toMatch(/No such image|pull access denied|Unable to find/);
    expect((await berth.ask("GET", "/images/mine/json")).status).toBe(404);
  });

  test.each([
    ["another's image", "FROM corp/secret", /denied by policy: image/, []],
    ["another's image by an argument", "ARG IMAGE=corp/secret\nFROM $IMAGE", /denied by policy: image/, []],
    ["a copy from it", "FROM busybox\nCOPY --from=corp/secret /bin /x", /denied by policy: image/, []],
    ["a mount of it", "FROM busybox\nRUN --mount=from=corp/secret,target=/x ls /x", /denied by policy: image/, []],
    ["an image that is not here", "FROM localhost:1/never/pulled", /denied by policy: image/, []],
    ["a frontend", "# syntax=corp/frontend:1\nFROM busybox", /denied by policy: image/, []],
    ["nothing", "FROM scratch\nCOPY Dockerfile /", /denied by policy: images scratch/, []],
    ["a file of the host's network", "FROM busybox\nADD http://127.0.0.1:1/x /x", /denied by policy/, []],
    ["a link-local address", "FROM busybox\nADD http://169.254.169.254/latest /x", /denied by policy/, []],
    ["a repository on the disk", "FROM busybox\nADD file:///work/x.git /x", /denied by policy|not found/, []],
    ["a repository", "FROM busybox\nADD git://127.0.0.1/x.git /x", /denied by policy/, []],
    [
      "the host's network",
      "FROM busybox\nRUN true",
      /entitlements network.host/,
      ["--network", "host", "--allow", "network.host"],
    ],
    ["privileged steps", "FROM busybox\nRUN --security=insecure true", /security.insecure/, []],
    ["a push by BuildKit", "FROM busybox", /docker push/, ["--push", "-t", "localhost:1/x"]],
    ["a control group", "FROM busybox", /cgroup-parent/, ["--cgroup-parent", "/other"]],
  ] as const)("a user's build is refused %s", async (what, Dockerfile, reason, args) => {
    const context = write(`refused ${what}`, { Dockerfile });
    const { code, text } = await ann("build", "--no-cache", ...args, context);
    expect(text).toMatch(reason);
    expect(code).not.toBe(0);
  });

  test("a user takes no cache from another's image, and builds without", async () => {
    const context = write("cached", { Dockerfile: "FROM busybox\nENV A=b" });
    expect(await done(ann, "build", "--cache-from", "corp/secret", context)).toContain("403 Forbidden");
  });

  test("the audit has what a user built, and what it was refused", async () => {
    const audited = async (): Promise<readonly unknown[]> =>
      await askDirectory(berth, "GET", "/audit?action=image.build&limit=200");
    await expect.poll(audited).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ target: "image/mine:latest", outcome: "done" }),
        expect.objectContaining({
          outcome: "refused",
          after: expect.objectContaining({ reason: expect.stringContaining("denied by policy: image") }),
        }),
      ]),
    );
  });

  test.each(["api", "route", "no session"] as const)("a user's build ends with its rights: %s", async (by) => {
    const seconds = 98766;
    const steps = (count: number) =>
      vi.waitFor(() => expect(sleeping(seconds)).toBe(count), { timeout: 30_000, interval: 100 });
    const Dockerfile = `FROM busybox\nRUN sleep ${seconds}`;
    const building =
      by === "no session"
        ? buildOverApi(annApi(), contextOf(Dockerfile), "version=2&nocache=1").then(({ error = "" }) => error)
        : clientOf(
            join(folder, `rights-${by}`),
            berth.annSocket,
            by,
          )(...["build", "--no-cache", write(`rights ${by}`, { Dockerfile })]).then(({ code, text }) =>
            code === 0 ? "" : text,
          );
    await steps(1);
    const limit = { kind: "images", effect: "limit", patterns: ["docker.io/library/alpine:*"] };
    const { id } = (await askDirectory(berth, "POST", `/users/${berth.annId}/constraints`, limit)) as { id: number };
    await steps(0);
    expect(await building).not.toBe("");
    await askDirectory(berth, "DELETE", `/constraints/${id}`);
    await vi.waitFor(() => done(ann, "run", "--rm", "busybox", "true"), { timeout: 30_000 });
  });

  test("BuildKit is offered to those alone who have one", async () => {
    const pings = [berth.socket, berth.annSocket, berth.bobSocket].map((socket) =>
      ask(`unix:${socket}`, { path: "/_ping" }),
    );
    const offered = (await Promise.all(pings)).map(({ headers }) => headers["builder-version"]);
    expect(offered).toEqual(["2", "2", undefined]);
    expect((await bob("version")).code).toBe(0);
  });

  test("a client that leaves ends its build, and so does the service's end", async () => {
    const context = write("endless", { Dockerfile: "FROM busybox\nRUN echo begun; sleep 98765" });
    const steps = (count: number) =>
      vi.waitFor(() => expect(sleeping(98765)).toBe(count), { timeout: 30_000, interval: 100 });
    const leave = root.start("build", "--no-cache", context);
    await steps(1);
    leave();
    await steps(0);
    const building = root("build", "--no-cache", context);
    await steps(1);
    await berth.container.end("SIGKILL");
    expect((await building).code).not.toBe(0);
    await steps(0);
    await berth.container.start();
    await done(root, "build", "-t", "after", write("after", { Dockerfile: "FROM busybox\nENV A=b" }));
  });
});
