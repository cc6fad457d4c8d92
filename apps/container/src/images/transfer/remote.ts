import { EngineError } from "../../engine/errors.ts";
import type { ImageContext } from "../context.ts";
import type { RegistryAuth } from "../images.ts";
import { parseConfiguration } from "../manifest/configuration.ts";
import type { Platform } from "../manifest/manifest.ts";
import { parseDocument } from "../manifest/manifest.ts";
import type { Reference } from "../reference/reference.ts";
import { withDefaultTag } from "../reference/reference.ts";
import type { NetworkScope } from "../registry/network-scope.ts";
import type { RemoteManifest, Repository } from "../registry/registry.ts";
import { MAX_CONFIGURATION_BYTES } from "./fetch-image.ts";
import { toPullError } from "./pull-errors.ts";

const TIMEOUT_MS = 60_000;

/** Describes a registry's image without pulling it: `GET /distribution/NAME/json`. */
export async function inspectRemote(
  { registry }: ImageContext,
  name: Reference,
  { auth, networkScope }: { readonly auth: RegistryAuth | undefined; readonly networkScope: NetworkScope },
): Promise<Readonly<Record<string, unknown>>> {
  const reference = withDefaultTag(name);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await registry.withRepository(reference, { auth, networkScope, use: "pull", signal }, async (repository) => {
      const remote = await repository.manifest(reference.digest ?? reference.tag ?? "", { signal });
      const { mediaType, digest, bytes } = remote;
      const platforms = await platformsOf(repository, remote, signal);
      return { Descriptor: { mediaType, digest, size: bytes.length }, Platforms: platforms };
    });
  } catch (thrown) {
    throw toPullError(thrown, reference);
  }
}

async function platformsOf(
  repository: Repository,
  { bytes }: RemoteManifest,
  signal: AbortSignal,
): Promise<readonly Platform[]> {
  const parsed = parseDocument(bytes);
  if (!parsed.ok) throw new EngineError("invalid", parsed.error);
  if (parsed.value.kind === "index") {
    return parsed.value.entries.flatMap(({ platform }) => (platform === undefined ? [] : [platform]));
  }
  const { config } = parsed.value.manifest;
  if (config.size > MAX_CONFIGURATION_BYTES) throw new EngineError("invalid", "the image's configuration is too large");
  const parts: Buffer[] = [];
  for await (const part of repository.blob(config, { signal, onRetry: () => {} })) parts.push(part);
  const configuration = parseConfiguration(Buffer.concat(parts));
  if (!configuration.ok) throw new EngineError("invalid", configuration.error);
  const { os, architecture, variant } = configuration.value;
  return [{ architecture, os, ...(variant === undefined ? {} : { variant }) }];
}
