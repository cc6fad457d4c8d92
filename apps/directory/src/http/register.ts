import { parseId } from "@berth/directory-domain";
import type { PeerCertificate } from "@berth/service-kit";
import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { authorize, requireScope } from "../accounts/access.ts";
import type { ActorCache } from "../accounts/actor-cache.ts";
import type { Deps } from "../accounts/deps.ts";
import type { Actor } from "../accounts/records.ts";
import type { RefusalAudit } from "../accounts/refusal-audit.ts";
import { DirectoryError, type ErrorKind } from "../errors/directory-error.ts";
import { STATUS_OF } from "../errors/problem.ts";
import { authenticate } from "./authenticate.ts";
import { readJsonBody } from "./body.ts";
import {
  type Call,
  type Endpoint,
  type Endpoints,
  JSON_TYPE,
  pathParameters,
  type Refusals,
  scopesOf,
} from "./endpoint.ts";
import { parseIfMatch } from "./etag.ts";
import { problemSchema } from "./problem-schema.ts";
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
  readonly actors: ActorCache;
  readonly refusals: RefusalAudit;
  readonly onFault: (fault: unknown, request: Request) => void;
  readonly onEndpoint: (endpoint: Endpoint) => void;
}

/** Mounts endpoints on `app`. Token, scope, access, query and body are checked before the handler runs. */
export function endpointsOn(app: OpenAPIHono, deps: Deps, environment: Environment): Endpoints {
  const mount = (endpoint: Endpoint, handle: (c: Context) => Promise<Response>) => {
    environment.onEndpoint(endpoint);
    app.openAPIRegistry.registerPath(documented(endpoint));
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
              path: c.req.path,
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
  await authorize(endpoint.access, actor, ids, deps.records.memberships);
}

async function readCall<Q extends z.ZodType, B extends z.ZodType>(
  c: Context,
  endpoint: Endpoint<Q, B>,
  actor: Actor | undefined,
  environment: Environment,
): Promise<Call<z.output<Q>, z.output<B>>> {
  const url = new URL(c.req.url);
  const query = parseQuery((endpoint.query ?? NO_QUERY) as Q, url.searchParams);
  const { accepts = [JSON_TYPE], maxBodyBytes } = endpoint;
  const raw = endpoint.body === undefined ? undefined : await readJsonBody(c.req.raw, accepts, maxBodyBytes);
  const body = (endpoint.body === undefined ? undefined : parseBody(endpoint.body, raw)) as z.output<B>;
  return {
    id: pathId(c, "id") ?? 0,
    userId: pathId(c, "userId") ?? 0,
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
  const told = JSON.stringify(body, (name, value: unknown) => (name === "pass" ? undefined : value));
  return { actor: actor.userId, key, request: `${c.req.method} ${c.req.path}\n${told}` };
}

function documented(endpoint: Endpoint): Parameters<OpenAPIHono["openAPIRegistry"]["registerPath"]>[0] {
  const params = pathParameters(endpoint.path);
  const bodyTypes = endpoint.accepts ?? [JSON_TYPE];
  const headers = headersOf(endpoint);
  return {
    method: endpoint.method,
    path: endpoint.path,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: `Access: ${endpoint.access}.`,
    security:
      endpoint.access === "anyone" ? [] : [{ token: [...scopesOf(endpoint)] }, { session: [...scopesOf(endpoint)] }],
    request: {
      ...(params === undefined ? {} : { params }),
      ...(endpoint.query === undefined ? {} : { query: endpoint.query as z.ZodObject }),
      ...(headers === undefined ? {} : { headers }),
      ...(endpoint.uploads === undefined
        ? {}
        : { body: { required: true, content: mediaTypes(endpoint.uploads, z.string()) } }),
      ...(endpoint.body === undefined
        ? {}
        : {
            body: {
              required: true,
              content: mediaTypes(bodyTypes, endpoint.body),
            },
          }),
    },
    responses: {
      ...Object.fromEntries(
        Object.entries(endpoint.answers).map(([status, answer]) => [
          status,
          {
            description: answer.description,
            ...(answer.schema === undefined
              ? {}
              : { content: { [answer.mediaType ?? JSON_TYPE]: { schema: answer.schema } } }),
          },
        ]),
      ),
      ...Object.fromEntries(refusalsOf(endpoint).map((kind) => refusal(kind, endpoint.refusals ?? PROBLEMS))),
    },
  };
}

const mediaTypes = (types: readonly string[], schema: z.ZodType) =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

function headersOf(endpoint: Endpoint): z.ZodObject | undefined {
  const headers = {
    ...(endpoint.guarded ? { "If-Match": z.string().optional() } : {}),
    ...(endpoint.repeatable ? { "Idempotency-Key": z.string().optional() } : {}),
  };
  return Object.keys(headers).length === 0 ? undefined : z.object(headers);
}

/** The failures that follow from an endpoint's description, and those it adds. */
function refusalsOf(endpoint: Endpoint): readonly ErrorKind[] {
  return [
    "malformed",
    "unavailable",
    ...(endpoint.access === "anyone" ? [] : (["unauthenticated", "forbidden"] as const)),
    ...(endpoint.path.includes("{") ? (["not-found"] as const) : []),
    ...(endpoint.uploads === undefined ? [] : (["unsupported-media-type", "invalid"] as const)),
    ...(endpoint.body === undefined ? [] : (["too-large", "unsupported-media-type", "invalid"] as const)),
    ...(endpoint.guarded ? (["stale", "precondition-required"] as const) : []),
    ...(endpoint.method === "get" ? [] : (["busy", "full"] as const)),
    ...(endpoint.refuses ?? []),
  ];
}

const PROBLEMS: Refusals = {
  mediaType: "application/problem+json",
  schema: problemSchema,
  statusOf: (kind) => STATUS_OF[kind].status,
};

const refusal = (kind: ErrorKind, { mediaType, schema, statusOf }: Refusals) =>
  [statusOf(kind), { description: STATUS_OF[kind].title, content: { [mediaType]: { schema } } }] as const;
