import { randomBytes } from "node:crypto";
import type { Hono } from "hono";
import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import { type Filters, parseFilters, requireKnownFilters } from "../../engine/filters.ts";
import { noGoBool, parseGoBool } from "../../engine/go-bool.ts";
import { assertVolumeOptionsAllowed } from "../../policy/mounts.ts";
import { NO_SWARM } from "../decode/network-body.ts";
import { flag, parseQuery, text } from "../decode/query.ts";
import { volumeBody } from "../decode/volume-body.ts";
import { volumeShape } from "../encode/volume-shapes.ts";
import { readJson } from "../go-json/json-body.ts";
import type { Deps, Edge } from "../http/edge.ts";
import { SINCE } from "../versions/changes.ts";
import { readUsage } from "./usage.ts";

const filtersQuery = z.object({ filters: text() });
const removeQuery = z.object({ force: flag() });

/** The prune filter `all`, by Go's `ParseBool`. Throws `invalid`. */
function pruneAll(filters: Filters): boolean {
  const values = filters.get("all") ?? [];
  if (values.length > 1) {
    throw new EngineError("invalid", `invalid filter 'all=[${values.join(" ")}]': only one value is expected`);
  }
  const [value = "false"] = values;
  const all = parseGoBool(value);
  if (all === undefined) throw new EngineError("invalid", `invalid filter 'all': ${noGoBool(value)}`);
  return all;
}

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
    const { Name, Driver, DriverOpts, Labels, ClusterVolumeSpec } = await readJson(context, volumeBody);
    const cluster = ClusterVolumeSpec !== undefined && ClusterVolumeSpec !== null;
    if (cluster && context.get("version") >= SINCE.clusterVolumes) throw new EngineError("no-swarm", NO_SWARM);
    const actor = context.get("actor");
    context.set("actedOn", { name: Name, owner: actor.id });
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
    const all = pruneAll(filters);
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

  app.put("/volumes/:name{.+}", () => {
    throw new EngineError("unavailable", "volume update only valid for cluster volumes, but swarm is unavailable");
  });

  app.delete("/volumes/:name{.+}", async (context) => {
    const { force } = parseQuery(removeQuery, context.req.query());
    const [name, actor] = [context.req.param("name"), context.get("actor")];
    const volume = force ? volumes.find(name, actor) : volumes.get(name, actor);
    if (volume !== undefined) await volumes.remove(volume, { inUse: await inUse() });
    return context.body(null, 204);
  });
}
