import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { gather, OF_ADMINISTRATOR, startTestImages, type TestImages, tarOf, wordsOf } from "../images.testing.ts";
import { digestOf, MEDIA_TYPES } from "../manifest/manifest.ts";
import {
  type Content,
  contentOf,
  type Fault,
  type FaultyRegistry,
  sendRange,
  startFaultyRegistry,
} from "../registry/faulty-registry.testing.ts";

let at: TestImages;
let mirror: FaultyRegistry;
async function layerOf(name: string, content: Buffer | string = randomBytes(400_000)) {
  const tar = await tarOf({ [name]: content });
  return { tar, blob: gzipSync(tar), suffix: "+gzip" as const };
}

beforeAll(async () => {
  mirror = await startFaultyRegistry(contentOf([await layerOf("mirrored", "mirrored")]));
  at = await startTestImages({ mirrors: [`http://${mirror.host}`] });
});
afterAll(async () => {
  await at?.dispose();
  await mirror?.stop();
});

const STOPS: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of STOPS.splice(0)) await stop();
});

async function start(content: Content, faults: Readonly<Record<string, Fault>> = {}): Promise<FaultyRegistry> {
  const registry = await startFaultyRegistry(content, faults);
  STOPS.push(registry.stop);
  return registry;
}

const AUTH = { username: "ann", password: "secret" };
async function pull(
  host: string,
  options: {
    readonly tag?: string;
    readonly platform?: string;
    readonly auth?: typeof AUTH;
    readonly heldNames?: "move" | "keep";
  } = {},
) {
  const { tag = "v1", platform, auth: own, heldNames = "move" } = options;
  const name = { image: `${host}/some/app`, tag };
  const lines = await at.images.pull(name, { ...OF_ADMINISTRATOR, auth: own, platform, heldNames });
  return wordsOf(await gather(lines));
}

/** Fails the first `times` requests of a path, then answers normally. */
function first(times: number, fault: Fault): Fault {
  let left = times;
  return (...args) => (left-- > 0 ? fault(...args) : sendRange(...args));
}

describe("layers", () => {
  test("accepts gzip, zstd and plain layers in one image", async () => {
    const [a, b, c] = await Promise.all(["a", "b", "c"].map((name) => layerOf(name, name)));
    if (a === undefined || b === undefined || c === undefined) throw new Error("three layers");
    const zstd = execFileSync("zstd", ["-cq"], { input: b.tar });
    const content = contentOf([
      a,
      { tar: b.tar, blob: zstd, suffix: "+zstd" },
      { tar: c.tar, blob: c.tar, suffix: "" },
    ]);
    const { host } = await start(content);
    expect((await pull(host)).at(-1)).toBe(`Status: Downloaded newer image for ${host}/some/app:v1`);
    const image = await at.images.get(`${host}/some/app:v1`);
    expect(image.id).toBe(content.imageId);
    expect(image.repoDigests).toEqual([`${host}/some/app@${content.manifestDigest}`]);
  });

  test.each([
    ["", (tar: Buffer) => tar],
    [".gzip", (tar: Buffer) => gzipSync(tar)],
    [".zstd", (tar: Buffer) => execFileSync("zstd", ["-cq"], { input: tar })],
  ])("unpacks layers of Docker's media type with %j", async (ending, compress) => {
    const { tar } = await layerOf(`docker${ending}`);
    const mediaType = `application/vnd.docker.image.rootfs.diff.tar${ending}`;
    const content = contentOf([{ tar, blob: compress(tar), suffix: "", mediaType }]);
    const { host } = await start(content);
    expect((await pull(host)).at(-1)).toMatch(/^Status: Downloaded/);
    expect((await at.images.get(`${host}/some/app:v1`)).id).toBe(content.imageId);
  });

  test("fetches a repeated layer once and unpacks it twice", async () => {
    const layer = await layerOf("twice");
    const { host, requests } = await start(contentOf([layer, layer]));
    expect((await pull(host)).at(-1)).toMatch(/^Status: Downloaded/);
    expect(requests.filter((line) => line.includes(digestOf(layer.blob)))).toHaveLength(1);
    const { diffIds, layers } = await at.images.get(`${host}/some/app:v1`);
    expect(diffIds).toHaveLength(2);
    expect(layers).not.toBe(diffIds[1]);
  });

  test("fetches each blob once for two concurrent pulls", async () => {
    const layer = await layerOf("shared");
    const { host, requests } = await start(contentOf([layer]));
    const both = await Promise.all([pull(host), pull(host)]);
    for (const words of both) expect(words.at(-1)).toMatch(/^Status: /);
    expect(requests.filter((line) => line.includes("/blobs/"))).toHaveLength(2);
  });

  const cut: Fault = (_, answer, content) => {
    answer.writeHead(200, { "content-length": content.length });
    answer.write(content.subarray(0, content.length / 2), () => answer.destroy());
  };

  test("resumes an interrupted response with a range request", async () => {
    const layer = await layerOf("cut");
    const { host, requests } = await start(contentOf([layer]), { [digestOf(layer.blob)]: first(1, cut) });
    expect((await pull(host)).at(-1)).toMatch(/^Status: Downloaded/);
    expect(requests.at(-1)).toMatch(/ bytes=[1-9]\d*-$/);
  });

  test("starts over with a registry that ignores ranges, and the image is complete", async () => {
    const layer = await layerOf("rangeless");
    const whole: Fault = (_, answer, content) => answer.end(content);
    let calls = 0;
    const fault: Fault = (...args) => (calls++ === 0 ? cut : whole)(...args);
    const { host } = await start(contentOf([layer]), { [digestOf(layer.blob)]: fault });
    expect((await pull(host)).at(-1)).toMatch(/^Status: Downloaded/);
    expect(calls).toBe(2);
  });

  test.each([429, 500, 502, 503])("retries after a %i", async (status) => {
    const layer = await layerOf(`status-${status}`);
    const busy: Fault = (_, answer) => answer.writeHead(status, { "retry-after": "0" }).end("busy");
    const { host } = await start(contentOf([layer]), { [digestOf(layer.blob)]: first(2, busy) });
    const words = await pull(host);
    expect(words.at(-1)).toMatch(/^Status: Downloaded/);
    expect(words).toContainEqual(expect.stringMatching(/: Retrying in 0 seconds$/));
  });
});

describe("redirects", () => {
  test("follows redirects without sending the credential", async () => {
    const layer = await layerOf("redirected");
    const content = contentOf([layer]);
    const elsewhere = await start(content);
    const challenge: Fault = (request, answer, bytes) => {
      if (request.headers.authorization) return sendRange(request, answer, bytes);
      answer.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
    };
    const away: Fault = (request, answer) =>
      answer.writeHead(307, { location: `http://${elsewhere.host}${request.url}` }).end();
    const { host, requests } = await start(content, { manifests: challenge, [digestOf(layer.blob)]: away });
    expect((await pull(host, { auth: AUTH })).at(-1)).toMatch(/^Status: Downloaded/);
    expect(requests).toContainEqual(expect.stringMatching(/\+auth/));
    expect(elsewhere.requests).toHaveLength(1);
    expect(elsewhere.requests[0]).not.toMatch(/\+auth/);
  });

  test("fails on endless redirects", async () => {
    const layer = await layerOf("circle");
    const circle: Fault = (request, answer) => answer.writeHead(302, { location: request.url ?? "" }).end();
    const { host } = await start(contentOf([layer]), { [digestOf(layer.blob)]: circle });
    expect((await pull(host)).at(-1)).toBe("error: the registry redirects without end");
  });
});

describe("mirrors", () => {
  test("uses mirrors for docker.io and sends them no credential", async () => {
    const lines = await at.images.pull({ image: "mirrored", tag: "v1" }, { ...OF_ADMINISTRATOR, auth: AUTH });
    expect(wordsOf(await gather(lines))).toEqual(
      expect.arrayContaining(["v1: Pulling from library/mirrored", "Status: Downloaded newer image for mirrored:v1"]),
    );
    expect(mirror.requests.some((line) => line.includes("+auth"))).toBe(false);
  });
});

/** A registry whose tag v1 is an index of two images, for amd64 and arm64. */
async function startIndexed(name: string) {
  const [amd, arm] = await Promise.all([layerOf("amd", `${name} amd`), layerOf("arm", `${name} arm`)]);
  const images = [contentOf([amd]), contentOf([arm], { architecture: "arm64" })] as const;
  const entries = ["amd64", "arm64"].map((architecture, index) => ({
    mediaType: MEDIA_TYPES.dockerManifest,
    digest: images[index]?.manifestDigest,
    size: images[index]?.manifests.v1?.bytes.length,
    platform: { os: "linux", architecture },
  }));
  const bytes = Buffer.from(
    JSON.stringify({ schemaVersion: 2, mediaType: MEDIA_TYPES.dockerIndex, manifests: entries }),
  );
  const index = { bytes, mediaType: MEDIA_TYPES.dockerIndex };
  const content: Content = {
    manifests: { ...images[0].manifests, ...images[1].manifests, v1: index, [digestOf(bytes)]: index },
    blobs: [...images[0].blobs, ...images[1].blobs],
  };
  return { ...(await start(content)), images, bytes, content };
}

describe("a user's pull", () => {
  const OWN = { x64: "amd64", arm64: "arm64" }[process.arch as "x64" | "arm64"];
  const OTHER = OWN === "amd64" ? "arm64" : "amd64";
  const keep = { heldNames: "keep" } as const;

  test("neither moves nor takes a name for another platform, by tag or by the index's digest", async () => {
    const { host, images, bytes, requests } = await startIndexed("shared");
    const own = images[OWN === "amd64" ? 0 : 1];
    const other = images[OWN === "amd64" ? 1 : 0];
    for (const tag of ["v1", digestOf(bytes)])
      expect((await pull(host, { ...keep, tag, platform: `linux/${OTHER}` })).at(-1)).toMatch(
        /^error: a user's pull names images of linux/,
      );
    expect(requests.filter((line) => line.includes("/blobs/"))).toEqual([]);
    expect((await pull(host, keep)).at(-1)).toMatch(/^Status: Downloaded newer/);
    // Further images of the index change no name.
    expect((await pull(host, { ...keep, platform: `linux/${OTHER}` })).at(-1)).toMatch(/up to date/);
    expect((await at.images.get(`${host}/some/app:v1`)).id).toBe(own.imageId);
    expect((await at.images.get(`${host}/some/app:v1`, { platform: `linux/${OTHER}` })).id).toBe(other.imageId);
    expect((await pull(host, { ...keep, platform: `linux/${OWN}` })).at(-1)).toMatch(/up to date/);
    const byDigest = await pull(host, { ...keep, tag: other.manifestDigest, platform: `linux/${OTHER}` });
    expect(byDigest.at(-1)).toMatch(/^Status: Downloaded newer/);
    expect((await at.images.get(`${host}/some/app:v1`)).id).toBe(own.imageId);
  });

  test("does not move a tag that the registry moved, and an administrator's does", async () => {
    const [one, two] = await Promise.all(["one", "two"].map(async (name) => contentOf([await layerOf(name, name)])));
    if (one === undefined || two === undefined) throw new Error("two images");
    const content = { manifests: { ...one.manifests }, blobs: [...one.blobs, ...two.blobs] };
    const { host } = await start(content);
    expect((await pull(host, keep)).at(-1)).toMatch(/^Status: Downloaded newer/);
    Object.assign(content.manifests, two.manifests);
    expect((await pull(host, keep)).at(-1)).toMatch(/^error: .*some\/app:v1 names another image here/);
    expect((await at.images.get(`${host}/some/app:v1`)).id).toBe(one.imageId);
    expect((await pull(host)).at(-1)).toMatch(/^Status: Downloaded newer/);
    expect((await at.images.get(`${host}/some/app:v1`)).id).toBe(two.imageId);
  });
});

describe("indexes", () => {
  test("picks the image for the platform and keeps the index's digest", async () => {
    const { host, images, bytes } = await startIndexed("picked");
    expect(await pull(host, { platform: "linux/amd64" })).toContain(`Digest: ${digestOf(bytes)}`);
    expect((await at.images.get(`${host}/some/app:v1`)).id).toBe(images[0].imageId);
    expect((await pull(host, { platform: "linux/arm64" })).at(-1)).toMatch(/^Status: Image is up to date/);
    expect((await at.images.get(`${host}/some/app:v1`, { platform: "linux/arm64" })).architecture).toBe("arm64");
    expect((await pull(host, { platform: "linux/s390x" })).at(-1)).toBe(
      "error: no matching manifest for linux/s390x in the manifest list entries",
    );
    expect(await at.images.distribution(`${host}/some/app:v1`, OF_ADMINISTRATOR)).toMatchObject({
      Descriptor: { mediaType: MEDIA_TYPES.dockerIndex, digest: digestOf(bytes), size: bytes.length },
      Platforms: [
        { os: "linux", architecture: "amd64" },
        { os: "linux", architecture: "arm64" },
      ],
    });
  });
});

describe("lying registries", () => {
  const bad: Fault = (_, answer, content) => answer.end(Buffer.alloc(content.length, 1));
  const longer: Fault = (_, answer, content) => answer.end(Buffer.concat([content, Buffer.from("more")]));
  const missing: Fault = (_, answer) =>
    answer.writeHead(404).end('{"errors":[{"code":"BLOB_UNKNOWN","message":"blob unknown to registry"}]}');
  const layer = layerOf("lied about");

  test.each([
    [
      "a blob of other bytes",
      async () => ({ content: contentOf([await layer]), blob: bad }),
      /filesystem layer verification failed for digest sha256:/,
    ],
    [
      "a blob that is too long",
      async () => ({ content: contentOf([await layer]), blob: longer }),
      /is larger than its \d+ bytes/,
    ],
    [
      "a blob that is missing",
      async () => ({ content: contentOf([await layer]), blob: missing }),
      /blob unknown: blob unknown to registry/,
    ],
    [
      "a layer with another diff id",
      async () => ({ content: contentOf([{ ...(await layer), tar: Buffer.from("x") }]), blob: sendRange }),
      /failed to register layer: /,
    ],
    [
      "more diff ids than layers",
      async () => ({
        content: contentOf([await layer], { config: { rootfs: { type: "layers", diff_ids: [] } } }),
        blob: sendRange,
      }),
      /layers from manifest don't match image configuration/,
    ],
    [
      "a configuration that is none",
      async () => ({ content: contentOf([await layer], { config: { rootfs: 1 } }), blob: sendRange }),
      /error pulling image configuration: /,
    ],
    [
      "a manifest of the wrong shape",
      async () => ({ content: contentOf([await layer], { manifest: { layers: "x" } }), blob: sendRange }),
      /unsupported manifest format/,
    ],
    [
      "a schema 1 manifest",
      async () => ({ content: contentOf([await layer], { manifest: { schemaVersion: 1 } }), blob: sendRange }),
      /schema 1 support has been removed/,
    ],
    [
      "a layer that is no layer",
      async () => ({
        content: contentOf([await layer], {
          manifest: { layers: [{ mediaType: "text/html", digest: digestOf("x"), size: 1 }] },
        }),
        blob: sendRange,
      }),
      /unsupported media type text\/html/,
    ],
    [
      "a digest that climbs",
      async () => ({
        content: contentOf([await layer], {
          manifest: { config: { mediaType: MEDIA_TYPES.config, digest: "sha256:../../x", size: 1 } },
        }),
        blob: sendRange,
      }),
      /unsupported manifest format/,
    ],
  ])("%s: reports an error line and keeps nothing", async (_, make, message) => {
    const { content, blob } = await make();
    const before = await at.store.records();
    const { host } = await start(content, { [digestOf((await layer).blob)]: blob });
    const words = await pull(host);
    expect(words.at(-1)).toMatch(/^error: /);
    expect(words.at(-1)).toMatch(message);
    expect(await at.store.records()).toEqual(before);
    expect(await at.containerd.leases.list()).toEqual([]);
  });

  test("rejects a manifest that does not match its digest before the first line", async () => {
    const content = contentOf([await layer]);
    const { host } = await start(content, { [content.manifestDigest]: bad });
    await expect(pull(host, { tag: content.manifestDigest })).rejects.toThrow(
      "manifest verification failed for digest",
    );
  });

  test("rejects an endless manifest", async () => {
    const endless: Fault = (_, answer) => answer.end(Buffer.alloc(5 << 20, " "));
    const { host } = await start(contentOf([await layer]), { manifests: endless });
    await expect(pull(host)).rejects.toThrow("the registry's answer is larger than 4194304 bytes");
  });

  test("ignores a token server with plain HTTP or an invalid address when the registry uses HTTPS", async () => {
    const strange: Fault = (_, answer) =>
      answer.writeHead(401, { "www-authenticate": 'Bearer realm="file:///etc/passwd",service="x"' }).end();
    const { host } = await start(contentOf([await layer]), { manifests: strange });
    await expect(pull(host, { auth: AUTH })).rejects.toThrow("the registry names no usable token server");
  });
});
