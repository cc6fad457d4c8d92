import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { CacheEntry } from "../builds.ts";
import { DOOR_DOMAIN } from "../door/names.ts";

// The lists of containers/storage, which buildah keeps its cache in.

const layers = z.array(
  z.object({
    id: z.string(),
    parent: z.string().optional(),
    created: z.string().default(""),
    "diff-size": z.number().default(0),
  }),
);
const images = z.array(
  z.object({ id: z.string(), layer: z.string().optional(), names: z.array(z.string()).nullish() }),
);
const containers = z.array(z.object({ id: z.string(), layer: z.string().optional() }));

async function readList<T>(cache: string, list: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(join(cache, "storage", list), "utf8")));
  } catch {
    return undefined;
  }
}

function isBase(names: readonly string[]): boolean {
  return names.some((name) => name.startsWith(`${DOOR_DOMAIN}/`));
}

/** The images of a cache that end in one of these layers. */
export async function imagesEndingIn(cache: string, ids: ReadonlySet<string>): Promise<readonly string[]> {
  const found = (await readList(cache, "overlay-images/images.json", images)) ?? [];
  return found.filter(({ layer = "" }) => ids.has(layer)).map(({ id }) => id);
}

/** The whole ids of a cache's images, by their first digits; without those that are not there. */
export async function imagesNamed(cache: string, prefixes: readonly string[]): Promise<readonly string[]> {
  if (prefixes.length === 0) return [];
  const found = (await readList(cache, "overlay-images/images.json", images)) ?? [];
  return prefixes.flatMap((prefix) => found.filter(({ id }) => id.startsWith(prefix)).map(({ id }) => `sha256:${id}`));
}

/** The layers of a cache; none where there is no cache, or none that can be read. */
export async function readEntries(cache: string): Promise<readonly CacheEntry[]> {
  const [found = [], named = [], working = []] = await Promise.all([
    readList(cache, "overlay-layers/layers.json", layers),
    readList(cache, "overlay-images/images.json", images),
    readList(cache, "overlay-containers/containers.json", containers),
  ]);
  const used = new Set(working.map(({ layer }) => layer));
  return found
    .filter(({ id }) => !used.has(id))
    .map((layer) => {
      const base = isBase(named.filter((image) => image.layer === layer.id).flatMap(({ names }) => names ?? []));
      return {
        id: layer.id,
        parent: layer.parent ?? "",
        description: base ? "layer of a base image" : "layer of a build",
        size: layer["diff-size"],
        createdAt: layer.created,
        inUse: working.length > 0,
        isBase: base,
      };
    });
}

/** Whether a build left containers behind, or the list of them cannot be read. */
export async function hasContainers(cache: string): Promise<boolean> {
  const path = join(cache, "storage", "overlay-containers/containers.json");
  const there = await readFile(path, "utf8").catch(() => undefined);
  if (there === undefined) return false;
  return (await readList(cache, "overlay-containers/containers.json", containers))?.length !== 0;
}
