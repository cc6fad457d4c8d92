import { EngineError } from "../../engine/errors.ts";
import { decompress } from "../archive/compression.ts";
import { applyChanges } from "../changes/changes.ts";
import type { ImageContext } from "../context.ts";
import { tell } from "../context.ts";
import { assertLayerFits } from "../disk-quota.ts";
import type { Image, ImageConfig, Images, LayerTar } from "../images.ts";
import type { Configuration } from "../manifest/configuration.ts";
import { MEDIA_TYPES, parseDocument } from "../manifest/manifest.ts";
import { parsePlatform } from "../manifest/platform.ts";
import type { Reference } from "../reference/reference.ts";
import { formatFamiliar, parseRepositoryTag, referenceMessage, withDefaultTag } from "../reference/reference.ts";
import { holdBlobs, install, writeConfiguration } from "./install.ts";
import { writeLayer } from "./load.ts";

type ImportOptions = Parameters<Images["import"]>[1];
type CommitOptions = Parameters<Images["commit"]>[1];

/** The name for the new image; undefined if the request has none. Throws `invalid`. */
export function targetOf(repo: string, tag: string): Reference | undefined {
  if (repo === "") return undefined;
  const parsed = parseRepositoryTag(repo, tag);
  if (!parsed.ok) throw new EngineError("invalid", referenceMessage(parsed.error));
  if (parsed.value.digest !== undefined) throw new EngineError("invalid", "cannot import digest reference");
  return withDefaultTag(parsed.value);
}

function changed(config: ImageConfig, changes: readonly string[]): ImageConfig {
  const result = applyChanges(config, changes);
  if (!result.ok) throw new EngineError("invalid", result.error);
  return result.value;
}

/** Creates an image of one layer from a root file system in a tar, plain or compressed. Returns its id. */
export async function importImage(
  context: ImageContext,
  source: AsyncIterable<Uint8Array>,
  { repo, tag, message, changes, platform, signal }: ImportOptions,
): Promise<string> {
  const target = targetOf(repo, tag);
  const config = changed({}, changes);
  const wished =
    platform === undefined ? { ok: true as const, value: context.platform } : parsePlatform(platform, context.platform);
  if (!wished.ok) throw new EngineError("invalid", wished.error);
  const created = context.now().toISOString();
  const comment = message === "" ? "Imported from -" : message;

  return await context.store.write(async (writer) => {
    const layer = await writeLayer(writer, await decompress(source), signal);
    const configuration: Configuration = {
      ...wished.value,
      created,
      comment,
      config,
      rootfs: { type: "layers", diff_ids: [layer.digest] },
      history: [{ created, comment }],
    };
    const written = await writeConfiguration(writer, configuration);
    const { unpacking, quota } = context;
    const options = { unpacking, quota, signal };
    const image = await install(writer, { configuration, config: written, layers: [layer] }, options);
    const { id } = await context.library.add(image);
    if (target !== undefined) await context.library.name(target, id);
    tell(context, "import", { id, name: id });
    return id;
  });
}

/** Creates an image from a container's writable layer on top of its image. Returns its id. */
export async function commitImage(
  context: ImageContext,
  { digest, size, bytes }: LayerTar,
  { parent, container, config, changes, repo, tag, author, comment, createdBy }: CommitOptions,
): Promise<string> {
  const target = targetOf(repo, tag);
  const own = changed(config, changes);
  const below = context.library.catalogue.images.get(parent.id);
  if (below === undefined) throw new EngineError("not-found", `No such image: ${parent.id}`);
  const document = parseDocument(await context.store.readAll(below.manifest.digest));
  if (!document.ok || document.value.kind !== "manifest")
    throw new EngineError("failed", `image ${parent.id} has no manifest`);
  const { layers } = document.value.manifest;
  const created = context.now().toISOString();

  return await context.store.write(async (writer) => {
    await holdBlobs(writer, layers);
    assertLayerFits(context.quota, size);
    const top = { mediaType: MEDIA_TYPES.layer, digest: await writer.blob(bytes, { digest, size }), size };
    const configuration: Configuration = {
      ...platformOfImage(parent),
      created,
      author,
      comment,
      container: container.id,
      container_config: container.config,
      config: own,
      rootfs: { type: "layers", diff_ids: [...parent.diffIds, top.digest] },
      history: [
        ...(below.configuration.history ?? []),
        {
          created,
          created_by: createdBy,
          ...(author === "" ? {} : { author }),
          ...(comment === "" ? {} : { comment }),
        },
      ],
    };
    const written = await writeConfiguration(writer, configuration);
    const assembly = { configuration, config: written, layers: [...layers, top], parent: parent.id };
    const { unpacking, quota } = context;
    const { id } = await context.library.add(await install(writer, assembly, { unpacking, quota }));
    if (target !== undefined) {
      await context.library.name(target, id);
      tell(context, "tag", { id, name: formatFamiliar(target) });
    }
    return id;
  });
}

function platformOfImage({ os, architecture, variant }: Image): Pick<Configuration, "os" | "architecture" | "variant"> {
  return {
    os,
    architecture,
    ...(variant === "" ? {} : { variant }),
  };
}
