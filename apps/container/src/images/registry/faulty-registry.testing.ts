import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { digestOf, MEDIA_TYPES } from "../manifest/manifest.ts";

export interface FaultyRegistry {
  readonly host: string;
  /** `METHOD PATH` of each request so far, with `+auth` if it had a credential, and its range. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

/** Overrides the response of one path. */
export type Fault = (request: IncomingMessage, answer: ServerResponse, content: Buffer) => void;

export interface Content {
  /** By tag or digest. */
  readonly manifests: Readonly<Record<string, { readonly bytes: Buffer; readonly mediaType: string }>>;
  readonly blobs: readonly Buffer[];
}

/** A registry that serves content from memory, with faults for some paths. */
export async function startFaultyRegistry(
  { manifests, blobs }: Content,
  faults: Readonly<Record<string, Fault>> = {},
): Promise<FaultyRegistry> {
  const requests: string[] = [];
  const byDigest = new Map(blobs.map((blob) => [digestOf(blob), blob]));
  const server = createServer((request, answer) => {
    const { pathname } = new URL(request.url ?? "", "http://registry");
    const { authorization, range } = request.headers;
    requests.push(`${request.method} ${pathname}${authorization ? " +auth" : ""}${range ? ` ${range}` : ""}`);
    const [, kind = "", name = ""] = /^\/v2\/.+\/(manifests|blobs)\/([^/]+)$/.exec(pathname) ?? [];
    const manifest = kind === "manifests" ? manifests[name] : undefined;
    const content = manifest?.bytes ?? byDigest.get(name) ?? Buffer.alloc(0);
    const fault = Object.entries(faults).find(([part]) => pathname.includes(part))?.[1];
    if (fault !== undefined) return fault(request, answer, content);
    if (content.length === 0) return void answer.writeHead(404).end();
    if (manifest !== undefined) answer.setHeader("content-type", manifest.mediaType);
    sendRange(request, answer, content);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Responds like a correct registry, with the requested range. */
export const sendRange: Fault = (request, answer, content) => {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  if (start > 0) answer.writeHead(206, { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` });
  answer.end(content.subarray(start));
};

/** The content of an image with the given layers; its manifest by `v1` and by digest. */
export function contentOf(
  layers: readonly {
    readonly blob: Buffer;
    readonly tar: Buffer;
    readonly suffix: "" | "+gzip" | "+zstd";
    /** Instead of OCI's type with the suffix. */
    readonly mediaType?: string;
  }[],
  changes: { readonly architecture?: string; readonly config?: object; readonly manifest?: object } = {},
): Content & { readonly manifestDigest: string; readonly imageId: string } {
  const config = Buffer.from(
    JSON.stringify({
      os: "linux",
      architecture: changes.architecture ?? "amd64",
      rootfs: { type: "layers", diff_ids: layers.map(({ tar }) => digestOf(tar)) },
      ...changes.config,
    }),
  );
  const bytes = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MEDIA_TYPES.manifest,
      config: { mediaType: MEDIA_TYPES.config, digest: digestOf(config), size: config.length },
      layers: layers.map(({ blob, suffix, mediaType = `${MEDIA_TYPES.layer}${suffix}` }) => ({
        mediaType,
        digest: digestOf(blob),
        size: blob.length,
      })),
      ...changes.manifest,
    }),
  );
  const manifest = { bytes, mediaType: MEDIA_TYPES.manifest };
  const manifestDigest = digestOf(bytes);
  return {
    manifests: { v1: manifest, [manifestDigest]: manifest },
    blobs: [config, ...layers.map(({ blob }) => blob)],
    manifestDigest,
    imageId: digestOf(config),
  };
}
