import { setTimeout as sleep } from "node:timers/promises";
import type { Descriptor } from "../manifest/manifest.ts";
import type { RetryPolicy } from "./download.ts";
import { expectStatus, headerOf } from "./http.ts";
import { isTransient, RegistryError } from "./registry-error.ts";
import type { Session } from "./session.ts";

/** The push operations of a repository. */
export interface Uploads {
  hasBlob(digest: string, options: { readonly signal: AbortSignal }): Promise<boolean>;
  /**
   * Uploads a blob, or mounts it from the repository `from` of the same registry if that has it.
   * `open` returns the bytes, once per attempt.
   */
  upload(
    blob: Descriptor,
    open: () => AsyncIterable<Uint8Array>,
    options: { readonly from: string | undefined; readonly signal: AbortSignal },
  ): Promise<"mounted" | "sent">;
  putManifest(
    tagOrDigest: string,
    manifest: { readonly bytes: Buffer; readonly mediaType: string },
    options: { readonly signal: AbortSignal },
  ): Promise<void>;
}

export function uploadsTo(session: Session, name: string, retry: RetryPolicy): Uploads {
  const scope = `repository:${name}:pull,push`;

  /** The upload's URL; undefined if the registry mounted the blob. */
  const begin = async (digest: string, from: string | undefined, signal: AbortSignal): Promise<string | undefined> => {
    const query = from === undefined ? "" : `?${new URLSearchParams({ mount: digest, from })}`;
    const path = `/v2/${name}/blobs/uploads/${query}`;
    const mountScope = from === undefined ? scope : `${scope} repository:${from}:pull`;
    const request = { method: "POST", headers: { "content-length": "0" }, scope: mountScope, signal } as const;
    const response = await expectStatus(await session.send(path, request), 201, 202);
    await response.body.dump();
    if (response.statusCode === 201) return undefined;
    const location = headerOf(response, "location");
    if (location === undefined) throw new RegistryError("the registry names no place to upload to", { status: 202 });
    return new URL(location, session.endpoint.url).href;
  };

  const send: Uploads["upload"] = async ({ digest, size }, open, { from, signal }) => {
    const location = await begin(digest, from, signal);
    if (location === undefined) return "mounted";
    const url = new URL(location);
    url.searchParams.set("digest", digest);
    const headers = { "content-type": "application/octet-stream", "content-length": String(size) };
    const body = size === 0 ? Buffer.alloc(0) : open();
    const response = await session.send(url.href, { method: "PUT", headers, body, scope, signal });
    await (await expectStatus(response, 201)).body.dump();
    return "sent";
  };

  return {
    hasBlob: async (digest, { signal }) => {
      const response = await session.send(`/v2/${name}/blobs/${digest}`, { method: "HEAD", scope, signal });
      await (await expectStatus(response, 200, 404)).body.dump();
      return response.statusCode === 200;
    },
    upload: async (blob, open, options) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await send(blob, open, options);
        } catch (thrown) {
          options.signal.throwIfAborted();
          if (!isTransient(thrown) || attempt >= retry.attempts) throw thrown;
          await sleep(retry.delayMs * 2 ** (attempt - 1), undefined, { signal: options.signal });
        }
      }
    },
    putManifest: async (tagOrDigest, { bytes, mediaType }, { signal }) => {
      const path = `/v2/${name}/manifests/${tagOrDigest}`;
      const headers = { "content-type": mediaType };
      const response = await session.send(path, { method: "PUT", headers, body: bytes, scope, signal });
      await (await expectStatus(response, 201)).body.dump();
    },
  };
}
