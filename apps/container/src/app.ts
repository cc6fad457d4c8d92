import { peerCertificateOf } from "@berth/service-kit";
import { timed } from "@berth/service-kit/timed";
import { Hono } from "hono";
import type { Deps, Edge, EdgeContext, Listener } from "./api/http/edge.ts";
import { engineHeaders } from "./api/http/engine-headers.ts";
import { requireOwnHost } from "./api/http/host-check.ts";
import { OpenRequests } from "./api/http/open-requests.ts";
import { readUpgradeBody } from "./api/http/reassemble.ts";
import { noteSubject, recordCalls } from "./api/http/record-calls.ts";
import { splitRequestTarget } from "./api/http/request-path.ts";
import { archiveRoutes } from "./api/routes/archives.ts";
import { attachRoutes } from "./api/routes/attach.ts";
import { buildKitRoutes } from "./api/routes/buildkit.ts";
import { buildRoutes } from "./api/routes/builds.ts";
import { containerRoutes } from "./api/routes/containers.ts";
import { enforceRoutes } from "./api/routes/enforce.ts";
import { eventRoutes } from "./api/routes/events.ts";
import { execRoutes } from "./api/routes/execs.ts";
import { explainRoutes } from "./api/routes/explain.ts";
import { imageTransferRoutes } from "./api/routes/image-transfer.ts";
import { imageRoutes } from "./api/routes/images.ts";
import { networkRoutes } from "./api/routes/networks.ts";
import { placeRoutes } from "./api/routes/places.ts";
import { portRoutes } from "./api/routes/ports.ts";
import { streamRoutes } from "./api/routes/streams.ts";
import { systemRoutes } from "./api/routes/system.ts";
import { unsupportedRoutes } from "./api/routes/unsupported.ts";
import { volumeRoutes } from "./api/routes/volumes.ts";
import { SINCE } from "./api/versions/changes.ts";
import { NEWEST_VERSION, negotiateVersion } from "./api/versions/version.ts";
import type { Actor } from "./engine/actor.ts";
import { createTurns } from "./engine/concurrency/turns.ts";
import { EngineError, isEngineError, isOutage, STATUS_OF } from "./engine/errors.ts";
import { exhausted } from "./engine/exhausted.ts";
import { onlyPlaceOf } from "./places/only-place.ts";
import { assertCallAllowed } from "./policy/calls.ts";

/** The target as the client sent it: a Request's own URL has its `..` resolved already. */
function targetOf(request: Request, bindings: Edge["Bindings"] | undefined): string {
  return bindings?.incoming?.url ?? request.url;
}

/** What a user may ask without a place where users work in places alone: who answers there, and what places it has. */
const OF_NO_PLACE = /^\/(_ping$|version$|berth\/places(\/|$))/;

/** Whom a request is of: in the place that it names, or in the user's only one where users work in places alone. */
function inPlace(
  { places, unnamedPlace }: Pick<Deps, "places" | "unnamedPlace">,
  who: Actor,
  name: string | undefined,
  path: string,
): Actor {
  if (name !== undefined) return places.enter(who, name);
  if (unnamedPlace === "outside" || who.kind === "administrator" || OF_NO_PLACE.test(path)) return who;
  return places.enter(who, onlyPlaceOf(who, places.all()).name);
}

/** Routes that answer HEAD; everywhere else it would start a stream that nobody reads. */
const ANSWERS_HEAD = /^\/(_ping|containers\/[^/]+\/archive)$/;

/** Why nobody was identified. `sent` is the Authorization header that came, if one did. */
function unauthorized({ kind }: Listener, sent: string | undefined): string {
  if (sent !== undefined)
    return "authentication failed: the Authorization header holds no valid token of the directory; it may have expired or been revoked";
  return `authentication required: send an Authorization header with a Berth token (Docker: HttpHeaders in config.json)${
    kind === "tls" ? ", or show a client certificate that is signed by this service's CA (docker --tlsverify)" : ""
  }`;
}

const PAGE_NOT_FOUND = "page not found";

/** Docker's error body: JSON, or plain text to clients below API 1.24. */
function errorResponse(
  context: EdgeContext,
  status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 501 | 503 | 507,
  message: string,
) {
  return (context.get("version") ?? NEWEST_VERSION) < SINCE.jsonErrors
    ? context.body(`${message}\n`, status, { "Content-Type": "text/plain; charset=utf-8" })
    : context.body(`${JSON.stringify({ message })}\n`, status, { "Content-Type": "application/json" });
}

/**
 * The Docker Engine API over the use cases. No I/O of its own: `server.ts` brings connections, tests call `request`.
 * Every route answers with and without a version in its path.
 */
export function createApp(deps: Deps): Hono<Edge> {
  const app = new Hono<Edge>({
    getPath: (request, options) =>
      splitRequestTarget(targetOf(request, options?.env as Edge["Bindings"] | undefined)).path,
  });
  const headers = Object.entries(engineHeaders(deps.host.facts.berthVersion));
  const openRequests = new OpenRequests();
  const takeTurn = createTurns();

  const { answered, traced } = deps;
  if (traced !== undefined) app.use(traced);
  if (answered !== undefined) app.use(timed(answered));
  app.use(recordCalls(deps));
  app.use(async (context, next) => {
    const { version, place, path } = splitRequestTarget(targetOf(context.req.raw, context.env));
    const negotiated = negotiateVersion(version, path);
    context.set("version", negotiated.version);
    for (const [name, value] of headers) context.header(name, value);
    const listener = context.env?.listener;
    if (listener === undefined) throw new Error("a request came in by no listener");
    requireOwnHost(listener, context.req.raw.headers);
    const { incoming, outgoing } = context.env;
    const credentials = {
      listener,
      authorization: context.req.header("authorization"),
      certificate: incoming && peerCertificateOf(incoming.socket),
    };
    const sender = await deps.identify(credentials);
    // All that wait for the directory's answer go on at once when it comes.
    if (listener.kind !== "unix") await takeTurn();
    if (sender === undefined) throw new EngineError("unauthorized", unauthorized(listener, credentials.authorization));
    context.env.identified?.();
    context.set("actor", sender);
    const actor = inPlace(deps, sender, place, path);
    context.set("actor", actor);
    noteSubject(context, deps);
    if (!negotiated.ok) {
      // As at dockerd, where a later step adds it.
      context.header("Docker-Experimental", undefined);
      throw new EngineError("invalid", negotiated.message);
    }
    if (context.req.method === "HEAD" && !ANSWERS_HEAD.test(path)) return context.notFound();
    assertCallAllowed(actor, context.req.method, path);
    let allows = (_: Actor): void => undefined;
    context.set("endUnless", (asked) => {
      allows = asked;
    });
    // The administrators' socket always belongs to the same actor.
    if (listener.kind !== "unix" && incoming !== undefined && outgoing !== undefined) {
      const { socket } = incoming;
      const identify = async () => {
        const now = await deps.identify(credentials);
        // In the place that it entered, whatever others its user takes meanwhile.
        return now && inPlace(deps, now, "place" in actor ? actor.place?.name : undefined, path);
      };
      openRequests.add({ actor, identify, allows: (now) => allows(now), socket, response: outgoing });
    }
    if (incoming !== undefined) await readUpgradeBody(incoming);
    await next();
  });

  const groups = [
    systemRoutes,
    eventRoutes,
    containerRoutes,
    streamRoutes,
    attachRoutes,
    execRoutes,
    archiveRoutes,
    imageTransferRoutes,
    imageRoutes,
    buildRoutes,
    buildKitRoutes,
    networkRoutes,
    volumeRoutes,
    enforceRoutes,
    portRoutes,
    explainRoutes,
    placeRoutes,
    unsupportedRoutes,
  ];
  for (const routes of groups) routes(app, deps);

  app.notFound((context) => {
    // As at dockerd: a path that is no route is not the engine's to sign.
    for (const [name] of headers) context.header(name, undefined);
    return errorResponse(context, 404, PAGE_NOT_FOUND);
  });
  app.onError((failure, context) => {
    const thrown = isEngineError(failure) ? failure : (exhausted(failure) ?? failure);
    if (isEngineError(thrown, "unauthorized")) context.header("WWW-Authenticate", 'Bearer realm="berth"');
    // The client learns no details; the log has them for the operator.
    if (isOutage(thrown)) deps.log.warn({ err: thrown }, "unavailable");
    if (isEngineError(thrown)) return errorResponse(context, STATUS_OF[thrown.kind], thrown.message);
    deps.log.error({ err: thrown, method: context.req.method, path: context.req.path }, "request failed");
    return errorResponse(context, 500, "internal error: the service's log tells more");
  });
  return app;
}
