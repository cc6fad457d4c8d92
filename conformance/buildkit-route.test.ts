import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
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
import { build, contextOf, tarOf } from "./builds.testing.ts";

// BuildKit by Docker's own route, as docker before 23 and dockerode ask for it, in front of dockerd 28.5. It needs
// `scripts/reference.sh build`.

const folder = mkdtempSync(join(tmpdir(), "berth-buildkit-route-"));
let berth: BuildKitBerth;
let root: Run;
let ann: Run;

function write(name: string, files: Readonly<Record<string, string>>): string {
  return writeInto(folder, name, files);
}

beforeAll(async () => {
  berth = await startBuildKitBerth(folder);
  ({ root, ann } = berth);
}, 300_000);
afterAll(async () => {
  await berth?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("POST /build?version=2", () => {
  /** Docker CLIs before 23, which have BuildKit of the engine build without buildx. */
  let old: Run;
  let oldAnn: Run;
  beforeAll(() => {
    old = clientOf(join(folder, "config-old"), berth.socket, "route");
    oldAnn = clientOf(join(folder, "config-old-ann"), berth.annSocket, "route");
  });

  test("docker build of 20.10: the client's files, secrets, cache mounts, and the image's id", async () => {
    const context = write("route", {
      Dockerfile:
        "FROM busybox\nRUN --mount=type=cache,target=/c --mount=type=secret,id=key cat /run/secrets/key > /word\nCOPY more /more\nCMD cat /word /more",
      more: "of the context",
      "key.txt": "hush ",
    });
    const args = ["--secret", `id=key,src=${context}/key.txt`, "--label", "a=b", "--add-host", "db:10.1.2.3"];
    await done(old, "build", ...args, "-t", "route:1", "--iidfile", join(folder, "route-id"), context);
    expect(await done(root, "run", "--rm", "route:1")).toBe("hush of the context");
    const { json } = await berth.expect([200], "GET", "/images/route:1/json");
    expect(json.Id).toBe(readFileSync(join(folder, "route-id"), "utf8"));
    expect(await done(old, "build", ...args, "-t", "route:1", context)).toContain("CACHED");
    await done(oldAnn, "build", "-t", "route", write("route-ann", { Dockerfile: "FROM busybox\nRUN echo ann > /who" }));
    expect(await done(ann, "run", "--rm", "route", "cat", "/who")).toBe("ann");
  });

  test("docker build of 20.10 takes a context from its standard input, and writes files", async () => {
    const tar = contextOf("FROM busybox\nCOPY more /more", { name: "more", content: "of standard input" });
    for (const run of [old, oldAnn]) {
      const { code, text } = await run.feed(tar, "build", "-t", "fed", "-");
      expect(code, text).toBe(0);
    }
    expect(await done(ann, "run", "--rm", "fed", "cat", "/more")).toBe("of standard input");
    const context = write("route-files", {
      Dockerfile: "FROM busybox AS made\nRUN echo made > /which\nFROM scratch\nCOPY --from=made /which /",
    });
    await done(old, "build", "-o", join(folder, "route-out"), context);
    expect(readFileSync(join(folder, "route-out/which"), "utf8")).toBe("made\n");
  });

  test("dockerode builds with a session, and any client without one", async () => {
    const docker = new Docker({ socketPath: berth.socket });
    const context = write("dockerode", {
      Dockerfile: "FROM busybox\nRUN --mount=type=cache,target=/c echo by > /by",
    });
    const stream = await docker.buildImage({ context, src: ["Dockerfile"] }, { version: "2", t: "dockerode:1" });
    const lines = (await text(stream)).split("\r\n").filter((line) => line !== "");
    const { Id } = await docker.getImage("dockerode:1").inspect();
    expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ id: "moby.image.id", aux: { ID: Id } });
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      id: "moby.buildkit.trace",
      aux: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
    });
    const without = await build(berth, contextOf("FROM busybox\nLABEL by=nobody"), "version=2&q=1&t=without");
    expect(without.error).toBeUndefined();
    expect(without.text.trim()).toBe((await docker.getImage("without").inspect()).Id);
  });

  test.concurrent.each([
    ["another's image", contextOf("FROM corp/secret"), "", /denied by policy: image/],
    ["a file of the host's network", contextOf("FROM busybox\nADD http://127.0.0.1:1/x /x"), "", /denied by policy/],
    ["a context of the host's network", Buffer.alloc(0), "remote=http://127.0.0.1:1/x", /denied by policy/],
    ["a repository on the host's disk", Buffer.alloc(0), "remote=file:///x.git", /denied|failed to/],
    ["the host's network", contextOf("FROM busybox"), "networkmode=host", /entitlements network.host/],
    ["a step that fails", contextOf("FROM busybox\nRUN exit 7"), "", /did not complete successfully: exit code: 7/],
    ["no Dockerfile", tarOf([{ name: "x" }]), "", /Dockerfile/],
    ["no archive", Buffer.from("garbage".repeat(200)), "", /dockerfile parse error|unknown instruction/],
    [
      "a link out of the context",
      contextOf("FROM busybox\nCOPY x /x", { name: "x", type: "2", link: "../../../etc/shadow" }),
      "",
      /not found|no such file/,
    ],
    ["memory", contextOf("FROM busybox"), "memory=1048576", /memory: BuildKit's steps/],
    ["a session of another", contextOf("FROM busybox"), "session=nobodys", /no session of yours/],
    ["a context that does not come", Buffer.alloc(0), "remote=upload-request&buildid=alone", /no context came/],
  ] as const)("is refused with a reason: %s", async (_, context, query, reason) => {
    const user = {
      ask: (method: string, path: string, options?: object) =>
        ask(`unix:${berth.annSocket}`, { method, path, ...options }),
    };
    const built = await build(user as Pick<typeof berth, "ask">, context, `version=2&nocache=1&${query}`);
    expect(built.error).toMatch(reason);
    expect(built.id).toBeUndefined();
  });

  test("endless output ends with its reader, and holds up nobody", async () => {
    const headers = { "content-type": "application/x-tar" };
    const path = "/build?version=2&nocache=1";
    const asking = request({ socketPath: berth.annSocket, path, method: "POST", headers });
    asking.end(contextOf("FROM busybox\nRUN sleep 98763 & yes"));
    const [stream] = (await once(asking, "response")) as [IncomingMessage];
    await once(stream, "data");
    stream.pause();
    await vi.waitFor(() => expect(sleeping(98763)).toBe(1), { timeout: 30_000, interval: 100 });
    await done(ann, "version");
    stream.destroy();
    await vi.waitFor(() => expect(sleeping(98763)).toBe(0), { timeout: 30_000, interval: 100 });
  });

  test("a build is cancelled by its id, and ends with its client", async () => {
    const context = contextOf("FROM busybox\nRUN echo begun; sleep 98764");
    const steps = (count: number) =>
      vi.waitFor(() => expect(sleeping(98764)).toBe(count), { timeout: 30_000, interval: 100 });
    const building = build(berth, context, "version=2&nocache=1&buildid=mine");
    await steps(1);
    await berth.expect([204], "POST", "/build/cancel?id=another");
    expect(sleeping(98764)).toBe(1);
    await berth.expect([204], "POST", "/build/cancel?id=mine");
    expect((await building).error).toBe("the build was cancelled");
    await steps(0);
    const leave = old.start(
      "build",
      "--no-cache",
      write("route-endless", { Dockerfile: "FROM busybox\nRUN echo begun; sleep 98764" }),
    );
    await steps(1);
    leave();
    await steps(0);
  });
});
