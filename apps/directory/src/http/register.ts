import { parseId } from "@berth/directory-domain";
import type { PeerCertificate } from "@berth/service-kit";
import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { authorize, requireScope } from "../accounts/access.ts";
import type { Deps } from "../accounts/deps.ts";
import type { Actor } from "../accounts/records.ts";
import type { RefusalAudit } from "../accounts/refusal-audit.ts";
import type { ActorCache } from "../cache/actor-cache.ts";
import { DirectoryError } from "../errors/directory-error.ts";
import { authenticate } from "./authenticate.ts";
import { readJsonBody } from "./body.ts";
import { documentEndpoint } from "./document-endpoint.ts";
import { type Call, type Endpoint, type Endpoints, JSON_TYPE, scopesOf } from "./endpoint.ts";
import { parseIfMatch } from "./etag.ts";
import { parseBody, parseQuery } from "./validate.ts";

/** Facts of a request's connection, and the way to end it. */
export interface Connections {
  /** The connection's remote address. */
  readonly addressOf: (c: Context) => string;
  /** The client certificate, if the connection has one. */
  readonly certificateOf: (c: Context) => PeerCertificate | undefined;
  /** Cuts the connection in the middle of its answer. */
  readonly cutOff: (c: Context) => void;
}

interface Environment extends Connections {
  /** The origin that answers name the directory by; the request's own where undefined. */
  readonly publicOrigin: string | undefined;
  readonly actors: ActorCache;
  readonly refusals: RefusalAudit;
  readonly onFault: (fault: unknown, request: Request) => void;
  readonly onEndpoint: (endpoint: Endpoint) => void;
}

/** Mounts endpoints on `app`. Token, scope, access, query and body are checked before the handler runs. */
export function endpointsOn(app: OpenAPIHono, deps: Deps, environment: Environment): Endpoints {
  const mount = (endpoint: Endpoint, handle: (c: Context) => Promise<Response>) => {
    environment.onEndpoint(endpoint);
    app.openAPIRegistry.registerPath(documentEndpoint(endpoint));
    app.on(endpoint.method.toUpperCase(), endpoint.path.replaceAll(/\{(\w+)\}/g, ":$1"), handle);
  };
  return {
    open(endpoint, handler) {
      mount(endpoint, async (c) => handler(await readCall(c, endpoint, undefined, environment)));
    },
    add(endpoint, handler) {
      mount(endpoint, async (c) => {
        const actor = await authenticate(environment.actors, c.req.raw, environment.certificateOf(c));
        try {
          await requireAccess(c, endpoint, actor, deps);
          return await handler({ ...(await readCall(c, endpoint, actor, environment)), actor });
        } catch (fault) {
          if (fault instanceof DirectoryError && fault.kind === "forbidden")
            await environment.refusals.report(actor, {
              endpoint: `${endpoint.method.toUpperCase()} ${endpoint.path}`,
              path: sentPath(c),
              detail: fault.message,
            });
          throw fault;
        }
      });
    },
  };
}

async function requireAccess(c: Context, endpoint: Endpoint, actor: Actor, deps: Deps): Promise<void> {
  requireScope(actor, scopesOf(endpoint));
  if (endpoint.guarded && deps.requireIfMatch && c.req.header("if-match") === undefined)
    throw new DirectoryError("precondition-required", "Send the record's ETag as If-Match.");
  const ids = { id: pathId(c, "id"), userId: pathId(c, "userId") };
  await authorize(endpoint.access, actor, ids, deps.records);
}

async function readCall<Q extends z.ZodType, B extends z.ZodType>(
  c: Context,
  endpoint: Endpoint<Q, B>,
  actor: Actor | undefined,
  environment: Environment,
): Promise<Call<z.output<Q>, z.output<B>>> {
  const asked = new URL(c.req.url);
  const url = new URL(asked.pathname + asked.search, environment.publicOrigin ?? asked.origin);
  const query = parseQuery((endpoint.query ?? NO_QUERY) as Q, url.searchParams);
  const { accepts = [JSON_TYPE], maxBodyBytes } = endpoint;
  const raw = endpoint.body === undefined ? undefined : await readJsonBody(c.req.raw, accepts, maxBodyBytes);
  const body = (endpoint.body === undefined ? undefined : parseBody(endpoint.body, raw)) as z.output<B>;
  return {
    id: pathId(c, "id") ?? 0,
    userId: pathId(c, "userId") ?? 0,
    subgroupId: pathId(c, "subgroupId") ?? 0,
    name: c.req.param("name") ?? "",
    query,
    body,
    precondition: parseIfMatch(c.req.header("if-match")),
    ifNoneMatch: c.req.header("if-none-match"),
    idempotency: endpoint.repeatable && actor ? idempotencyOf(c, actor, raw) : undefined,
    address: environment.addressOf(c),
    url,
    request: c.req.raw,
    onFault: (fault) => environment.onFault(fault, c.req.raw),
    cutOff: () => environment.cutOff(c),
  };
}

const NO_QUERY = z.strictObject({});

function pathId(c: Context, name: string): number | undefined {
  const text: string | undefined = c.req.param(name);
  if (text === undefined) return undefined;
  const id = parseId(text);
  // SCIM ids are opaque texts: one of another form is unknown, not malformed.
  if (id === undefined && c.req.path.startsWith("/scim/"))
    throw new DirectoryError("not-found", `There is no resource ${text.slice(0, 100)}.`);
  if (id === undefined)
    throw new DirectoryError("malformed", `The ${name} in the path must be a whole number from 1 to 2^53-1.`, {
      errors: [{ parameter: name, detail: "must be a whole number from 1 to 2^53-1, without sign or leading zero" }],
    });
  return id;
}

function idempotencyOf(c: Context, actor: Actor, body: unknown) {
  const key = c.req.header("idempotency-key");
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw new DirectoryError("malformed", "The Idempotency-Key must be 1 to 200 visible ASCII characters.", {
      errors: [{ parameter: "Idempotency-Key", detail: "must be 1 to 200 visible ASCII characters" }],
    });
  // A fast digest of the request is stored; including the password would allow guessing it.
  const recorded = JSON.stringify(body, (name, value: unknown) => (name === "pass" ? undefined : value));
  return { actor: actor.userId, key, request: `${c.req.method} ${sentPath(c)}\n${recorded}` };
}

/** The path with its percent-encoding, which can be stored whatever it encodes. */
function sentPath(c: Context): string {
  return new URL(c.req.url).pathname;
}
