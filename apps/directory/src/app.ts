import { OpenAPIHono } from "@hono/zod-openapi";
import { createActorCache } from "./accounts/actor-cache.ts";
import { createChangeFeed } from "./accounts/change-feed.ts";
import { createEffectiveCache } from "./accounts/effective-cache.ts";
import { DirectoryError } from "./errors/directory-error.ts";
import { problemAnswer } from "./errors/problem.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { type Connections, endpointsOn } from "./http/register.ts";
import { auditRoutes } from "./routes/audit.ts";
import { constraintRoutes } from "./routes/constraints.ts";
import { decisionRoutes } from "./routes/decisions.ts";
import { eventRoutes } from "./routes/events.ts";
import { groupRoutes } from "./routes/groups.ts";
import { type ReferenceAssets, referenceRoutes } from "./routes/reference.ts";
import { scimRoutes } from "./routes/scim.ts";
import type { Services } from "./routes/services.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { tokenRoutes } from "./routes/tokens.ts";
import { transferRoutes } from "./routes/transfer.ts";
import { userRoutes } from "./routes/users.ts";
import { scimErrorAnswer } from "./scim/error.ts";

export interface AppDeps extends Omit<Services, "effectiveOf">, Connections {
  readonly reference: ReferenceAssets;
  /** Whether `announcements` has every change that was committed more than a second ago. */
  readonly isHearing: () => boolean;
  /** Told of what is answered with 500, or breaks an answer off: its cause is shown to nobody else. */
  readonly onFault: (fault: unknown, request: Request) => void;
}

export interface App {
  readonly fetch: (request: Request, env?: unknown) => Response | Promise<Response>;
  /** Every endpoint, as its checks and its documentation see it. */
  readonly endpoints: readonly Endpoint[];
}

/** The directory's HTTP interface over `deps`; opens nothing itself. */
export function createApp(deps: AppDeps): App {
  const app = new OpenAPIHono();
  const endpoints: Endpoint[] = [];
  const changes = createChangeFeed(deps.records, deps.announcements, deps.isHearing);
  const actors = createActorCache(deps, changes);
  const services = { ...deps, records: changes.records, effectiveOf: createEffectiveCache(deps, changes) };
  const routes = endpointsOn(app, services, {
    actors,
    addressOf: deps.addressOf,
    certificateOf: deps.certificateOf,
    cutOff: deps.cutOff,
    onFault: deps.onFault,
    onEndpoint: (endpoint) => endpoints.push(endpoint),
  });
  const resources = [
    userRoutes,
    groupRoutes,
    constraintRoutes,
    decisionRoutes,
    eventRoutes,
    sessionRoutes,
    tokenRoutes,
    auditRoutes,
    transferRoutes,
    scimRoutes,
  ];
  for (const add of resources) add(routes, services);

  app.get("/healthz", (c) => c.json({ status: "alive" }));
  app.get("/readyz", async (c) => {
    await deps.records.ping();
    return c.json({ status: "ready" });
  });
  referenceRoutes(app, deps.reference);

  app.notFound((c) => {
    const allowed = methodsFor(endpoints, c.req.path);
    if (allowed.length === 0)
      return refusal(new DirectoryError("not-found", "There is nothing at this path."), c.req.path);
    const answer = refusal(
      new DirectoryError("method-not-allowed", `This path takes ${allowed.join(", ")}.`),
      c.req.path,
    );
    answer.headers.set("allow", allowed.join(", "));
    return answer;
  });
  app.onError((fault, c) => {
    if (!(fault instanceof DirectoryError)) deps.onFault(fault, c.req.raw);
    return refusal(fault, c.req.path);
  });
  return { fetch: (request, env) => app.fetch(request, env as object), endpoints };
}

function refusal(fault: unknown, path: string): Response {
  return path.startsWith("/scim/") ? scimErrorAnswer(fault) : problemAnswer(fault, path);
}

function methodsFor(endpoints: readonly Endpoint[], path: string): readonly string[] {
  const here = endpoints.filter((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path));
  const methods = here.map((one) => one.method.toUpperCase());
  return methods.includes("GET") ? [...methods, "HEAD"] : methods;
}
