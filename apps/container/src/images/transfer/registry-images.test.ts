import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { busyboxImage } from "../../../../../tools/busybox-image.mjs";
import {
  gather,
  load,
  NEVER,
  OF_ADMINISTRATOR,
  startTestImages,
  type TestImages,
  tarOf,
  wordsOf,
} from "../images.testing.ts";
import type { Images, Progress, RegistryAuth } from "../images.ts";
import { digestOf } from "../manifest/manifest.ts";
import { CREDENTIALS, startCuttingProxy, startTestRegistry, type TestRegistry } from "../registry/registry.testing.ts";

let at: TestImages;
let registry: TestRegistry;
let locked: TestRegistry;
let tokens: TestRegistry;
beforeAll(async () => {
  [at, registry, locked, tokens] = await Promise.all([
    startTestImages(),
    startTestRegistry(),
    startTestRegistry("htpasswd"),
    startTestRegistry("token"),
  ]);
  await load(at.images, busyboxImage());
});
afterAll(async () => {
  await Promise.all([at?.dispose(), registry?.stop(), locked?.stop(), tokens?.stop()]);
});

const STOPS: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of STOPS.splice(0)) await stop();
});

interface Options {
  readonly auth?: RegistryAuth;
  readonly platform?: string;
  readonly signal?: AbortSignal;
}

async function pull(images: Images, image: string, tag: string | undefined, { auth, platform, signal }: Options = {}) {
  return await gather(
    await images.pull({ image, tag }, { ...OF_ADMINISTRATOR, auth, platform, signal: signal ?? NEVER }),
  );
}

async function push(
  images: Images,
  image: string,
  tag: string | undefined,
  { auth, owner, networkScope = "everywhere" }: Partial<Parameters<Images["push"]>[1]> = {},
) {
  return await gather(await images.push({ image, tag }, { auth, owner, networkScope, signal: NEVER }));
}

const nobody = new Map();
async function forget(image: string): Promise<void> {
  await at.images.remove(image, { force: true, prune: true, inUse: nobody });
}

function lastError(lines: readonly Progress[]): string | undefined {
  return lines.at(-1)?.error;
}

/** An image of several incompressible layers, so that a transfer takes more than one packet. */
async function largeImage(tag: string, layers = 3, bytes = 1_000_000): Promise<Buffer> {
  const tars = await Promise.all(
    Array.from({ length: layers }, (_, index) => tarOf({ [`file-${index}`]: randomBytes(bytes) })),
  );
  const config = JSON.stringify({
    os: "linux",
    architecture: "amd64",
    rootfs: { type: "layers", diff_ids: tars.map((tar) => digestOf(tar)) },
  });
  return await tarOf({
    ...Object.fromEntries(tars.map((tar, index) => [`${index}.tar`, tar])),
    "config.json": config,
    "manifest.json": JSON.stringify([
      { Config: "config.json", RepoTags: [tag], Layers: tars.map((_, index) => `${index}.tar`) },
    ]),
  });
}

test("a user pushes its own image by its own name alone, and not to this host", async () => {
  const { id } = await at.images.get("busybox");
  const { library } = at.context;
  const reference = { domain: registry.host, path: "own", tag: "v1" };
  await library.own("7", id, [["docker.io/library/busybox:latest"]]);
  await library.nameOwn("7", reference, id);
  const repo = `${registry.host}/own`;
  expect(wordsOf(await push(at.images, repo, "v1", { owner: "7" }))).toContainEqual(
    expect.stringMatching(/^v1: digest/),
  );
  expect(lastError(await push(at.images, repo, "v1", { owner: "8" }))).toContain("does not exist locally");
  expect(lastError(await push(at.images, repo, "v1"))).toContain("does not exist locally");
  expect(lastError(await push(at.images, "busybox", "latest", { owner: "7" }))).toContain("does not exist locally");
  expect(lastError(await push(at.images, repo, "v1", { owner: "7", networkScope: "beyond-host" }))).toBeDefined();
  await at.images.remove(`${repo}:v1`, {
    force: true,
    prune: false,
    inUse: nobody,
    viewer: { owner: "7", accepts: () => true },
  });
});

describe("push and pull", () => {
  test("round-trips the image id, prints Docker's lines and a digest to pull by", async () => {
    const repo = `${registry.host}/round/trip`;
    const { id } = await at.images.get("busybox");
    await at.images.tag("busybox", { repo, tag: "v1" });
    const pushed = await push(at.images, repo, "v1");
    expect(wordsOf(pushed)).toEqual([
      `The push refers to repository [${repo}]`,
      expect.stringMatching(/^[0-9a-f]{12}: Preparing$/),
      expect.stringMatching(/^[0-9a-f]{12}: Pushed$/),
      expect.stringMatching(/^v1: digest: sha256:[0-9a-f]{64} size: \d+$/),
      "",
    ]);
    const { Digest: digest } = pushed.at(-1)?.aux ?? {};
    expect((await at.images.get(id)).repoDigests).toContain(`${repo}@${digest}`);

    expect(wordsOf(await push(at.images, repo, "v1"))).toContainEqual(expect.stringMatching(/: Layer already exists$/));

    await forget("busybox:latest");
    await forget(`${repo}:v1`);
    await expect(at.images.get(id)).rejects.toThrow(`No such image: ${id}`);
    const pulled = await pull(at.images, repo, "v1");
    expect(wordsOf(pulled)).toEqual([
      "v1: Pulling from round/trip",
      expect.stringMatching(/: Pulling fs layer$/),
      expect.stringMatching(/: Verifying Checksum$/),
      expect.stringMatching(/: Download complete$/),
      expect.stringMatching(/: Pull complete$/),
      `Digest: ${digest}`,
      `Status: Downloaded newer image for ${repo}:v1`,
    ]);
    expect(pulled.filter(({ status }) => status === "Downloading").at(-1)?.progress).toMatch(
      /^\[={50}>\] +([\d.]+MB)\/\1$/,
    );
    const image = await at.images.get(`${repo}:v1`);
    expect(image.id).toBe(id);
    expect(image.repoDigests).toEqual([`${repo}@${digest}`]);
    expect(image.config.Cmd).toEqual(["sh"]);

    expect(wordsOf(await pull(at.images, repo, "v1")).at(-1)).toBe(`Status: Image is up to date for ${repo}:v1`);
    expect(wordsOf(await pull(at.images, repo, String(digest)))).toContain(
      `Status: Image is up to date for ${repo}@${digest}`,
    );
    expect(at.events).toEqual(expect.arrayContaining([`push ${repo}`, `pull ${repo}`]));
    await load(at.images, busyboxImage());
  });

  test("pushes and pulls all tags without a tag in the name", async () => {
    const repo = `${registry.host}/all/tags`;
    for (const tag of ["a", "b"]) await at.images.tag("busybox", { repo, tag });
    expect(lastError(await push(at.images, repo, undefined))).toBeUndefined();
    for (const tag of ["a", "b"]) await forget(`${repo}:${tag}`);
    const words = wordsOf(await pull(at.images, repo, undefined));
    expect(words).toEqual(expect.arrayContaining(["a: Pulling from all/tags", "b: Pulling from all/tags"]));
    expect((await at.images.get(`${repo}:a`)).id).toBe((await at.images.get(`${repo}:b`)).id);
  });

  test("mounts a layer that another repository of the registry has", async () => {
    const [first, second] = [`${registry.host}/mount/first`, `${registry.host}/mount/second`];
    await load(at.images, await largeImage(`${first}:v1`, 1));
    await push(at.images, first, "v1");
    await at.images.tag(`${first}:v1`, { repo: second, tag: "v1" });
    expect(wordsOf(await push(at.images, second, "v1"))).toContainEqual(
      expect.stringMatching(/: Mounted from mount\/first$/),
    );
  });

  test("throws the registry's error for a name before the first line", async () => {
    await at.images.tag("busybox", { repo: `${registry.host}/known`, tag: "v1" });
    await push(at.images, `${registry.host}/known`, "v1");
    await expect(pull(at.images, `${registry.host}/known`, "v2")).rejects.toMatchObject({
      kind: "not-found",
      message: `manifest for ${registry.host}/known:v2 not found: manifest unknown: manifest unknown`,
    });
    await expect(pull(at.images, `${registry.host}/unknown`, "v1")).rejects.toMatchObject({ kind: "not-found" });
    await expect(pull(at.images, "Bad/Name", "v1")).rejects.toMatchObject({ kind: "invalid" });
    await expect(pull(at.images, "scratch", "v1")).rejects.toMatchObject({ kind: "forbidden" });
    await expect(pull(at.images, "127.0.0.1:1/none", "v1")).rejects.toMatchObject({
      kind: "failed",
      message: 'Get "http://127.0.0.1:1/v2/none/manifests/v1": connect: connection refused',
    });
  });

  test("reports a push of a missing image in the stream", async () => {
    expect(lastError(await push(at.images, `${registry.host}/nothing`, "v1"))).toBe(
      `An image does not exist locally with the tag: ${registry.host}/nothing`,
    );
  });
});

describe("credentials", () => {
  test.each(["htpasswd", "token"] as const)("authenticates with %s at a locked registry", async (lock) => {
    const { host } = lock === "htpasswd" ? locked : tokens;
    const repo = `${host}/private/app`;
    await at.images.tag("busybox", { repo, tag: "v1" });
    expect(lastError(await push(at.images, repo, "v1"))).toMatch(/no basic auth credentials|authentication required/);
    expect(lastError(await push(at.images, repo, "v1", { auth: { username: "ann", password: "wrong" } }))).toMatch(
      /unauthorized|authentication required/,
    );
    expect(lastError(await push(at.images, repo, "v1", { auth: CREDENTIALS }))).toBeUndefined();
    await forget(`${repo}:v1`);
    await expect(pull(at.images, repo, "v1")).rejects.toThrow(/no basic auth credentials|authentication required/);
    const wrong = pull(at.images, repo, "v1", { auth: { username: "ann", password: "Wr0ng-secret" } });
    await expect(wrong).rejects.toThrow(/unauthorized/);
    await expect(wrong).rejects.not.toThrow(/Wr0ng-secret/);
    expect(wordsOf(await pull(at.images, repo, "v1", { auth: CREDENTIALS })).at(-1)).toMatch(/Status: /);
  });

  test("uses an anonymous token if the registry's server issues one", async () => {
    const repo = `${tokens.host}/open/app`;
    await at.images.tag("busybox", { repo, tag: "v1" });
    expect(lastError(await push(at.images, repo, "v1", { auth: CREDENTIALS }))).toBeUndefined();
    expect(wordsOf(await pull(at.images, repo, "v1")).at(-1)).toMatch(/up to date/);
  });

  test.each(["htpasswd", "token"] as const)("checks a log-in against a registry locked with %s", async (lock) => {
    const serveraddress = (lock === "htpasswd" ? locked : tokens).host;
    expect(await at.images.checkAuth({ ...CREDENTIALS, serveraddress }, OF_ADMINISTRATOR)).toEqual({
      Status: "Login Succeeded",
      IdentityToken: "",
    });
    await expect(
      at.images.checkAuth({ username: "ann", password: "wrong", serveraddress }, OF_ADMINISTRATOR),
    ).rejects.toMatchObject({
      kind: "unauthorized",
    });
  });
});

describe("an interrupted connection", () => {
  test("resumes a pull where it stopped", async () => {
    const repo = `${registry.host}/cut/down`;
    await load(at.images, await largeImage(`${repo}:v1`));
    expect(lastError(await push(at.images, repo, "v1"))).toBeUndefined();
    const { id } = await at.images.get(`${repo}:v1`);
    await forget(`${repo}:v1`);
    const proxy = await startCuttingProxy(registry.host, { afterBytes: 300_000, times: 8 });
    STOPS.push(proxy.stop);
    const lines = await pull(at.images, `${proxy.host}/cut/down`, "v1");
    expect(lastError(lines)).toBeUndefined();
    expect((await at.images.get(`${proxy.host}/cut/down:v1`)).id).toBe(id);
    expect(proxy.cuts).toBe(8);
    expect(wordsOf(lines)).toContainEqual(expect.stringMatching(/: Retrying in \d+ second/));
  });

  test("retries a push", async () => {
    await load(at.images, await largeImage("cut/up:v1", 1));
    const proxy = await startCuttingProxy(registry.host, { afterBytes: 500_000, times: 2, way: "up" });
    STOPS.push(proxy.stop);
    await at.images.tag("cut/up:v1", { repo: `${proxy.host}/cut/up`, tag: "v1" });
    expect(lastError(await push(at.images, `${proxy.host}/cut/up`, "v1"))).toBeUndefined();
    expect(proxy.cuts).toBe(2);
  });

  test("ends a pull that cannot resume with an error line and keeps nothing", async () => {
    const repo = `${registry.host}/cut/off`;
    await load(at.images, await largeImage(`${repo}:v1`));
    await push(at.images, repo, "v1");
    await forget(`${repo}:v1`);
    const before = await at.store.records();
    const proxy = await startCuttingProxy(registry.host, { afterBytes: 300_000, times: Number.POSITIVE_INFINITY });
    const name = { image: `${proxy.host}/cut/off`, tag: "v1" };
    const lines = await at.images.pull(name, OF_ADMINISTRATOR);
    let error: string | undefined;
    for await (const line of lines) {
      if (line.status === "Downloading") await proxy.stop();
      error = line.error;
    }
    expect(error).toMatch(/connection refused|connection reset/);
    expect(await at.store.records()).toEqual(before);
    expect(await at.containerd.leases.list()).toEqual([]);
  });

  test("ends the pull when the client disconnects", async () => {
    const repo = `${registry.host}/cut/left`;
    await load(at.images, await largeImage(`${repo}:v1`));
    await push(at.images, repo, "v1");
    await forget(`${repo}:v1`);
    const before = await at.store.records();
    const lines = await at.images.pull({ image: repo, tag: "v1" }, OF_ADMINISTRATOR);
    for await (const { status } of lines) if (status === "Downloading") break;
    expect(await at.store.records()).toEqual(before);
    expect(await at.containerd.leases.list()).toEqual([]);
  });
});
