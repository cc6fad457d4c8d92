import type { Hono } from "hono";
import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import { parseFilters } from "../../engine/filters.ts";
import { visibleImages } from "../../policy/images.ts";
import { flag, parseQuery, text } from "../decode/query.ts";
import { imageHistoryShape, imageInspectShape, imageListShape } from "../encode/image-shapes.ts";
import type { Deps, Edge } from "../http/edge.ts";
import { SINCE } from "../versions/version.ts";
import { readUsage } from "./usage.ts";

const listQuery = z.object({ all: flag(), filters: text(), filter: text() });
const tagQuery = z.object({ repo: text(), tag: text() });
const removeQuery = z.object({ force: flag(), noprune: flag() });
const pruneQuery = z.object({ filters: text() });

/** Images by name. A name may contain slashes, so these routes come after those with fixed words. */
export function imageRoutes(app: Hono<Edge>, { images, containers }: Deps): void {
  app.get("/images/json", async (context) => {
    const { all, filters, filter } = parseQuery(listQuery, context.req.query());
    const legacy =
      filter !== "" && context.get("version") < SINCE.referenceFilterOnly ? [["reference", [filter]] as const] : [];
    const listed = await images.list({
      all,
      filters: new Map([...legacy, ...parseFilters(filters)]),
      visible: visibleImages(context.get("actor")),
    });
    return context.json(listed.map((image) => imageListShape(image, { containers: -1 })));
  });

  app.get("/images/search", () => {
    throw new EngineError(
      "unsupported",
      "searching a registry is not supported: the registry API that pulls use has no search",
    );
  });

  app.post("/images/prune", async (context) => {
    const filters = parseFilters(parseQuery(pruneQuery, context.req.query()).filters);
    // Images belong to everyone, so a user's `docker system prune` has none to remove.
    if (context.get("actor").kind === "user") return context.json({ ImagesDeleted: null, SpaceReclaimed: 0 });
    const usage = await readUsage(containers);
    const { deleted, spaceReclaimed } = await images.prune({ filters, inUse: new Set(usage.images.keys()) });
    return context.json({ ImagesDeleted: deleted.length === 0 ? null : deleted, SpaceReclaimed: spaceReclaimed });
  });

  app.get("/images/:name{.+}/json", async (context) => {
    const visible = visibleImages(context.get("actor"));
    return context.json(imageInspectShape(await images.get(context.req.param("name"), { visible })));
  });

  app.get("/images/:name{.+}/history", async (context) => {
    const visible = visibleImages(context.get("actor"));
    return context.json(imageHistoryShape(await images.get(context.req.param("name"), { visible })));
  });

  app.post("/images/:name{.+}/tag", async (context) => {
    const { repo, tag } = parseQuery(tagQuery, context.req.query());
    await images.tag(context.req.param("name"), { repo, tag });
    return context.body(null, 201);
  });

  app.delete("/images/:name{.+}", async (context) => {
    const { force, noprune } = parseQuery(removeQuery, context.req.query());
    const { images: inUse } = await readUsage(containers);
    return context.json(await images.remove(context.req.param("name"), { force, prune: !noprune, inUse }));
  });
}
