import { createHash } from "node:crypto";
import type { Result } from "@berth/port-spec";
import { err, ok } from "@berth/port-spec";
import { z } from "zod";
import { isDigest } from "../reference/reference.ts";

// The image manifests of OCI image-spec 1.1 and Docker's schema 2, which differ only in media types.

/** OCI's content descriptor. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}

export interface Platform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string | undefined;
}

export interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

export interface IndexEntry extends Descriptor {
  readonly platform?: Platform | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

export type Document =
  | { readonly kind: "manifest"; readonly manifest: Manifest }
  | { readonly kind: "index"; readonly entries: readonly IndexEntry[] };

export const MEDIA_TYPES = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar",
  dockerIndex: "application/vnd.docker.distribution.manifest.list.v2+json",
  dockerManifest: "application/vnd.docker.distribution.manifest.v2+json",
} as const;

/** The accepted manifest types, most preferred first. */
export const ACCEPTED_MANIFESTS: readonly string[] = [
  MEDIA_TYPES.manifest,
  MEDIA_TYPES.dockerManifest,
  MEDIA_TYPES.index,
  MEDIA_TYPES.dockerIndex,
];

const LAYER_TYPES =
  /^application\/vnd\.(?:oci\.image\.layer(?:\.nondistributable)?\.v1\.tar|docker\.image\.rootfs(?:\.foreign)?\.diff\.tar)(?:[.+](gzip|zstd))?$/;

/** Whether a manifest of this media type is an index. */
export function isIndexType(mediaType: string): boolean {
  return mediaType === MEDIA_TYPES.index || mediaType === MEDIA_TYPES.dockerIndex;
}

/** Whether layers of this media type can be unpacked. */
export function isLayerType(mediaType: string): boolean {
  return LAYER_TYPES.test(mediaType);
}

/** Whether a layer of this media type is a plain tar: fine on disk, but worth compressing for a push. */
export function isPlainLayer(mediaType: string): boolean {
  return LAYER_TYPES.exec(mediaType)?.[1] === undefined;
}

/** The media type under which containerd unpacks a layer: it knows zstd by OCI's name alone. */
export function unpackedLayerType(mediaType: string): string {
  return LAYER_TYPES.exec(mediaType)?.[1] === "zstd" ? `${MEDIA_TYPES.layer}+zstd` : mediaType;
}

const descriptor = z.object({
  mediaType: z.string().max(255),
  digest: z.string().refine(isDigest, "is no sha256 digest"),
  size: z.int().nonnegative(),
});
const platform = z.object({ os: z.string(), architecture: z.string(), variant: z.string().optional() });
/** containerd reads no version: some programs leave it out, or write 0. */
const schemaVersion = z.union([z.literal(2), z.literal(0)]).optional();
const document = z.union([
  z.object({
    schemaVersion,
    manifests: z
      .array(
        descriptor.extend({
          platform: platform.optional(),
          annotations: z.record(z.string(), z.string()).optional(),
        }),
      )
      .max(1000),
  }),
  z.object({ schemaVersion, config: descriptor, layers: z.array(descriptor).max(1000) }),
]);

/** Parses a manifest or an index (manifest list); the error says what is wrong. */
export function parseDocument(bytes: Buffer): Result<Document, string> {
  const json = parseJson(bytes);
  if (!json.ok) return json;
  if (isSchema1(json.value))
    return err("Docker Image Format v1 and Docker Image manifest version 2, schema 1 support has been removed.");
  const parsed = document.safeParse(json.value);
  if (!parsed.success) return err("unsupported manifest format");
  if ("manifests" in parsed.data) return ok({ kind: "index", entries: parsed.data.manifests });
  const { config, layers } = parsed.data;
  const strange = layers.find(({ mediaType }) => !isLayerType(mediaType));
  return strange === undefined
    ? ok({ kind: "manifest", manifest: { config, layers } })
    : err(`unsupported media type ${strange.mediaType}`);
}

/** The parts of a manifest with layers of any type, as attestations have them; undefined for anything else. */
export function partsOf(bytes: Buffer): Manifest | undefined {
  const json = parseJson(bytes);
  const parsed = json.ok ? document.safeParse(json.value).data : undefined;
  return parsed === undefined || "manifests" in parsed ? undefined : { config: parsed.config, layers: parsed.layers };
}

const selfDescription = z.object({ mediaType: z.string().optional(), manifests: z.unknown().optional() });

/** The manifest's own media type takes precedence over the registry's; without either it is OCI's. */
export function mediaTypeOf(bytes: Buffer, contentType: string | undefined): string {
  const json = parseJson(bytes);
  const own = selfDescription.safeParse(json.ok ? json.value : undefined).data;
  const said = own?.mediaType ?? contentType?.split(";")[0]?.trim();
  const silent = own?.manifests === undefined ? MEDIA_TYPES.manifest : MEDIA_TYPES.index;
  return ACCEPTED_MANIFESTS.find((known) => known === said) ?? silent;
}

function isSchema1(json: unknown): boolean {
  return typeof json === "object" && json !== null && "schemaVersion" in json && json.schemaVersion === 1;
}

/** Parses JSON from an untrusted file or registry. */
export function parseJson(bytes: Buffer): Result<unknown, string> {
  try {
    return ok(JSON.parse(bytes.toString("utf8")) as unknown);
  } catch (thrown) {
    return err(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** Formats an OCI manifest; equal parts always yield equal bytes and therefore the same digest. */
export function formatManifest({ config, layers }: Manifest): Buffer {
  return Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: MEDIA_TYPES.manifest, config, layers }));
}

/** `sha256:` and the hex digest of the bytes. */
export function digestOf(bytes: Uint8Array | string): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** The OCI chain ids of the layers, bottom first: each identifies a layer together with all below it. */
export function chainIdsOf(diffIds: readonly string[]): readonly string[] {
  const chain: string[] = [];
  for (const diffId of diffIds) {
    const below = chain.at(-1);
    chain.push(below === undefined ? diffId : digestOf(`${below} ${diffId}`));
  }
  return chain;
}
