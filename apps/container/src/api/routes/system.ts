import type { Hono } from "hono";
import { noFilters } from "../../engine/filters.ts";
import type { Image } from "../../images/images.ts";
import { visibleImages } from "../../policy/images.ts";
import { cacheShape } from "../encode/build-shapes.ts";
import { listShape } from "../encode/container-list.ts";
import { imageListShape } from "../encode/image-shapes.ts";
import { infoShape, versionShape } from "../encode/info-shapes.ts";
import { volumeShape } from "../encode/volume-shapes.ts";
import type { Deps, Edge } from "../http/edge.ts";
import { SINCE } from "../versions/version.ts";
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

/** The engine itself. */
export function systemRoutes(app: Hono<Edge>, { containers, images, volumes, builds, host, warnings }: Deps): void {
  app.get("/_ping", (context) => {
    const head = context.req.method === "HEAD";
    const headers = {
      "Cache-Control": "no-cache, no-store, must-revalidate",
      Pragma: "no-cache",
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Length": head ? "0" : "2",
      ...(context.get("version") >= SINCE.swarmInPing && { Swarm: "inactive" }),
    };
    return context.body(head ? "" : "OK", 200, headers);
  });

  app.get("/version", (context) => context.json(versionShape(host.facts)));

  app.get("/info", async (context) => {
    const actor = context.get("actor");
    const listed = await images.list({ all: false, filters: noFilters, visible: visibleImages(actor) });
    const counts = { containers: containers.counts(actor), images: listed.length };
    const shown = actor.kind === "administrator" ? warnings() : [];
    const info = infoShape(host.facts, counts, { now: Date.now(), warnings: shown });
    if (context.get("version") >= SINCE.nameValueSecurityOptions) return context.json(info);
    return context.json({ ...info, ExecutionDriver: "<not supported>", SecurityOptions: ["seccomp"] });
  });

  app.get("/system/df", async (context) => {
    const actor = context.get("actor");
    const all = { all: true, filters: noFilters };
    const [listed, views, usage, cache] = await Promise.all([
      images.list({ ...all, visible: visibleImages(actor) }),
      containers.list(actor, { ...all, limit: undefined, size: true }),
      readUsage(containers, actor),
      builds.cache(actor),
    ]);
    const own = volumes.list(noFilters, new Set(usage.volumeCounts.keys()), actor);
    const sized = await Promise.all(
      own.map(async (volume) => {
        const size = await volumes.size(volume);
        return volumeShape(volume, { size, references: usage.volumeCounts.get(volume.mountpoint) ?? 0 });
      }),
    );
    const now = Date.now();
    return context.json({
      LayersSize: layersSize(listed),
      Images: listed.map((image) => imageListShape(image, { containers: usage.imageCounts.get(image.id) ?? 0 })),
      Containers: views.map((view) => listShape(view, now)),
      Volumes: sized,
      BuildCache: cache.length === 0 ? null : cache.map(cacheShape),
      BuilderSize: cache.reduce((sum, { size }) => sum + size, 0),
    });
  });
}
