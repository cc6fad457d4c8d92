import { STATUS_CODES } from "node:http";
import type { RegistryAuth } from "../images.ts";
import type { Descriptor } from "../manifest/manifest.ts";
import { ACCEPTED_MANIFESTS, digestOf, mediaTypeOf } from "../manifest/manifest.ts";
import type { Reference } from "../reference/reference.ts";
import type { RetryPolicy } from "./download.ts";
import { downloadBlob } from "./download.ts";
import type { RegistryConfig } from "./endpoints.ts";
import { type Endpoint, endpointsOf, isListed } from "./endpoints.ts";
import { expectStatus, headerOf, openHttp, readBody } from "./http.ts";
import type { NetworkScope } from "./network-scope.ts";
import { RegistryError } from "./registry-error.ts";
import type { Session } from "./session.ts";
import { openSession } from "./session.ts";
import type { Uploads } from "./upload.ts";
import { uploadsTo } from "./upload.ts";

export interface RemoteManifest {
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly digest: string;
}

/** One repository of a registry. Throws RegistryError. */
export interface Repository extends Uploads {
  /** Without the registry's domain. */
  readonly name: string;
  /** By tag or digest. Verifies content requested by digest. */
  manifest(tagOrDigest: string, options: { readonly signal: AbortSignal }): Promise<RemoteManifest>;
  tags(options: { readonly signal: AbortSignal }): Promise<readonly string[]>;
  blob(
    descriptor: Descriptor,
    options: { readonly signal: AbortSignal; readonly onRetry: (seconds: number) => void },
  ): AsyncIterable<Buffer>;
}

/** Options of every request to a registry. */
export interface Asking {
  readonly auth: RegistryAuth | undefined;
  readonly networkScope: NetworkScope;
  readonly signal: AbortSignal;
}

/** A client for registries (OCI distribution spec). */
export interface Registry {
  /** Runs `use` on the first endpoint that responds. Skips a mirror after any failure. */
  withRepository<T>(
    reference: Reference,
    options: Asking & { readonly use: "pull" | "push" },
    use: (repository: Repository) => Promise<T>,
  ): Promise<T>;
  /** Logs in to the registry of `domain`. Throws a RegistryError with status 401 for rejected credentials. */
  checkAuth(domain: string, asking: Asking): Promise<void>;
  close(): Promise<void>;
}

const MAX_MANIFEST_BYTES = 4 << 20;

export function openRegistry(config: RegistryConfig & { readonly retry: RetryPolicy }): Registry {
  const http = openHttp(config);

  /** Without a response of a registry the next endpoint is tried. */
  const goesOn = (thrown: unknown, endpoint: Endpoint): boolean =>
    endpoint.mirror || (thrown instanceof RegistryError && thrown.status === undefined);

  const firstOf = async <T>(
    domain: string,
    { auth, networkScope, use, signal }: Asking & { readonly use: "pull" | "push" },
    run: (session: Session) => Promise<T>,
  ): Promise<T> => {
    let failure: unknown;
    for (const endpoint of endpointsOf(domain, config, use)) {
      try {
        // A mirror is a third party: never send it credentials for docker.io.
        return await run(
          openSession(http, endpoint, {
            auth: endpoint.mirror ? undefined : auth,
            networkScope,
            isListed: (host) => isListed(host, config),
          }),
        );
      } catch (thrown) {
        signal.throwIfAborted();
        if (!goesOn(thrown, endpoint)) throw thrown;
        failure = thrown;
      }
    }
    throw failure;
  };

  return {
    withRepository: (reference, options, use) =>
      firstOf(reference.domain, options, (session) => use(repositoryOn(session, reference.path, config.retry))),
    checkAuth: (domain, asking) =>
      firstOf(domain, { ...asking, use: "push" }, async (session) => {
        const response = await session.send("/v2/", { method: "GET", signal: asking.signal });
        const { statusCode: status } = response;
        await response.body.dump();
        if (status !== 200) {
          // Docker's message (moby `loginV2`), whatever the registry's is.
          const told = `login attempt to ${session.endpoint.url}/v2/ failed with status: ${status} ${STATUS_CODES[status]}`;
          throw new RegistryError(told, { status, code: status === 401 ? "UNAUTHORIZED" : "" });
        }
      }),
    close: () => http.close(),
  };
}

function isBare404(thrown: unknown): boolean {
  return thrown instanceof RegistryError && thrown.status === 404 && thrown.code === "";
}

function manifestUnknown(cause: unknown): RegistryError {
  return new RegistryError("manifest unknown: manifest unknown", { status: 404, code: "MANIFEST_UNKNOWN", cause });
}

function repositoryOn(session: Session, name: string, retry: RetryPolicy): Repository {
  const scope = `repository:${name}:pull`;
  return {
    name,
    ...uploadsTo(session, name, retry),
    manifest: async (tagOrDigest, { signal }) => {
      const path = `/v2/${name}/manifests/${tagOrDigest}`;
      const headers = { accept: ACCEPTED_MANIFESTS.join(", ") };
      const response = await session.send(path, { method: "GET", headers, scope, signal });
      await expectStatus(response, 200).catch((thrown: unknown) => {
        throw isBare404(thrown) ? manifestUnknown(thrown) : thrown;
      });
      const bytes = await readBody(response, MAX_MANIFEST_BYTES);
      const digest = digestOf(bytes);
      if (tagOrDigest.startsWith("sha256:") && tagOrDigest !== digest) {
        throw new RegistryError(`manifest verification failed for digest ${tagOrDigest}`, { status: 200 });
      }
      return { bytes, digest, mediaType: mediaTypeOf(bytes, headerOf(response, "content-type")) };
    },
    tags: async ({ signal }) => {
      const found: string[] = [];
      let path: string | undefined = `/v2/${name}/tags/list`;
      while (path !== undefined) {
        const response: Awaited<ReturnType<Session["send"]>> = await session.send(path, {
          method: "GET",
          scope,
          signal,
        });
        await expectStatus(response, 200);
        const body: unknown = JSON.parse((await readBody(response, MAX_MANIFEST_BYTES)).toString("utf8"));
        const tags =
          typeof body === "object" && body !== null && "tags" in body && Array.isArray(body.tags) ? body.tags : [];
        for (const tag of tags) if (typeof tag === "string") found.push(tag);
        path = /<([^>]+)>;\s*rel="?next"?/.exec(headerOf(response, "link") ?? "")?.[1];
      }
      return found;
    },
    blob: (descriptor, options) => downloadBlob(session, name, descriptor, { ...options, retry }),
  };
}
