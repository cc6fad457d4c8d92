import type { Hono } from "hono";
import type { Actor } from "../../engine/actor.ts";
import { EngineError, unlessAbsent } from "../../engine/errors.ts";
import { noFilters } from "../../engine/filters.ts";
import type { HostFacts } from "../../host/host.ts";
import type { Image } from "../../images/images.ts";
import { sharedSizes } from "../../images/shared-sizes.ts";
import { imageViewer } from "../../policy/images.ts";
import { cacheShape } from "../encode/build-shapes.ts";
import { listShape } from "../encode/container-list.ts";
import { imageUsageShape } from "../encode/image-shapes.ts";
import { infoShape, versionShape } from "../encode/info-shapes.ts";
import { volumeShape } from "../encode/volume-shapes.ts";
import type { Deps, Edge } from "../http/edge.ts";
import { fieldsAt, SINCE } from "../versions/changes.ts";
import { NEWEST_VERSION } from "../versions/version.ts";
import { readUsage } from "./usage.ts";

/** Bytes of all layers, each counted once; a layer's size is that of its entry in the image's history. */
function layersSize(images: readonly Image[]): number {
  const sizes = new Map<string, number>();
  for (const { diffIds, history } of images) {
    const lines = history.filter(({ emptyLayer }) => !emptyLayer);
    for (const [index, diffId] of diffIds.entries()) sizes.set(diffId, lines[index]?.size ?? 0);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** In a place, its size instead of the host's. */
function factsFor(facts: HostFacts, actor: Actor): HostFacts {
  const place = actor.kind === "user" ? actor.place : undefined;
  return place === undefined ? facts : { ...facts, memory: place.memory, cpus: Math.ceil(place.cpu) };
}

/** The engine itself. */
export function systemRoutes(
  app: Hono<Edge>,
  { containers, images, volumes, builds, buildKit, host, warnings }: Deps,
): void {
  // As at dockerd, of every path; without a header of CORS, so that no web page learns that it may ask.
  app.options("*", (context) => context.body(null, 200, { "Content-Length": "0" }));

  app.get("/_ping", async (context) => {
    const head = context.req.method === "HEAD";
    const headers = {
      "Cache-Control": "no-cache, no-store, must-revalidate",
      Pragma: "no-cache",
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Length": head ? "0" : "2",
      Swarm: "inactive",
      ...((await buildKit.isOffered(context.get("actor"))) && { "Builder-Version": "2" }),
    };
    return context.body(head ? "" : "OK", 200, headers);
  });

  app.get("/version", (context) => context.json(versionShape(host.facts)));

  app.get("/info", async (context) => {
    const actor = context.get("actor");
    const listed = await images.list({ all: false, filters: noFilters, viewer: imageViewer(actor) });
    const counts = { containers: containers.counts(actor), images: listed.length };
    const moment = { now: Date.now(), warnings: actor.kind === "administrator" ? warnings() : [] };
    return context.json(infoShape(factsFor(host.facts, actor), counts, moment, context.get("version")));
  });

  app.get("/system/df", async (context) => {
    const version = context.get("version");
    const types = version >= SINCE.diskUsageTypes ? objectTypes(context.req.queries("type")) : OBJECT_TYPES;
    const actor = context.get("actor");
    const all = { all: true, filters: noFilters };
    const usage = await readUsage(containers, actor);
    const imagesUsed = async () => {
      const listed = await images.list({ ...all, viewer: imageViewer(actor) });
      const sharedSize = sharedSizes(listed);
      return {
        LayersSize: layersSize(listed),
        Images: listed.map((image) =>
          imageUsageShape(image, {
            usersOf: usage.usersOf,
            sharedSize: sharedSize(image),
          }),
        ),
      };
    };
    const containersUsed = async () => {
      const views = await containers.list(actor, { ...all, limit: undefined, size: true });
      const now = Date.now();
      return views.map(({ manifest: _, ...view }) => listShape(view, now, NEWEST_VERSION));
    };
    const volumesUsed = async () => {
      const listed = volumes.list(noFilters, new Set(usage.volumeCounts.keys()), actor);
      const shown = await Promise.all(
        listed.map(async (volume) => {
          // One that was removed while it was measured is left out.
          const size = await volumes.size(volume).catch(unlessAbsent);
          const references = usage.volumeCounts.get(volume.mountpoint) ?? 0;
          return size === undefined ? undefined : volumeShape(volume, { size, references });
        }),
      );
      return shown.filter((volume) => volume !== undefined);
    };
    const [shownImages, shownContainers, shownVolumes, cache] = await Promise.all([
      types.includes("image") ? imagesUsed() : { LayersSize: 0, Images: null },
      types.includes("container") ? containersUsed() : null,
      types.includes("volume") ? volumesUsed() : null,
      types.includes("build-cache") ? builds.cache(actor) : null,
    ]);
    return context.json(
      fieldsAt(version, "diskUsage", {
        ...shownImages,
        Containers: shownContainers,
        Volumes: shownVolumes,
        BuildCache: cache?.map(cacheShape) ?? null,
        ...(cache !== null && cache.length > 0 && { BuilderSize: cache.reduce((sum, { size }) => sum + size, 0) }),
      }),
    );
  });
}

const OBJECT_TYPES: readonly string[] = ["container", "image", "volume", "build-cache"];

/** The types that `system/df` is asked for; all unless told. Throws `invalid`. */
function objectTypes(asked: readonly string[] | undefined): readonly string[] {
  const unknown = asked?.find((type) => !OBJECT_TYPES.includes(type));
  if (unknown !== undefined) throw new EngineError("invalid", `unknown object type: ${unknown}`);
  return asked ?? OBJECT_TYPES;
}
