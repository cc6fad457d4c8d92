import type { Readable } from "node:stream";
import type { Hono } from "hono";
import { z } from "zod";
import type { RouteBuild } from "../../builds/buildkit/route-request.ts";
import type { BuildRequest } from "../../builds/builds.ts";
import { EngineError } from "../../engine/errors.ts";
import { parseBuildPrune } from "../decode/build-prune.ts";
import { parseBuildQuery, parseRegistryConfig } from "../decode/build-query.ts";
import { parseQuery, text } from "../decode/query.ts";
import type { Deps, Edge } from "../http/edge.ts";
import { bodyStream } from "../http/request-body.ts";
import { jsonLines, streamBody } from "../http/streaming.ts";

const cancelQuery = z.object({ id: text() });

/** A build of the classic builder's, with the request's body or what lies elsewhere as context. */
function classicOf({ remote, ...asked }: Omit<RouteBuild, "body">, body: Readable): BuildRequest {
  return { ...asked, context: remote === "" ? { kind: "archive", archive: body } : { kind: "remote", url: remote } };
}

/** Builds of images by Docker's own route: the classic builder's, and BuildKit's where the request asks for that. */
export function buildRoutes(app: Hono<Edge>, { builds, buildKit, log }: Deps): void {
  app.post("/build", async (context) => {
    const gone = new AbortController();
    const body = bodyStream(context);
    try {
      const lists = {
        t: context.req.queries("t") ?? [],
        extrahosts: context.req.queries("extrahosts") ?? [],
        securityopt: context.req.queries("securityopt") ?? [],
      };
      const auths = parseRegistryConfig(context.req.header("x-registry-config"));
      const { builder, ...asked } = { ...parseBuildQuery(context.req.query(), lists), auths };
      const actor = context.get("actor");
      const watch = { signal: gone.signal, endUnless: context.get("endUnless") };
      const lines =
        builder === "buildkit"
          ? await buildKit.build(actor, { ...asked, body }, watch)
          : await builds.build(actor, classicOf(asked, body), watch);
      // BuildKit reads the context while it builds.
      if (builder === "classic") body.resume();
      const report = (fault: unknown): void => log.error({ err: fault, path: context.req.path }, "build failed");
      return context.body(streamBody(jsonLines(lines, report), gone), 200, { "Content-Type": "application/json" });
    } catch (thrown) {
      // The rest of a refused context: ending the connection would keep the error from the client.
      body.resume();
      throw thrown;
    }
  });

  app.post("/build/cancel", (context) => {
    const { id } = parseQuery(cancelQuery, context.req.query());
    if (id === "") throw new EngineError("invalid", "build ID not provided");
    for (const builder of [builds, buildKit]) builder.cancel(context.get("actor"), id);
    return context.body(null, 204);
  });

  app.post("/build/prune", async (context) => {
    const wish = parseBuildPrune(context.req.query(), context.get("version"), Date.now());
    const { deleted, spaceReclaimed } = await builds.prune(context.get("actor"), wish);
    return context.json({ CachesDeleted: deleted.length === 0 ? null : deleted, SpaceReclaimed: spaceReclaimed });
  });
}
