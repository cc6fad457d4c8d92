import type { Hono } from "hono";
import { z } from "zod";
import type { ContextSource } from "../../builds/builds.ts";
import { EngineError } from "../../engine/errors.ts";
import { parseBuildPrune } from "../decode/build-prune.ts";
import { parseBuildQuery, parseRegistryConfig } from "../decode/build-query.ts";
import { parseQuery, text } from "../decode/query.ts";
import type { Deps, Edge } from "../http/edge.ts";
import { bodyStream } from "../http/request-body.ts";
import { jsonLines, streamBody } from "../http/streaming.ts";

const cancelQuery = z.object({ id: text() });

/** Builds of images by the classic API. */
export function buildRoutes(app: Hono<Edge>, { builds, log }: Deps): void {
  app.post("/build", async (context) => {
    const gone = new AbortController();
    const body = bodyStream(context);
    try {
      const lists = {
        t: context.req.queries("t") ?? [],
        extrahosts: context.req.queries("extrahosts") ?? [],
        securityopt: context.req.queries("securityopt") ?? [],
      };
      const { remote, ...asked } = parseBuildQuery(context.req.query(), lists);
      const source: ContextSource =
        remote === "" ? { kind: "archive", archive: body } : { kind: "remote", url: remote };
      const auths = parseRegistryConfig(context.req.header("x-registry-config"));
      const lines = await builds.build(context.get("actor"), { ...asked, auths, context: source }, gone.signal);
      const report = (fault: unknown): void => log.error({ err: fault, path: context.req.path }, "build failed");
      return context.body(streamBody(jsonLines(lines, report), gone), 200, { "Content-Type": "application/json" });
    } finally {
      // The rest of a refused context: ending the connection would keep the error from the client.
      body.resume();
    }
  });

  app.post("/build/cancel", (context) => {
    const { id } = parseQuery(cancelQuery, context.req.query());
    if (id === "") throw new EngineError("invalid", "build ID not provided");
    builds.cancel(context.get("actor"), id);
    return context.body(null, 204);
  });

  app.post("/build/prune", async (context) => {
    const wish = parseBuildPrune(context.req.query(), context.get("version"), Date.now());
    const { deleted, spaceReclaimed } = await builds.prune(context.get("actor"), wish);
    return context.json({ CachesDeleted: deleted.length === 0 ? null : deleted, SpaceReclaimed: spaceReclaimed });
  });
}
