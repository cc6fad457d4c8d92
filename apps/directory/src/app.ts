import type { Answered } from "@berth/service-kit";
import { timed } from "@berth/service-kit/timed";
import { OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { RefusalAudit } from "./accounts/refusal-audit.ts";
import { ActorCache } from "./cache/actor-cache.ts";
import { ChangeFeed } from "./cache/change-feed.ts";
import { EffectiveCache } from "./cache/effective-cache.ts";
import { DirectoryError } from "./errors/directory-error.ts";
import { readOutage } from "./errors/outage.ts";
import { problemAnswer } from "./errors/problem.ts";
import type { Fleet } from "./fleet/fleet.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { requireKnownHost } from "./http/host-check.ts";
import { type Connections, endpointsOn } from "./http/register.ts";
import { auditRoutes } from "./routes/audit.ts";
import { type ConsoleFiles, consoleRoutes } from "./routes/console.ts";
import { constraintRoutes } from "./routes/constraints.ts";
import { decisionRoutes } from "./routes/decisions.ts";
import { deviceLoginRoutes } from "./routes/device-logins.ts";
import { directoryTransferRoutes } from "./routes/directory-transfer.ts";
import { eventRoutes } from "./routes/events.ts";
import { fleetRoutes } from "./routes/fleet.ts";
import { groupRoutes } from "./routes/groups.ts";
import { hostRoutes } from "./routes/hosts.ts";
import { memberRoutes } from "./routes/members.ts";
import { type ReferenceAssets, referenceRoutes } from "./routes/reference.ts";
import { scimRoutes } from "./routes/scim.ts";
import { secondFactorRoutes } from "./routes/second-factor.ts";
import type { Services } from "./routes/services.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { type SsoDeps, ssoRoutes } from "./routes/sso.ts";
import { subgroupRoutes } from "./routes/subgroups.ts";
import { tokenRoutes } from "./routes/tokens.ts";
import { transferRoutes } from "./routes/transfer.ts";
import { userRoutes } from "./routes/users.ts";
import { scimErrorAnswer } from "./scim/error.ts";

export interface AppDeps extends Omit<Services, "effectiveOf">, Connections, SsoDeps {
  readonly reference: ReferenceAssets;
  readonly fleet: Omit<Fleet, "effectiveOf">;
  /** The web console's files; undefined if it was not built. */
  readonly console: ConsoleFiles | undefined;
  /** The origin that clients reach the directory by; each request's own where undefined. */
  readonly publicOrigin: string | undefined;
  /** Host names to answer besides addresses and `localhost`; undefined answers any, as TLS proves the name. */
  readonly hosts: ReadonlySet<string> | undefined;
  /** Whether `announcements` has received every change committed more than a second ago. */
  readonly isLive: () => boolean;
  /** Receives the cause of a 500 or of an interrupted answer, which no answer reveals. */
  readonly onFault: (fault: unknown, request: Request) => void;
  /** Told of each request with its answer. */
  readonly answered?: ((request: Answered) => void) | undefined;
  /** Makes a span of each request. */
  readonly traced?: MiddlewareHandler | undefined;
}

export interface App {
  readonly fetch: (request: Request, env?: unknown) => Response | Promise<Response>;
  /** Every endpoint, as its checks and its documentation use it. */
  readonly endpoints: readonly Endpoint[];
}

/** Builds the directory's HTTP interface over `deps`; opens no sockets or files. */
export function createApp(deps: AppDeps): App {
  const app = new OpenAPIHono();
  const endpoints: Endpoint[] = [];
  const { hosts, answered, traced } = deps;
  if (traced !== undefined) app.use(traced);
  if (answered !== undefined) app.use(timed(answered));
  if (hosts !== undefined)
    app.use(async (c, next) => {
      requireKnownHost(c.req.raw, hosts);
      await next();
    });
  const changes = new ChangeFeed(deps.records, deps.announcements, deps.isLive);
  const actors = new ActorCache(deps, changes);
  const effective = new EffectiveCache(deps, changes);
  const services = {
    ...deps,
    records: changes.records,
    effectiveOf: (userId: number) => effective.effectiveOf(userId),
  };
  const routes = endpointsOn(app, services, {
    actors,
    refusals: new RefusalAudit(deps.records),
    publicOrigin: deps.publicOrigin,
    addressOf: deps.addressOf,
    certificateOf: deps.certificateOf,
    cutOff: deps.cutOff,
    onFault: deps.onFault,
    onEndpoint: (endpoint) => endpoints.push(endpoint),
  });
  const resources = [
    userRoutes,
    groupRoutes,
    memberRoutes,
    subgroupRoutes,
    constraintRoutes,
    decisionRoutes,
    eventRoutes,
    sessionRoutes,
    secondFactorRoutes,
    deviceLoginRoutes,
    tokenRoutes,
    auditRoutes,
    hostRoutes,
    transferRoutes,
    directoryTransferRoutes,
    scimRoutes,
  ];
  for (const add of resources) add(routes, services);
  fleetRoutes(routes, { ...services, fleet: { ...deps.fleet, effectiveOf: services.effectiveOf } });
  ssoRoutes(routes, services, deps);

  app.get("/healthz", (c) => c.json({ status: "alive" }));
  app.get("/readyz", async (c) => {
    await deps.records.ping();
    return c.json({ status: "ready" });
  });
  referenceRoutes(app, deps.reference);
  consoleRoutes(app, deps.console);

  app.notFound((c) => {
    const allowed = methodsFor(endpoints, c.req.path);
    if (allowed.length === 0) return refusal(new DirectoryError("not-found", "No endpoint has this path."), c.req.path);
    const answer = refusal(
      new DirectoryError("method-not-allowed", `This path accepts ${allowed.join(", ")}.`),
      c.req.path,
    );
    answer.headers.set("allow", allowed.join(", "));
    return answer;
  });
  app.onError((fault, c) => {
    if (!(fault instanceof DirectoryError)) deps.onFault(fault, c.req.raw);
    return refusal(readOutage(fault), c.req.path);
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
