import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isEngineError } from "../../../engine/errors.ts";
import { AMPLE_QUOTA } from "../../../images/disk-quota.testing.ts";
import type { ImageWriter } from "../../../images/store.ts";
import { startTestContainerd, type TestContainerd } from "../containerd.testing.ts";
import { containerdImageStore } from "./image-store.ts";

let at: TestContainerd;
beforeAll(async () => {
  at = await startTestContainerd();
});
afterAll(() => at?.dispose());

function store() {
  return containerdImageStore(at.containerd, AMPLE_QUOTA);
}
const once = async function* (text: string) {
  yield Buffer.from(text);
};

/** A configuration and a manifest without layers. */
async function writeImage(writer: ImageWriter, name: string) {
  const digest = await writer.blob(once(`config of ${name}`));
  const config = { mediaType: "application/vnd.oci.image.config.v1+json", digest, size: 10 };
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const manifest = await writer.manifest(Buffer.from(`manifest of ${name}`), {
    mediaType,
    config,
    layers: [],
    chainId: "",
  });
  return { imageId: digest, manifest };
}

/** Waits for a collection, so that what is left is what is referred to. */
async function collect(): Promise<void> {
  const { id } = await at.containerd.leases.create();
  await at.containerd.leases.delete(id, { gc: "wait" });
}

describe("containerdImageStore", () => {
  test("the bytes of a blob that is here are not read, and it is kept", async () => {
    const text = "a blob that two images have";
    async function* unread(): AsyncGenerator<Buffer> {
      yield Buffer.from(text);
      throw new Error("read what is here");
    }
    await store().write(async (one) => {
      const digest = await one.blob(once(text));
      await store().write(async (other) => {
        expect(await other.blob(unread(), { digest, size: text.length })).toBe(digest);
      });
      await collect();
      expect((await store().readAll(digest)).toString()).toBe(text);
    });
  });

  test("a record keeps its manifest and configuration, and its end lets them go", async () => {
    const { imageId, manifest, recordAt, nameAt } = await store().write(async (writer) => {
      const written = await writeImage(writer, "kept");
      const details = { layerSizes: [1, 2], parent: "sha256:p" };
      const recordAt = await store().put({ name: written.imageId, ...written, details });
      const nameAt = await store().put({ name: "docker.io/library/kept:latest", ...written });
      return { ...written, recordAt, nameAt };
    });
    await collect();
    expect((await store().readAll(imageId)).toString()).toBe("config of kept");
    expect(await store().records()).toEqual(
      expect.arrayContaining([
        { name: imageId, imageId, manifest, details: { layerSizes: [1, 2], parent: "sha256:p" }, putAt: recordAt },
        { name: "docker.io/library/kept:latest", imageId, manifest, putAt: nameAt },
      ]),
    );
    await store().delete(imageId);
    await store().delete("docker.io/library/kept:latest", { gc: "wait" });
    await store().delete("docker.io/library/kept:latest");
    await expect(store().readAll(imageId)).rejects.toMatchObject({ kind: "not-found" });
  });

  test("without a record nothing stays", async () => {
    const { imageId } = await store().write((writer) => writeImage(writer, "dropped"));
    await collect();
    await expect(store().readAll(imageId)).rejects.toMatchObject({ kind: "not-found" });
  });

  test("what is held outlives its record until the write ends", async () => {
    const written = await store().write(async (writer) => {
      const image = await writeImage(writer, "held");
      await store().put({ name: image.imageId, ...image });
      return image;
    });
    await store().write(async (writer) => {
      expect(await writer.holdBlob(written.imageId)).toBe(true);
      await store().delete(written.imageId, { gc: "wait" });
      expect((await store().readAll(written.imageId)).toString()).toBe("config of held");
      expect(await writer.holdBlob(`sha256:${"0".repeat(64)}`)).toBe(false);
      expect(await writer.holdLayers(`sha256:${"0".repeat(64)}`)).toBe(false);
    });
    await collect();
    await expect(store().readAll(written.imageId)).rejects.toMatchObject({ kind: "not-found" });
  });

  test("a sweep deletes what a killed run was writing, and nothing else", async () => {
    const others = await at.containerd.leases.create();
    const killed = new Promise<string>((resolve) => {
      void store().write(async (writer) => {
        resolve(await writer.blob(once("half an image")));
        await new Promise(() => {}); // what a killed process does
      });
    });
    const digest = await killed;
    await collect();
    expect((await store().readAll(digest)).toString()).toBe("half an image");
    await store().sweep();
    await collect();
    await expect(store().readAll(digest)).rejects.toMatchObject({ kind: "not-found" });
    expect((await at.containerd.leases.list()).map(({ id }) => id)).toEqual([others.id]);
    await at.containerd.leases.delete(others.id);
  });

  test("a put replaces the record by that name", async () => {
    await store().write(async (writer) => {
      for (const name of ["one", "two"]) {
        const image = await writeImage(writer, name);
        const putAt = await store().put({ name: "docker.io/library/moving:latest", ...image });
        const found = (await store().records()).filter((record) => record.name === "docker.io/library/moving:latest");
        expect(found).toEqual([{ name: "docker.io/library/moving:latest", ...image, putAt }]);
      }
    });
    await store().delete("docker.io/library/moving:latest");
  });

  test("a blob that is not what was wished is refused", async () => {
    const wish = { digest: `sha256:${"1".repeat(64)}`, size: 4 };
    await expect(store().write((writer) => writer.blob(once("oops"), wish))).rejects.toMatchObject({
      kind: "conflict",
    });
  });

  test("a fault of the source is thrown as it is", async () => {
    const fault = new Error("the source broke");
    async function* broken() {
      yield Buffer.from("some");
      throw fault;
    }
    await expect(store().write((writer) => writer.blob(broken()))).rejects.toBe(fault);
    await collect();
    expect(await at.containerd.content.statuses()).toEqual([]);
  });

  test("containerd's death is `unavailable`, and the store works again when it is back", async () => {
    const writing = store().write(async (writer) => {
      await at.crash();
      await writeImage(writer, "after the crash");
    });
    // The daemon may be back before the next call: the lease is on its disk, and the write then simply goes on.
    const outcome = await writing.then(
      () => "written",
      (thrown: unknown) => (isEngineError(thrown, "unavailable") ? "unavailable" : thrown),
    );
    expect(["written", "unavailable"]).toContain(outcome);
    const { imageId } = await store().write((writer) => writeImage(writer, "again"));
    expect(imageId).toMatch(/^sha256:/);
  });
});
