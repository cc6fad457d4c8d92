import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findImage } from "../../images/find-image.ts";
import { startTestImages, type TestImages, tarOf } from "../../images/images.testing.ts";
import { Door, type DoorKey } from "./door.ts";
import { formatDoorName } from "./names.ts";

let at: TestImages;
let folder: string;
let door: Door;
let agent: Agent;
const faults: unknown[] = [];

beforeAll(async () => {
  at = await startTestImages();
  folder = await mkdtemp(join(tmpdir(), "berth-door-"));
  const path = join(folder, "door.sock");
  door = await Door.open(path, { info: () => {}, warn: () => {}, error: (fields) => faults.push(fields) });
  agent = new Agent({ connect: { socketPath: path } });
});
afterAll(async () => {
  await agent?.close();
  await door?.close();
  await at?.dispose();
  await rm(folder, { recursive: true, force: true });
});

function sha256(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** Makes a base image of one file, and gives its id. */
async function makeBase(name: string): Promise<string> {
  return at.images.import(Readable.from([await tarOf({ [name]: name })]), {
    repo: `base/${name}`,
    tag: "1",
    message: "",
    changes: [],
    platform: undefined,
    signal: new AbortController().signal,
  });
}

interface Asked {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

async function ask(
  key: Pick<DoorKey, "username" | "password"> | undefined,
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH",
  path: string,
  body?: Buffer,
): Promise<Asked> {
  const headers: Record<string, string> =
    key === undefined
      ? {}
      : { authorization: `Basic ${Buffer.from(`${key.username}:${key.password}`).toString("base64")}` };
  const answer = await request(`http://door${path}`, { method, headers, body: body ?? null, dispatcher: agent });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: Buffer.from(await answer.body.arrayBuffer()),
  };
}

/** Opens a session that sees every image, or those that `sees` says. */
function during<T>(
  use: (key: DoorKey) => Promise<T>,
  sees: (id: string) => boolean = () => true,
  further: object = {},
): Promise<T> {
  const options = {
    images: at.context,
    resolve: async (target: { kind: string; id?: string }) => findImage(at.context.library.catalogue, target.id ?? ""),
    visible: () => {
      const { images, names } = at.context.library.catalogue;
      return { images: new Map([...images].filter(([id]) => sees(id))), names };
    },
    own: () => undefined,
    accept: async () => undefined,
    signal: new AbortController().signal,
    ...further,
  };
  return door.during(options as never, use);
}

function manifestPath(id: string): string {
  const [, repository, tag] = /^door\.berth\/(.+):([^:]+)$/.exec(formatDoorName({ kind: "id", id })) ?? [];
  return `/v2/${repository}/manifests/${tag}`;
}

/** Sends a blob as containers/image does, and gives its digest. */
async function send(key: DoorKey, bytes: Buffer): Promise<string> {
  const { headers } = await ask(key, "POST", "/v2/result/blobs/uploads/");
  const location = String(headers.location);
  expect((await ask(key, "PATCH", location, bytes)).status).toBe(202);
  const digest = sha256(bytes);
  expect((await ask(key, "PUT", `${location}?digest=${digest}`)).status).toBe(201);
  return digest;
}

function resultOf(layers: readonly { readonly digest: string; readonly type: string }[], config: Buffer): Buffer {
  return Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: "application/vnd.docker.distribution.manifest.v2+json",
      config: {
        mediaType: "application/vnd.docker.container.image.v1+json",
        digest: sha256(config),
        size: config.length,
      },
      layers: layers.map(({ digest, type }) => ({ mediaType: type, digest, size: 1 })),
    }),
  );
}

const GZIPPED = "application/vnd.docker.image.rootfs.diff.tar.gzip";
const INDEX = "application/vnd.oci.image.index.v1+json";

describe("the door", () => {
  it.each([
    ["nobody", undefined],
    ["a wrong password", { username: "build", password: "x" }],
    ["another name", { username: "root", password: "x" }],
  ])("is closed to %s", async (_, key) => {
    const answer = await ask(key, "GET", "/v2/");
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe('Basic realm="berth"');
  });

  it("is closed again after the build", async () => {
    const key = await during(async (key) => {
      expect((await ask(key, "GET", "/v2/")).status).toBe(200);
      return key;
    });
    expect((await ask(key, "GET", "/v2/")).status).toBe(401);
  });

  it("shows an image and its blobs, and no blob before its image", async () => {
    const id = await makeBase("shown");
    await during(async (key) => {
      expect((await ask(key, "GET", `/v2/id/x/blobs/${id}`)).status).toBe(404);
      const { status, body, headers } = await ask(key, "GET", manifestPath(id));
      expect(status).toBe(200);
      expect(headers["docker-content-digest"]).toBe(sha256(body));
      const { config, layers } = JSON.parse(body.toString());
      for (const { digest } of [config, ...layers]) {
        const blob = await ask(key, "GET", `/v2/any/blobs/${digest}`);
        expect(sha256(blob.body)).toBe(digest);
      }
    });
  });

  it("shows one build nothing of another", async () => {
    const id = await makeBase("other");
    await during(async (first) => {
      await ask(first, "GET", manifestPath(id));
      await during(async (second) => {
        expect((await ask(second, "GET", `/v2/any/blobs/${id}`)).status).toBe(404);
        expect((await ask(first, "GET", `/v2/any/blobs/${id}`)).status).toBe(200);
      });
    });
  });

  it("tells why an image is refused, and keeps the reason", async () => {
    await during(async (key) => {
      const answer = await ask(key, "GET", manifestPath(`sha256:${"0".repeat(64)}`));
      expect(answer.status).toBe(404);
      expect(answer.body.toString()).toContain("No such image");
      expect(key.session.failure?.thrown).toMatchObject({ kind: "not-found" });
    });
  });

  it("takes a result, without a blob that is there already", async () => {
    const base = findImage(at.context.library.catalogue, await makeBase("below"));
    const [diffId = ""] = base.configuration.rootfs.diff_ids;
    const tar = await tarOf({ above: "above" });
    const config = Buffer.from(
      JSON.stringify({
        os: "linux",
        architecture: base.configuration.architecture,
        config: { Cmd: ["above"] },
        rootfs: { type: "layers", diff_ids: [diffId, sha256(tar)] },
      }),
    );
    await during(async (key) => {
      await ask(key, "GET", manifestPath(base.id));
      expect((await ask(key, "HEAD", `/v2/result/blobs/${diffId}`)).status).toBe(200);
      expect((await ask(key, "HEAD", `/v2/result/blobs/${sha256(tar)}`)).status).toBe(404);
      const top = await send(key, gzipSync(tar));
      await send(key, config);
      const layers = [
        { digest: diffId, type: GZIPPED },
        { digest: top, type: GZIPPED },
      ];
      const put = await ask(key, "PUT", "/v2/result/manifests/latest", resultOf(layers, config));
      expect([put.status, put.body.toString()]).toEqual([201, ""]);
      expect(key.session.result("result")?.image.id).toBe(sha256(config));
    });
    expect(await at.images.get(sha256(config))).toMatchObject({
      config: { Cmd: ["above"] },
      diffIds: [diffId, sha256(tar)],
    });
    await at.images.remove(sha256(config), { force: true, prune: true, inUse: new Map() });
  });

  it("lets no layer into a result that the owner does not see", async () => {
    const base = findImage(at.context.library.catalogue, await makeBase("hidden"));
    const [diffId = ""] = base.configuration.rootfs.diff_ids;
    const config = Buffer.from(
      JSON.stringify({ os: "linux", architecture: "amd64", rootfs: { type: "layers", diff_ids: [diffId] } }),
    );
    await during(
      async (key) => {
        expect((await ask(key, "HEAD", `/v2/result/blobs/${diffId}`)).status).toBe(404);
        await send(key, config);
        const put = await ask(
          key,
          "PUT",
          "/v2/result/manifests/x",
          resultOf([{ digest: diffId, type: GZIPPED }], config),
        );
        expect(put.status).toBe(400);
        expect(put.body.toString()).toContain("was not sent");
        expect(key.session.result("result")).toBeUndefined();
      },
      () => false,
    );
  });

  it("takes an index of images for several platforms and an attestation, after its parts", async () => {
    const json = (value: unknown) => Buffer.from(JSON.stringify(value));
    await during(async (key) => {
      const put = async (reference: string, bytes: Buffer) =>
        (await ask(key, "PUT", `/v2/result/several/manifests/${reference}`, bytes)).status;
      const tar = await tarOf({ several: "several" });
      const layer = await send(key, gzipSync(tar));
      const manifests: Buffer[] = [];
      for (const architecture of ["arm64", "amd64"]) {
        const config = json({ os: "linux", architecture, rootfs: { type: "layers", diff_ids: [sha256(tar)] } });
        await send(key, config);
        manifests.push(resultOf([{ digest: layer, type: GZIPPED }], config));
      }
      const statement = json({ _type: "https://in-toto.io/Statement/v0.1" });
      const config = json({ os: "unknown", architecture: "unknown", rootfs: { type: "layers", diff_ids: [] } });
      for (const bytes of [statement, config]) await send(key, bytes);
      manifests.push(resultOf([{ digest: sha256(statement), type: "application/vnd.in-toto+json" }], config));
      const entries = manifests.map((bytes, at) => ({
        mediaType: "application/vnd.docker.distribution.manifest.v2+json",
        digest: sha256(bytes),
        size: bytes.length,
        ...(at === 2 && { annotations: { "vnd.docker.reference.type": "attestation-manifest" } }),
      }));
      const index = json({ schemaVersion: 2, mediaType: INDEX, manifests: entries });
      expect(await put("latest", index)).toBe(400);
      expect(await put(sha256(index), manifests[0] ?? index)).toBe(400);
      for (const bytes of manifests) expect(await put(sha256(bytes), bytes)).toBe(201);
      expect(key.session.result("result/several")).toBeUndefined();
      expect(await put("latest", index)).toBe(201);
      const { image, images, index: kept } = key.session.result("result/several") ?? {};
      expect(image?.configuration.architecture).toBe(at.context.platform.architecture);
      expect(images?.map(({ manifest }) => manifest.digest)).toEqual(manifests.slice(0, 2).map(sha256));
      expect(kept?.descriptor.digest).toBe(sha256(index));
      expect(kept?.members.map(({ kind }) => kind)).toEqual(["image", "image", "attestation"]);
      for (const { id } of images ?? []) await at.images.remove(id, { force: true, prune: true, inUse: new Map() });
    });
  });

  it("shows several images as one index", async () => {
    const bases = [await makeBase("one"), await makeBase("two")].map((id) =>
      findImage(at.context.library.catalogue, id),
    );
    const options = { resolve: async () => bases };
    await during(
      async (key) => {
        const image = "/v2/image/docker.io/library/any/manifests/";
        const { headers, body } = await ask(key, "GET", `${image}latest`);
        const digest = String(headers["docker-content-digest"]);
        expect([digest, headers["content-type"]]).toEqual([sha256(body), INDEX]);
        expect((await ask(key, "GET", `${image}${digest}`)).body).toEqual(body);
        const { manifests } = JSON.parse(body.toString());
        expect(manifests).toEqual(
          bases.map(({ manifest, configuration: { os, architecture } }) => ({
            ...manifest,
            platform: { os, architecture },
          })),
        );
        for (const { manifest } of bases)
          expect(sha256((await ask(key, "GET", `${image}${manifest.digest}`)).body)).toBe(manifest.digest);
      },
      () => true,
      options,
    );
  });

  it.each<[string, (key: DoorKey) => Promise<Asked>, number]>([
    ["a digest that is not the bytes'", (key) => badUpload(key), 400],
    ["no manifest", (key) => ask(key, "PUT", "/v2/result/manifests/x", Buffer.from("{}")), 400],
    ["a manifest over 4 MiB", (key) => ask(key, "PUT", "/v2/result/manifests/x", Buffer.alloc(5 << 20, 32)), 413],
    ["a result elsewhere", (key) => ask(key, "PUT", "/v2/library/busybox/manifests/latest", Buffer.from("{}")), 404],
    ["an upload elsewhere", (key) => ask(key, "POST", "/v2/library/busybox/blobs/uploads/"), 404],
    ["an unknown upload", (key) => ask(key, "PATCH", "/v2/result/blobs/uploads/x", Buffer.from("x")), 404],
    ["an unknown path", (key) => ask(key, "GET", "/v2/_catalog"), 404],
  ])("refuses %s", async (_, sending, status) => {
    await during(async (key) => expect((await sending(key)).status).toBe(status));
  });

  it("gives what is offered to the first who asks, and to nobody after its withdrawal", async () => {
    const { path, withdraw } = door.offer(Readable.from([Buffer.from("a "), Buffer.from("context")]));
    expect(await ask(undefined, "GET", `${path}x`)).toMatchObject({ status: 401 });
    expect((await ask(undefined, "GET", path)).body.toString()).toBe("a context");
    expect(await ask(undefined, "GET", path)).toMatchObject({ status: 401 });
    withdraw();
    const unread = Readable.from(["rest"]);
    const second = door.offer(unread);
    second.withdraw();
    expect(await ask(undefined, "GET", second.path)).toMatchObject({ status: 401 });
    await vi.waitFor(() => expect(unread.readableEnded).toBe(true));
  });

  it("had no fault of its own", () => expect(faults).toEqual([]));
});

async function badUpload(key: DoorKey): Promise<Asked> {
  const { headers } = await ask(key, "POST", "/v2/result/blobs/uploads/");
  return ask(key, "PUT", `${headers.location}?digest=sha256:${"0".repeat(64)}`, Buffer.from("bytes"));
}
