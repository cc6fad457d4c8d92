import { isEngineError } from "../../engine/errors.ts";
import type { ImageStore } from "../store.ts";
import { type Descriptor, type IndexEntry, isIndexType, isLayerType, parseDocument, partsOf } from "./manifest.ts";

/** An OCI index or a manifest list: one image for several platforms, with attestations. */
export interface ImageIndex {
  readonly descriptor: Descriptor;
  /** The manifests that it names, those of indexes within it included. */
  readonly members: readonly IndexMember[];
  /** The indexes within it that the store has, outermost first. */
  readonly inner: readonly Descriptor[];
}

export interface IndexMember {
  readonly entry: IndexEntry;
  /** An attestation says something about an image; nothing is known of other entries, and neither can be run. */
  readonly kind: "image" | "attestation" | "unknown";
  /** The configuration and the layers; undefined while the store does not have the manifest, and then it has nothing of it. */
  readonly parts: { readonly config: Descriptor; readonly layers: readonly Descriptor[] } | undefined;
}

const REFERENCE_TYPE = "vnd.docker.reference.type";
const REFERENCE_DIGEST = "vnd.docker.reference.digest";

/** More than this many indexes within one another are refused. */
export const MAX_INDEX_DEPTH = 4;

/** The id of the image that a member is; undefined if it is none, or not in the store. */
export function imageIdOf({ kind, parts }: IndexMember): string | undefined {
  return kind === "image" ? parts?.config.digest : undefined;
}

/** The digest of the manifest that an attestation is about. */
export function attestedBy({ annotations }: IndexEntry): string | undefined {
  return annotations?.[REFERENCE_DIGEST];
}

/** What an entry of an index is, from its manifest if the store has that (moby `ImageManifest.IsPseudoImage`). */
export function memberOf(entry: IndexEntry, bytes: Buffer | undefined): IndexMember {
  const parts = bytes === undefined ? undefined : partsOf(bytes);
  return { entry, kind: kindOf(entry, parts), parts };
}

function kindOf({ annotations, platform }: IndexEntry, parts: IndexMember["parts"]): IndexMember["kind"] {
  if (annotations?.[REFERENCE_TYPE] !== undefined) return "attestation";
  if (platform?.os === "unknown" && platform.architecture === "unknown") return "unknown";
  const layers = parts?.layers ?? [];
  return layers.length > 0 && !layers.some(({ mediaType }) => isLayerType(mediaType)) ? "unknown" : "image";
}

/**
 * Reads an index and what the store has of its manifests. Throws `not-found` without the index.
 *
 * @param options.present the digests of what the store has; it is asked for each manifest without them.
 */
export async function readIndex(
  store: Pick<ImageStore, "readAll">,
  descriptor: Descriptor,
  { present, depth = MAX_INDEX_DEPTH }: { readonly present?: ReadonlySet<string>; readonly depth?: number } = {},
): Promise<ImageIndex> {
  const document = parseDocument(await store.readAll(descriptor.digest));
  const entries = document.ok && document.value.kind === "index" ? document.value.entries : [];
  const members: IndexMember[] = [];
  const inner: Descriptor[] = [];
  for (const entry of entries) {
    const bytes = present?.has(entry.digest) === false ? undefined : await readPresent(store, entry.digest);
    if (isIndexType(entry.mediaType)) {
      if (bytes === undefined || depth === 1) continue;
      const nested = await readIndex(store, entry, { ...(present && { present }), depth: depth - 1 });
      members.push(...nested.members);
      inner.push({ mediaType: entry.mediaType, digest: entry.digest, size: entry.size }, ...nested.inner);
    } else members.push(memberOf(entry, bytes));
  }
  return { descriptor, members, inner };
}

async function readPresent(store: Pick<ImageStore, "readAll">, digest: string): Promise<Buffer | undefined> {
  try {
    return await store.readAll(digest);
  } catch (thrown) {
    if (isEngineError(thrown, "not-found")) return undefined;
    throw thrown;
  }
}
