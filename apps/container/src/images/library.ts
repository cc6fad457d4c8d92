import { EngineError } from "../engine/errors.ts";
import { KeyedLock } from "../engine/keyed-lock.ts";
import type { Catalogue, NamedImage, StoredImage } from "./catalogue.ts";
import { parseConfiguration } from "./manifest/configuration.ts";
import { chainIdsOf, type Descriptor } from "./manifest/manifest.ts";
import type { Reference } from "./reference/reference.ts";
import { formatReference, isDigest, parseReference } from "./reference/reference.ts";
import type { RemovalStep } from "./removal.ts";
import type { ImageRecord, ImageStore } from "./store.ts";

/** The images in memory, written through to the store: reads cost nothing, and what a crash leaves is what the store has. */
export interface Library {
  readonly catalogue: Catalogue;
  /** Keeps the image under its id; the one that is there already stays as it is. */
  add(image: StoredImage): Promise<StoredImage>;
  /** Names an image; whatever had the name before loses it. Answers the id of that one. */
  name(reference: Reference, imageId: string): Promise<string | undefined>;
  /** The same image in other blobs, as a push may make them. */
  replaceManifest(imageId: string, manifest: Descriptor): Promise<void>;
  /** Plans with the catalogue as it is and does what was planned before anything else changes; tells of each step once it is done. */
  remove(
    plan: (catalogue: Catalogue) => readonly RemovalStep[],
    done: (step: RemovalStep) => void,
  ): Promise<readonly RemovalStep[]>;
}

/** Reads all that the store has. An image whose configuration is gone or spoilt is left out and told of. */
export async function openLibrary(
  store: ImageStore,
  { warn, now }: { readonly warn: (message: string) => void; readonly now: () => Date },
): Promise<Library> {
  const images = new Map<string, StoredImage>();
  const names = new Map<string, NamedImage>();
  await store.sweep();
  const records = await store.records();
  const read = await Promise.all(
    records.filter(({ name }) => isDigest(name)).map((record) => readImage(store, record, warn)),
  );
  for (const image of read) if (image !== undefined) images.set(image.id, image);
  for (const { name, imageId, putAt = "" } of records) {
    const parsed = isDigest(name) ? undefined : parseReference(name);
    if (parsed?.ok && images.has(imageId)) names.set(name, { reference: parsed.value, imageId, taggedAt: putAt });
  }
  return libraryOf(store, { images, names, now });
}

async function readImage(
  store: ImageStore,
  { imageId, manifest, details }: ImageRecord,
  warn: (message: string) => void,
): Promise<StoredImage | undefined> {
  try {
    const parsed = parseConfiguration(await store.readAll(imageId));
    if (!parsed.ok) throw new Error(parsed.error);
    const configuration = parsed.value;
    const chainIds = chainIdsOf(configuration.rootfs.diff_ids);
    const { layerSizes = [], parent = "" } = details ?? {};
    return { id: imageId, manifest, configuration, chainIds, layerSizes, parent };
  } catch (thrown) {
    warn(`image ${imageId} is left out: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return undefined;
  }
}

function libraryOf(
  store: ImageStore,
  {
    images,
    names,
    now,
  }: {
    readonly images: Map<string, StoredImage>;
    readonly names: Map<string, NamedImage>;
    readonly now: () => Date;
  },
): Library {
  const lock = new KeyedLock<"library">();
  const catalogue: Catalogue = { images, names };

  const put = async (image: StoredImage): Promise<void> => {
    const { id, manifest, layerSizes, parent } = image;
    await store.put({ name: id, imageId: id, manifest, details: { layerSizes, parent } });
    images.set(id, image);
  };

  const expectImage = (imageId: string): StoredImage => {
    const image = images.get(imageId);
    if (image === undefined) throw new EngineError("not-found", `No such image: ${imageId}`);
    return image;
  };

  return {
    catalogue,
    add: (image) =>
      lock.hold("library", async () => {
        const known = images.get(image.id);
        if (known !== undefined) return known;
        await put(image);
        return image;
      }),
    name: (reference, imageId) =>
      lock.hold("library", async () => {
        const name = formatReference(reference);
        const before = names.get(name)?.imageId;
        if (before === imageId) return before;
        await store.put({ name, imageId, manifest: expectImage(imageId).manifest });
        names.set(name, { reference, imageId, taggedAt: now().toISOString() });
        return before;
      }),
    replaceManifest: (imageId, manifest) =>
      lock.hold("library", async () => {
        await put({ ...expectImage(imageId), manifest });
        for (const [name, named] of names) {
          if (named.imageId === imageId) await store.put({ name, imageId, manifest });
        }
      }),
    remove: (plan, done) =>
      lock.hold("library", async () => {
        const steps = plan(catalogue);
        for (const [index, step] of steps.entries()) {
          const name = step.kind === "untag" ? formatReference(step.reference) : step.imageId;
          // The collection is the costly part: one does for all.
          await store.delete(name, { gc: index === steps.length - 1 ? "wait" : "later" });
          names.delete(name);
          images.delete(name);
          done(step);
        }
        return steps;
      }),
  };
}
