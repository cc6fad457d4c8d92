import type { Hono } from "hono";
import { z } from "zod";
import { EngineError } from "../../engine/errors.ts";
import { flag, parseQuery, text } from "../decode/query.ts";
import type { Deps, Edge } from "../http/edge.ts";

const enforceQuery = z.object({ owner: text(), dryRun: flag() });

/**
 * `POST /berth/enforce`, for administrators: stops running containers that their owners may no longer run. `owner` is the id of one user
 * in the directory; `dryRun` stops none. Answers with what was found, a list of `Violation`.
 */
export function enforceRoutes(app: Hono<Edge>, { containers }: Deps): void {
  app.post("/berth/enforce", async (context) => {
    const { owner, dryRun } = parseQuery(enforceQuery, context.req.query());
    if (!/^\d{0,15}$/.test(owner)) throw new EngineError("invalid", `owner ${owner} is no id of a user: want digits`);
    const apply = dryRun ? "dry-run" : "stop";
    return context.json(await containers.enforce({ owner: owner === "" ? undefined : owner, apply }));
  });
}
