import type { Context } from "hono";
import { matchedRoutes } from "hono/route";

/** The pattern of a request's path, as in `/containers/:id/json`, which holds nothing that a client chose; `none` where no route matched. */
export function routeOf(context: Context): string {
  return matchedRoutes(context).findLast(({ path }) => !path.endsWith("*"))?.path ?? "none";
}
