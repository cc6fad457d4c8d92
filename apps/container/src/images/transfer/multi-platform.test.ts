import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { noFilters } from "../../engine/filters.ts";
import {
  gather,
  load,
  NEVER,
  OF_ADMINISTRATOR,
  startTestImages,
  streamOf,
  type TestImages,
  tarOf,
  wordsOf,
} from "../images.testing.ts";
import { digestOf, MEDIA_TYPES } from "../manifest/manifest.ts";
import { platformOf } from "../manifest/platform.ts";
import { contentOf } from "../registry/faulty-registry.testing.ts";
import { startTestRegistry, type TestRegistry } from "../registry/registry.testing.ts";

// Images for several platforms, as buildx makes them: an index of one image for each platform, and an attestation.

const OWN = platformOf(process.arch).architecture;
const OTHER = OWN === "arm64" ? "amd64" : "arm64";
const NAME = "docker.io/library/multi:v1";

let at: TestImages;
let registry: TestRegistry;
beforeAll(async () => {
  [at, registry] = await Promise.all([startTestImages(), startTestRegistry()]);
});
afterAll(async () => {
  await Promise.all([at?.dispose(), registry?.stop()]);
});
afterEach(async () => {
  for (const { id } of await at.images.list({ all: true, filters: noFilters }))
    await at.images.remove(id, { force: true, prune: true, inUse: new Map() });
});

async function imageFor(architecture: string, os = "linux") {
  const tar = await tarOf({ [architecture]: `for ${architecture}\n` });
  const content = contentOf([{ tar, blob: gzipSync(tar), suffix: "+gzip" }], { architecture, config: { os } });
  return { ...content, manifest: content.manifests.v1?.bytes ?? Buffer.alloc(0) };
}

/** An attestation has a layer of a type that nothing can unpack. */
function attestationOf(digest: string) {
  const [config, statement] = [Buffer.from("{}"), Buffer.from(`{"subject":"${digest}"}`)];
  const part = (mediaType: string, bytes: Buffer) => ({ mediaType, digest: digestOf(bytes), size: bytes.length });
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MEDIA_TYPES.manifest,
      config: part(MEDIA_TYPES.config, config),
      layers: [part("application/vnd.in-toto+json", statement)],
    }),
  );
  return { manifest, blobs: [config, statement] };
}

/** An archive of such an image, in OCI's layout. */
async function multi(name = NAME, otherSystem = "linux") {
  const [own, other] = await Promise.all([imageFor(OWN), imageFor(OTHER, otherSystem)]);
  const attestation = attestationOf(own.manifestDigest);
  const entry = (bytes: Buffer, architecture: string, os = "linux") => ({
    mediaType: MEDIA_TYPES.manifest,
    digest: digestOf(bytes),
    size: bytes.length,
    platform: { architecture, os },
  });
  const manifests = [
    entry(other.manifest, OTHER, otherSystem),
    entry(own.manifest, OWN),
    {
      ...entry(attestation.manifest, "unknown", "unknown"),
      annotations: {
        "vnd.docker.reference.digest": own.manifestDigest,
        "vnd.docker.reference.type": "attestation-manifest",
      },
    },
  ];
  const index = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: MEDIA_TYPES.index, manifests }));
  const blobs = [own, other, attestation].flatMap((each) => [each.manifest, ...each.blobs]);
  const descriptor = { mediaType: MEDIA_TYPES.index, digest: digestOf(index), size: index.length };
  const named = { ...descriptor, annotations: { "io.containerd.image.name": name } };
  const archive = await tarOf({
    "oci-layout": '{"imageLayoutVersion":"1.0.0"}',
    "index.json": JSON.stringify({ schemaVersion: 2, manifests: [named] }),
    ...Object.fromEntries([index, ...blobs].map((blob) => [`blobs/${digestOf(blob).replace(":", "/")}`, blob])),
  });
  return { archive, descriptor, manifests, own, other, attestation };
}

/** `KIND ARCHITECTURE` of each manifest of an image, in parentheses where the store does not have it. */
async function manifestsOf(name: string, images = at.images): Promise<readonly string[]> {
  const summaries = await images.manifests(await images.get(name));
  return summaries.map(({ kind, available, descriptor }) => {
    const text = `${kind} ${descriptor.platform?.architecture}`;
    return available ? text : `(${text})`;
  });
}

const WHOLE = [`image ${OTHER}`, `image ${OWN}`, "attestation unknown"];

async function blobs(): Promise<readonly string[]> {
  const { id } = await at.containerd.leases.create();
  await at.containerd.leases.delete(id, { gc: "wait" });
  return (await at.containerd.content.list()).map(({ digest }) => digest);
}

async function push(name: string, platform?: string) {
  const reference = { image: `${registry.host}/${name}`, tag: "v1" };
  return await gather(
    await at.images.push(reference, { auth: undefined, platform, networkScope: "everywhere", signal: NEVER }),
  );
}

async function pull(name: string, platform?: string): Promise<string | undefined> {
  const reference = { image: `${registry.host}/${name}`, tag: "v1" };
  return wordsOf(await gather(await at.images.pull(reference, { ...OF_ADMINISTRATOR, platform }))).at(-1);
}

function remove(name: string, platforms?: readonly string[], { force = true, inUse = new Map() } = {}) {
  return at.images.remove(name, { force, prune: true, inUse, ...(platforms && { platforms }) });
}

test("a loaded index is one image, which gives that of any platform", async () => {
  const { archive, descriptor, own, other } = await multi();
  expect(await load(at.images, archive)).toEqual(["Loaded image: multi:v1"]);
  const listed = await at.images.list({ all: true, filters: noFilters });
  expect(listed.map(({ id, repoTags }) => [id, repoTags])).toEqual([[own.imageId, ["multi:v1"]]]);
  expect(listed[0]?.size).toBe(`for ${OWN}\nfor ${OTHER}\n`.length);
  for (const images of [at.images, await at.reopen()]) {
    expect(await manifestsOf("multi:v1", images)).toEqual(WHOLE);
    const whole = await images.get("multi:v1");
    expect(whole.index?.descriptor).toEqual(descriptor);
    expect(whole.entry).toBeUndefined();
    for (const [architecture, image] of [
      [OWN, own],
      [OTHER, other],
    ] as const) {
      const found = await images.get("multi:v1", { platform: `linux/${architecture}` });
      expect(found).toMatchObject({ id: image.imageId, architecture, repoTags: ["multi:v1"] });
      expect(found.manifest.digest).toBe(image.manifestDigest);
      expect(found.index).toBeUndefined();
      expect(found.entry).toMatchObject({ digest: image.manifestDigest, platform: { architecture, os: "linux" } });
    }
  }
  await expect(at.images.get("multi:v1", { platform: "linux/s390x" })).rejects.toMatchObject({ kind: "not-found" });
  for (const id of [descriptor.digest, own.manifestDigest, own.imageId])
    expect((await at.images.get(id)).id).toBe(own.imageId);
});

test("an index keeps its image for another system", async () => {
  const { archive, own, other } = await multi(NAME, "windows");
  expect(await load(at.images, archive)).toEqual(["Loaded image: multi:v1"]);
  expect(await manifestsOf("multi:v1", await at.reopen())).toEqual(WHOLE);
  expect((await at.images.get("multi:v1")).id).toBe(own.imageId);
  expect(await at.images.get("multi:v1", { platform: `windows/${OTHER}` })).toMatchObject({
    id: other.imageId,
    os: "windows",
  });
  expect(await remove("multi:v1", [`windows/${OTHER}`])).toEqual([{ Deleted: other.manifestDigest }]);
});

test("a load for one platform keeps that of it, and refuses one that is not there", async () => {
  const { archive, other } = await multi();
  const loaded = async (platform: string) =>
    wordsOf(await gather(await at.images.load(streamOf(archive), { quiet: true, signal: NEVER, platform })));
  expect(await loaded("linux/s390x")).toEqual([expect.stringMatching(/^error: .*no image for linux\/s390x/)]);
  expect(await loaded(`linux/${OTHER}`)).toEqual(["Loaded image: multi:v1"]);
  expect((await at.images.get("multi:v1")).id).toBe(other.imageId);
  expect(await manifestsOf("multi:v1")).toEqual([`image ${OTHER}`, `(image ${OWN})`, "attestation unknown"]);
});

test("save writes all of it, or the image for one platform", async () => {
  const { archive, descriptor, own } = await multi();
  await load(at.images, archive);
  const [whole, part] = await Promise.all(
    [undefined, `linux/${OTHER}`].map(async (platform) =>
      Buffer.concat(await gather(await at.images.save(["multi:v1"], { platform }))),
    ),
  );
  await remove("multi:v1");
  await load(at.images, whole ?? Buffer.alloc(0));
  expect((await at.images.get("multi:v1")).index?.descriptor).toEqual(descriptor);
  expect(await manifestsOf("multi:v1")).toEqual(WHOLE);
  await remove("multi:v1");
  await load(at.images, part ?? Buffer.alloc(0));
  expect(await at.images.get("multi:v1")).toMatchObject({ architecture: OTHER });
  expect(await blobs()).not.toContain(own.manifestDigest);
});

test("a push sends all of it, and a pull for each platform adds to it", async () => {
  const { archive, descriptor, own, other, attestation } = await multi(`${registry.host}/whole:v1`);
  await load(at.images, archive);
  expect((await push("whole")).at(-1)?.aux).toMatchObject({ Digest: descriptor.digest });
  await remove(`${registry.host}/whole:v1`);

  const name = `${registry.host}/whole:v1`;
  expect(await pull("whole", `linux/${OTHER}`)).toMatch(/^Status: Downloaded newer/);
  expect(await manifestsOf(name)).toEqual([`image ${OTHER}`, `(image ${OWN})`, "(attestation unknown)"]);
  expect((await at.images.get(name)).id).toBe(other.imageId);
  expect(await pull("whole", `linux/${OWN}`)).toMatch(/^Status: Image is up to date/);
  expect(await manifestsOf(name)).toEqual([`image ${OTHER}`, `image ${OWN}`, "(attestation unknown)"]);
  expect((await at.images.get(name)).id).toBe(own.imageId);
  expect(await (await at.reopen()).get(name)).toEqual(await at.images.get(name));
  expect(await blobs()).not.toContain(digestOf(attestation.manifest));
  await remove(name);
  await Promise.all([OWN, OTHER].map((architecture) => pull("whole", `linux/${architecture}`)));
  expect(await manifestsOf(name)).toEqual([`image ${OTHER}`, `image ${OWN}`, "(attestation unknown)"]);
});

test("a push of what is here in part sends the image for the host's platform and says so", async () => {
  const { archive, descriptor, own, other } = await multi(`${registry.host}/source:v1`);
  await load(at.images, archive);
  await push("source");
  await remove(`${registry.host}/source:v1`);
  await pull("source");
  await at.images.tag(`${registry.host}/source:v1`, { repo: `${registry.host}/part`, tag: "v1" });
  const [pushed, instead] = (await push("part")).slice(-2).map(({ aux }) => aux);
  expect(pushed).toMatchObject({ Digest: own.manifestDigest });
  expect(instead).toMatchObject({ manifestPushedInsteadOfIndex: true, originalIndex: descriptor });
  const missing = (await push("part", `linux/${OTHER}`)).at(-1)?.error;
  expect(missing).toContain(`does not provide the specified platform (linux/${OTHER})`);
  await pull("source", `linux/${OTHER}`);
  expect((await push("part", `linux/${OTHER}`)).at(-1)?.aux).toMatchObject({ Digest: other.manifestDigest });
});

test("a tag names all of it, and the last name takes all of it along", async () => {
  const { archive, own, other, attestation, descriptor } = await multi();
  await load(at.images, archive);
  await at.images.tag("multi:v1", { repo: "again", tag: "v1" });
  await remove("multi:v1");
  expect(await manifestsOf("again:v1", await at.reopen())).toEqual(WHOLE);
  const lines = await remove("again:v1");
  expect(lines).toEqual(
    expect.arrayContaining([{ Untagged: "again:v1" }, { Deleted: own.imageId }, { Deleted: other.imageId }]),
  );
  const left = await blobs();
  for (const digest of [own.imageId, other.imageId, descriptor.digest, digestOf(attestation.manifest)])
    expect(left).not.toContain(digest);
});

test("a removal for one platform leaves the others", async () => {
  const { archive, own, other } = await multi();
  await load(at.images, archive);
  await expect(remove("multi:v1", [`linux/${OWN}`], { force: false })).rejects.toMatchObject({ kind: "invalid" });
  const running = new Map([[own.imageId, { containerId: "c".repeat(64), running: true }]]);
  await expect(remove("multi:v1", [`linux/${OWN}`], { inUse: running })).rejects.toMatchObject({ kind: "conflict" });
  expect(await remove("multi:v1", [`linux/${OWN}`])).toEqual([{ Deleted: own.manifestDigest }]);
  for (const images of [at.images, await at.reopen()]) {
    expect(await manifestsOf("multi:v1", images)).toEqual([`image ${OTHER}`, `(image ${OWN})`, "attestation unknown"]);
    expect((await images.get("multi:v1")).id).toBe(other.imageId);
  }
  expect(await blobs()).not.toContain(own.manifestDigest);
  expect(await remove("multi:v1", [`linux/${OTHER}`])).toContainEqual({ Untagged: "multi:v1" });
});

test("a container of another platform's image keeps all of it from an unforced removal", async () => {
  const { archive, other } = await multi();
  await load(at.images, archive);
  const user = { containerId: "c".repeat(64), running: false };
  const inUse = new Map([[other.imageId, user]]);
  await expect(remove("multi:v1", undefined, { force: false, inUse })).rejects.toThrow(/is using its referenced image/);
  expect(
    (await at.images.prune({ filters: new Map([["dangling", ["false"]]]), inUse: new Set(inUse.keys()) })).deleted,
  ).toEqual([]);
});
