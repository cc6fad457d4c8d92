import { randomBytes } from "node:crypto";
import type { Hono } from "hono";
import { z } from "zod";
import { parseFilters, requireKnownFilters } from "../../engine/filters.ts";
import { assertVolumeOptionsAllowed } from "../../policy/mounts.ts";
import { flag, parseQuery, text } from "../decode/query.ts";
import { volumeBody } from "../decode/volume-body.ts";
import { volumeShape } from "../encode/volume-shapes.ts";
import { readJson } from "../go-json/json-body.ts";
import type { Deps, Edge } from "../http/edge.ts";
import { SINCE } from "../versions/version.ts";
import { readUsage } from "./usage.ts";

const filtersQuery = z.object({ filters: text() });
const removeQuery = z.object({ force: flag() });

/** Volumes of the `local` driver. */
export function volumeRoutes(app: Hono<Edge>, { volumes, containers }: Deps): void {
  const inUse = async (): Promise<ReadonlySet<string>> => new Set((await readUsage(containers)).volumeCounts.keys());

  app.get("/volumes", async (context) => {
    const filters = parseFilters(parseQuery(filtersQuery, context.req.query()).filters);
    requireKnownFilters(filters, ["dangling", "driver", "label", "name"]);
    const listed = volumes.list(filters, await inUse(), context.get("actor"));
    return context.json({ Volumes: listed.map((volume) => volumeShape(volume)), Warnings: null });
  });

  app.post("/volumes/create", async (context) => {
    const { Name, Driver, DriverOpts, Labels } = await readJson(context.req.raw, volumeBody);
    const actor = context.get("actor");
    assertVolumeOptionsAllowed(actor, DriverOpts);
    const volume = await volumes.create({
      name: Name === "" ? randomBytes(32).toString("hex") : Name,
      anonymous: Name === "",
      owner: actor.id,
      driver: Driver === "" ? "local" : Driver,
      options: DriverOpts,
      labels: Labels,
    });
    return context.json(volumeShape(volume), 201);
  });

  app.post("/volumes/prune", async (context) => {
    const filters = parseFilters(parseQuery(filtersQuery, context.req.query()).filters);
    const all = filters.get("all")?.some((value) => value === "1" || value.toLowerCase() === "true") ?? false;
    const anonymousOnly = context.get("version") >= SINCE.pruneAnonymousVolumesOnly && !all;
    const { deleted, spaceReclaimed } = await volumes.prune(filters, await inUse(), {
      anonymousOnly,
      viewer: context.get("actor"),
    });
    return context.json({ VolumesDeleted: deleted, SpaceReclaimed: spaceReclaimed });
  });

  // `OWNER/NAME` has a slash.
  app.get("/volumes/:name{.+}", (context) =>
    context.json(volumeShape(volumes.get(context.req.param("name"), context.get("actor")))),
  );

  app.delete("/volumes/:name{.+}", async (context) => {
    const { force } = parseQuery(removeQuery, context.req.query());
    const [name, actor] = [context.req.param("name"), context.get("actor")];
    const volume = force ? volumes.find(name, actor) : volumes.get(name, actor);
    if (volume !== undefined) await volumes.remove(volume, { inUse: await inUse() });
    return context.body(null, 204);
  });
}
