import type { Hono } from "hono";
import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import { noFilters, parseFilters } from "../../engine/filters.ts";
import { sharedSizes } from "../../images/shared-sizes.ts";
import { imageNamer, imageViewer } from "../../policy/images.ts";
import { platformParameter, platformParameters } from "../decode/platform-parameter.ts";
import { flag, parseQuery, text } from "../decode/query.ts";
import { imageHistoryShape, imageInspectShape, imageListShape } from "../encode/image-shapes.ts";
import type { Deps, Edge } from "../http/edge.ts";
import { SINCE } from "../versions/changes.ts";
import { readUsage } from "./usage.ts";

const listQuery = z.object({
  all: flag(),
  filters: text(),
  filter: text(),
  "shared-size": flag(),
  manifests: flag(),
});
const inspectQuery = z.object({ manifests: flag(), platform: text() });
const historyQuery = z.object({ platform: text() });
const tagQuery = z.object({ repo: text(), tag: text() });
const removeQuery = z.object({ force: flag(), noprune: flag() });
const pruneQuery = z.object({ filters: text() });

/** Images by name. A name may contain slashes, so these routes come after those with fixed words. */
export function imageRoutes(app: Hono<Edge>, { images, containers }: Deps): void {
  app.get("/images/json", async (context) => {
    const { all, filters, filter, ...wanted } = parseQuery(listQuery, context.req.query());
    const version = context.get("version");
    const actor = context.get("actor");
    const legacy = filter !== "" && version < SINCE.referenceFilterOnly ? [["reference", [filter]] as const] : [];
    const viewer = imageViewer(actor);
    const [listed, usage] = await Promise.all([
      images.list({ all, filters: new Map([...legacy, ...parseFilters(filters)]), viewer }),
      readUsage(containers, actor),
    ]);
    const sharedSize =
      wanted["shared-size"] && version >= SINCE.sharedSize
        ? sharedSizes(await images.list({ all: true, filters: noFilters, viewer }))
        : () => -1;
    const manifests = wanted.manifests && version >= SINCE.manifestsInList;
    const shown = listed.map(async (image) => {
      const use = { usersOf: usage.usersOf, sharedSize: sharedSize(image) };
      return imageListShape(
        image,
        { ...use, manifests: manifests ? await images.manifests(image) : undefined },
        version,
      );
    });
    return context.json(await Promise.all(shown));
  });

  app.get("/images/search", () => {
    throw new EngineError(
      "unsupported",
      "searching a registry is not supported: the registry API that pulls use has no search",
    );
  });

  app.post("/images/prune", async (context) => {
    const filters = parseFilters(parseQuery(pruneQuery, context.req.query()).filters);
    const owner = imageNamer(context.get("actor"))?.owner;
    const usage = await readUsage(containers);
    const { deleted, spaceReclaimed } = await images.prune({ filters, inUse: new Set(usage.images.keys()), owner });
    return context.json({ ImagesDeleted: deleted.length === 0 ? null : deleted, SpaceReclaimed: spaceReclaimed });
  });

  app.get("/images/:name{.+}/json", async (context) => {
    const query = parseQuery(inspectQuery, context.req.query());
    const version = context.get("version");
    const actor = context.get("actor");
    const platform = version >= SINCE.inspectPlatform ? platformParameter(query.platform) : undefined;
    const manifests = query.manifests && version >= SINCE.manifestsInInspect;
    if (manifests && platform !== undefined) {
      throw new EngineError("invalid", "conflicting options: manifests and platform options cannot both be set");
    }
    const image = await images.get(context.req.param("name"), { viewer: imageViewer(actor), platform });
    if (!manifests) return context.json(imageInspectShape(image, version, { usersOf: () => [] }));
    const { usersOf } = await readUsage(containers, actor);
    const use = { usersOf, manifests: await images.manifests(image) };
    return context.json(imageInspectShape(image, version, use));
  });

  app.get("/images/:name{.+}/history", async (context) => {
    const query = parseQuery(historyQuery, context.req.query());
    const platform = context.get("version") >= SINCE.transferPlatform ? platformParameter(query.platform) : undefined;
    const viewer = imageViewer(context.get("actor"));
    return context.json(imageHistoryShape(await images.get(context.req.param("name"), { viewer, platform })));
  });

  app.post("/images/:name{.+}/tag", async (context) => {
    const { repo, tag } = parseQuery(tagQuery, context.req.query());
    await images.tag(context.req.param("name"), { repo, tag, viewer: imageViewer(context.get("actor")) });
    return context.body(null, 201);
  });

  app.delete("/images/:name{.+}", async (context) => {
    if (context.req.param("name").trim() === "") throw new EngineError("invalid", "image name cannot be blank");
    const { force, noprune } = parseQuery(removeQuery, context.req.query());
    const platforms =
      context.get("version") >= SINCE.removePlatforms ? platformParameters(context.req.queries("platforms")) : [];
    const actor = context.get("actor");
    const { images: inUse } = await readUsage(containers, actor);
    const options = { force, prune: !noprune, inUse, platforms, viewer: imageViewer(actor) };
    return context.json(await images.remove(context.req.param("name"), options));
  });
}
