import type { Hono } from "hono";
import { z } from "zod";
import { validateRestartPolicy, validateUpdate } from "../../containers/create/rules/limits.ts";
import { createTurns, inPieces } from "../../engine/concurrency/turns.ts";
import { EngineError } from "../../engine/errors.ts";
import { parseFilters } from "../../engine/filters.ts";
import { decodeCreateBody } from "../decode/create-body.ts";
import { flag, parseQuery, text, wholeNumber } from "../decode/query.ts";
import { requirePortsAlone } from "../decode/start-body.ts";
import { updateBody } from "../decode/update-body.ts";
import { inspectShape } from "../encode/container-inspect.ts";
import { listText } from "../encode/container-list.ts";
import { parseJson, readBody, readJson, requireJson, requireJsonContentType } from "../go-json/json-body.ts";
import type { Deps, Edge, EdgeContext } from "../http/edge.ts";
import { SINCE } from "../versions/changes.ts";
import { liftCreate } from "../versions/create-lifts.ts";
import { formatVersion } from "../versions/version.ts";

/** Shared by all lists of containers. */
const takeTurn = createTurns();

const createQuery = z.object({ name: text(), platform: text() });
const listQuery = z.object({
  all: flag(),
  limit: wholeNumber(),
  size: flag(),
  filters: text(),
  since: text(),
  before: text(),
});
const inspectQuery = z.object({ size: flag() });
const stopQuery = z.object({ t: wholeNumber(), signal: text() });
const killQuery = z.object({ signal: text() });
const removeQuery = z.object({ force: flag(), v: flag(), link: flag() });
const renameQuery = z.object({ name: text() });
const topQuery = z.object({ ps_args: text() });
const pruneQuery = z.object({ filters: text() });

/** `{"a":1}`: dockerd ignores a start body of up to this many bytes. */
const EMPTY_START_BODY = 7;

/** The list query's filters, including `since` and `before` of clients before API 1.22. */
function listFilters(query: z.output<typeof listQuery>) {
  const legacy = (["since", "before"] as const)
    .filter((key) => query[key] !== "")
    .map((key) => [key, [query[key]]] as const);
  return new Map([...legacy, ...parseFilters(query.filters)]);
}

function stopOptions(context: EdgeContext) {
  const { t, signal } = parseQuery(stopQuery, context.req.query());
  return {
    ...(t !== undefined && { timeoutSeconds: t }),
    ...(signal !== "" && context.get("version") >= SINCE.stopSignal && { signal }),
  };
}

/** The raw start body; undefined if the API version has none or it is too short to matter. */
async function startBody(
  context: EdgeContext,
): Promise<{ readonly apiVersion: string; readonly body: unknown } | undefined> {
  const bytes = await readBody(context);
  if (bytes.byteLength <= EMPTY_START_BODY) return undefined;
  if (context.get("version") >= SINCE.startBodyRefused) {
    throw new EngineError(
      "invalid",
      "starting container with non-empty request body was deprecated since API v1.22 and removed in v1.24",
    );
  }
  requireJsonContentType(context.req.header("content-type"));
  const body = parseJson(bytes);
  requirePortsAlone(body);
  return { apiVersion: formatVersion(context.get("version")), body };
}

/** What starts, stops and renames a container. */
function lifecycleRoutes(app: Hono<Edge>, { containers }: Pick<Deps, "containers">): void {
  app.post("/containers/:id/start", async (context) => {
    const legacy = await startBody(context);
    const options = legacy === undefined ? {} : { legacy };
    const { changed, warnings } = await containers.start(context.get("actor"), context.req.param("id"), options);
    for (const warning of warnings) context.header("Warning", `299 - ${JSON.stringify(warning)}`, { append: true });
    return context.body(null, changed === "changed" || context.get("version") < SINCE.unchangedIs304 ? 204 : 304);
  });

  app.post("/containers/:id/stop", async (context) => {
    const changed = await containers.stop(context.get("actor"), context.req.param("id"), stopOptions(context));
    return context.body(null, changed === "changed" ? 204 : 304);
  });

  app.post("/containers/:id/restart", async (context) => {
    await containers.restart(context.get("actor"), context.req.param("id"), stopOptions(context));
    return context.body(null, 204);
  });

  app.post("/containers/:id/kill", async (context) => {
    const { signal } = parseQuery(killQuery, context.req.query());
    await containers.kill(context.get("actor"), context.req.param("id"), signal);
    return context.body(null, 204);
  });

  app.post("/containers/:id/pause", async (context) => {
    await containers.pause(context.get("actor"), context.req.param("id"));
    return context.body(null, 204);
  });

  app.post("/containers/:id/unpause", async (context) => {
    await containers.unpause(context.get("actor"), context.req.param("id"));
    return context.body(null, 204);
  });

  app.post("/containers/:id/rename", async (context) => {
    const { name } = parseQuery(renameQuery, context.req.query());
    await containers.rename(context.get("actor"), context.req.param("id"), name);
    return context.body(null, 204);
  });
}

/** Containers: creation, queries, changes and removal; then their lifecycle. */
export function containerRoutes(app: Hono<Edge>, { containers, host }: Deps): void {
  lifecycleRoutes(app, { containers });
  app.post("/containers/create", async (context) => {
    const { name, platform } = parseQuery(createQuery, context.req.query());
    const version = context.get("version");
    const body = await requireJson(context, z.unknown());
    const { request, warnings: lifted } = liftCreate(version, {
      ...decodeCreateBody(body),
      name: name === "" ? undefined : name,
      platform: platform === "" ? undefined : platform,
    });
    const about = { name: request.name, owner: context.get("actor").id, image: request.config.Image };
    context.set("actedOn", about);
    const { id, warnings } = await containers.create(context.get("actor"), request);
    context.set("actedOn", { ...about, id });
    return context.json({ Id: id, Warnings: [...warnings, ...lifted] }, 201);
  });

  app.get("/containers/json", async (context) => {
    const query = parseQuery(listQuery, context.req.query());
    const views = await containers.list(context.get("actor"), {
      all: query.all,
      limit: query.limit !== undefined && query.limit > 0 ? query.limit : undefined,
      size: query.size,
      filters: listFilters(query),
    });
    const now = Date.now();
    const entries = await inPieces(views, takeTurn, (view) => listText(view, now, context.get("version")));
    return context.body(`[${entries.join(",")}]`, 200, { "Content-Type": "application/json" });
  });

  app.post("/containers/prune", async (context) => {
    const { filters } = parseQuery(pruneQuery, context.req.query());
    const { deleted, spaceReclaimed } = await containers.prune(context.get("actor"), parseFilters(filters));
    return context.json({ ContainersDeleted: deleted.length === 0 ? null : deleted, SpaceReclaimed: spaceReclaimed });
  });

  // `container/alias` names a link.
  app.get("/containers/:id{.+}/json", async (context) => {
    const { size } = parseQuery(inspectQuery, context.req.query());
    const view = await containers.get(context.get("actor"), context.req.param("id"), { size });
    return context.json(inspectShape(view, context.get("version")));
  });

  app.post("/containers/:id/update", async (context) => {
    const body = await readJson(context, z.unknown());
    const { change, warnings: discarded } = updateBody(body, context.get("version"), host.facts.limits);
    const refusal =
      validateUpdate(change, host.facts) ?? (change.RestartPolicy && validateRestartPolicy(change.RestartPolicy));
    if (refusal !== undefined) throw new EngineError("invalid", refusal);
    const updated = await containers.update(context.get("actor"), context.req.param("id"), change);
    const warnings = [...discarded, ...updated.warnings];
    return context.json({ Warnings: warnings.length === 0 ? null : warnings });
  });

  // `container/alias` names a link.
  app.delete("/containers/:id{.+}", async (context) => {
    const { force, v, link } = parseQuery(removeQuery, context.req.query());
    const [actor, ref] = [context.get("actor"), context.req.param("id")];
    if (link) await containers.unlink(actor, ref);
    else await containers.remove(actor, ref, { force, volumes: v });
    return context.body(null, 204);
  });

  app.get("/containers/:id/top", async (context) => {
    const { ps_args } = parseQuery(topQuery, context.req.query());
    const { titles, processes } = await containers.top(context.get("actor"), context.req.param("id"), ps_args);
    return context.json({ Processes: processes, Titles: titles });
  });
}
