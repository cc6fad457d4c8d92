import { EngineError } from "../engine/errors.ts";
import { KeyedLock } from "../engine/keyed-lock.ts";
import type { Catalogue, NamedImage, StoredImage } from "./catalogue.ts";
import type { HeldNames } from "./images.ts";
import { parseConfiguration } from "./manifest/configuration.ts";
import { chainIdsOf, type Descriptor } from "./manifest/manifest.ts";
import type { Reference } from "./reference/reference.ts";
import { formatFamiliar, formatReference, isDigest, parseReference } from "./reference/reference.ts";
import type { RemovalStep } from "./removal.ts";
import type { ImageRecord, ImageStore } from "./store.ts";

/** The images in memory, written through to the store: reads are served from memory, and the store survives a crash. */
export interface Library {
  readonly catalogue: Catalogue;
  /** Adds the image under its id; an existing one stays unchanged. */
  add(image: StoredImage): Promise<StoredImage>;
  /**
   * Gives an image a name and takes it from its previous image. Returns that image's id. With `keep` it throws `conflict` where
   * the name already means another image.
   */
  name(reference: Reference, imageId: string, held?: HeldNames): Promise<string | undefined>;
  /** Replaces the blobs of an image, as a push does that compresses layers. */
  replaceManifest(imageId: string, manifest: Descriptor): Promise<void>;
  /** Plans on the current catalogue and runs the steps before any other change; reports each step once it is done. */
  remove(
    plan: (catalogue: Catalogue) => readonly RemovalStep[],
    done: (step: RemovalStep) => void,
  ): Promise<readonly RemovalStep[]>;
}

/** Reads everything in the store. Skips and reports images with a missing or damaged configuration. */
export async function openLibrary(
  store: ImageStore,
  { warn }: { readonly warn: (message: string) => void },
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
  return libraryOf(store, { images, names });
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

/** Throws `conflict` if the name already means another image than this one. */
export function assertNameFree({ names }: Catalogue, reference: Reference, imageId: string): void {
  const holder = names.get(formatReference(reference))?.imageId;
  if (holder === undefined || holder === imageId) return;
  throw new EngineError(
    "conflict",
    `${formatFamiliar(reference)} names another image here, and only an administrator's pull moves a name: pull it by digest, or ask an administrator`,
  );
}

function libraryOf(
  store: ImageStore,
  {
    images,
    names,
  }: {
    readonly images: Map<string, StoredImage>;
    readonly names: Map<string, NamedImage>;
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
    name: (reference, imageId, held = "move") =>
      lock.hold("library", async () => {
        const name = formatReference(reference);
        const before = names.get(name)?.imageId;
        if (before === imageId) return before;
        if (held === "keep") assertNameFree(catalogue, reference, imageId);
        const taggedAt = await store.put({ name, imageId, manifest: expectImage(imageId).manifest });
        names.set(name, { reference, imageId, taggedAt });
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
          // Garbage collection is expensive: run it once for all.
          await store.delete(name, { gc: index === steps.length - 1 ? "wait" : "later" });
          names.delete(name);
          images.delete(name);
          done(step);
        }
        return steps;
      }),
  };
}
