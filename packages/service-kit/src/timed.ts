import type { MiddlewareHandler } from "hono";
import type { Answered } from "./metrics.ts";
import { routeOf } from "./route-of.ts";

/** Tells of each request once its answer begins. Register it before all other handlers. */
export function timed(answered: (request: Answered) => void): MiddlewareHandler {
  return async (context, next) => {
    const begun = performance.now();
    await next();
    const seconds = (performance.now() - begun) / 1_000;
    answered({ method: context.req.method, route: routeOf(context), status: context.res.status, seconds });
  };
}
