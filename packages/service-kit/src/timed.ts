import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Answered } from "./metrics.ts";

/** Tells of each request once its answer begins. Register it before all other handlers. */
export function timed(answered: (request: Answered) => void): MiddlewareHandler {
  return async (context, next) => {
    const begun = performance.now();
    await next();
    const seconds = (performance.now() - begun) / 1_000;
    const route = matchedRoutes(context).findLast(({ path }) => !path.endsWith("*"))?.path ?? "none";
    answered({ method: context.req.method, route, status: context.res.status, seconds });
  };
}
