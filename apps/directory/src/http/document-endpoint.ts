import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Access } from "../accounts/access.ts";
import type { ErrorKind } from "../errors/directory-error.ts";
import { STATUS_OF } from "../errors/problem.ts";
import { type Answer, type Endpoint, JSON_TYPE, type Refusals, scopesOf } from "./endpoint.ts";
import { problemSchema } from "./problem-schema.ts";

type PathItem = Parameters<OpenAPIHono["openAPIRegistry"]["registerPath"]>[0];

const WHO: Readonly<Record<Access, string>> = {
  anyone: "Needs no authentication",
  "signed-in": "Every user",
  reader: "Operators and administrators",
  admin: "Administrators",
  "self-or-reader": "The user itself, operators and administrators",
  "self-or-admin": "The user itself and administrators",
  "member-or-reader": "Members of the group, operators and administrators",
  "manager-or-reader": "Managers of the group, operators and administrators",
  "manager-or-admin": "Managers of the group and administrators",
  "invitee-or-manager-or-admin": "The invited user, managers of the group and administrators",
};

/** Describes an endpoint for the OpenAPI document. */
export function documentEndpoint(endpoint: Endpoint): PathItem {
  const params = pathParameters(endpoint.path);
  const headers = headersOf(endpoint);
  const scopes = scopesOf(endpoint);
  const isOpen = endpoint.access === "anyone";
  const content = contentOf(endpoint);
  return {
    method: endpoint.method,
    path: endpoint.path,
    operationId: endpoint.operationId ?? operationIdOf(endpoint),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: `${WHO[endpoint.access]}${isOpen ? "" : `, with the scope ${scopes.join(" or ")}`}.`,
    security: isOpen ? [] : [{ token: [...scopes] }, { session: [...scopes] }],
    request: {
      ...(params === undefined ? {} : { params }),
      ...(endpoint.query === undefined ? {} : { query: endpoint.query as z.ZodObject }),
      ...(headers === undefined ? {} : { headers }),
      ...(content === undefined ? {} : { body: { required: true, content } }),
    },
    responses: {
      ...(isRecord(endpoint) ? { 304: { description: "Not modified" } } : {}),
      ...Object.fromEntries(Object.entries(endpoint.answers).map(([status, answer]) => [status, responseOf(answer)])),
      ...Object.fromEntries(refusalsOf(endpoint).map((kind) => refusalOf(kind, endpoint.refusals ?? PROBLEMS))),
    },
  };
}

/** Whether it reads one record, which honours `If-None-Match`. */
function isRecord({ method, path }: Endpoint): boolean {
  return method === "get" && path.endsWith("}");
}

const VERBS = { get: "get", post: "create", put: "replace", patch: "update", delete: "delete" } as const;

/** `GET /api/users` is `listUsers`, `PUT /api/users/{id}` is `replaceUser`, `POST /scim/v2/Users/.search` is `scimSearchUsers`. */
function operationIdOf({ method, path, answers }: Endpoint): string {
  const isSearch = path.endsWith("/.search");
  const segments = path
    .replace(/^\/(?:api|scim\/v2)\/?/, "")
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".search");
  const isList = method === "get" && answers[200]?.schema instanceof z.ZodArray;
  const verb = isSearch ? "search" : isList ? "list" : VERBS[method];
  const isPlural = isSearch || (method === "get" && !segments.at(-1)?.startsWith("{"));
  const nouns = segments.filter((segment) => !segment.startsWith("{"));
  const words = nouns.map((noun, at) => (isPlural && at === nouns.length - 1 ? noun : noun.replace(/s$/, "")));
  const name = words
    .map((word) => word.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .join("");
  return path.startsWith("/scim/")
    ? `scim${verb[0]?.toUpperCase()}${verb.slice(1)}${name || "Resources"}`
    : `${verb}${name}`;
}

const OWNERS: Readonly<Record<string, string>> = {
  users: "user",
  groups: "group",
  hosts: "host",
  constraints: "constraint",
  tokens: "token",
  Users: "user",
  Groups: "group",
};

function pathParameters(path: string): z.ZodObject | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  if (names.length === 0) return undefined;
  const owner = OWNERS[/^\/(?:api|scim\/v2)\/(\w+)/.exec(path)?.[1] ?? ""] ?? "resource";
  const isScim = path.startsWith("/scim/");
  const ownerOf = (name: string) => (name === "id" ? owner : name.replace(/Id$/, ""));
  const fields = names.map((name) => {
    const isName = name === "name" && !isScim;
    return [name, isName ? nameParameter(owner) : idParameter(`Id of the ${ownerOf(name)}.`, isScim)];
  });
  return z.object(Object.fromEntries(fields));
}

function nameParameter(owner: string): z.ZodType {
  return z.string().openapi({ description: `Name of the ${owner}.`, example: "build1" });
}

function idParameter(description: string, isScim: boolean): z.ZodType {
  // Ids of SCIM are texts.
  if (isScim) return z.string().openapi({ description, example: "7" });
  return z.string().openapi({
    type: "integer",
    format: "int64",
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description,
    example: 7,
  } as object);
}

function headersOf(endpoint: Endpoint): z.ZodObject | undefined {
  const headers = {
    ...(endpoint.guarded
      ? {
          "If-Match": z
            .string()
            .optional()
            .openapi({ description: "Entity tags of the versions that may be changed.", example: '"3"' }),
        }
      : {}),
    ...(endpoint.repeatable
      ? {
          "Idempotency-Key": z.string().optional().openapi({
            description: "Makes repeats of the request one create, for 24 hours.",
            example: "create-ann-1",
          }),
        }
      : {}),
  };
  return Object.keys(headers).length === 0 ? undefined : z.object(headers);
}

function contentOf({ uploads, body, accepts = [JSON_TYPE] }: Endpoint) {
  if (uploads !== undefined) return mediaTypes(uploads, z.string());
  return body === undefined ? undefined : mediaTypes(accepts, body);
}

function responseOf({ description, schema, mediaType = JSON_TYPE, alsoAs = [] }: Answer) {
  if (schema === undefined) return { description };
  const types = typeof mediaType === "string" ? [mediaType] : mediaType;
  return { description, content: { ...mediaTypes(types, schema), ...mediaTypes(alsoAs, z.string()) } };
}

function mediaTypes(types: readonly string[], schema: z.ZodType) {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

const PROBLEMS: Refusals = {
  mediaType: "application/problem+json",
  schema: problemSchema,
  statusOf: (kind) => STATUS_OF[kind].status,
};

function refusalOf(kind: ErrorKind, { mediaType, schema, statusOf }: Refusals) {
  return [statusOf(kind), { description: STATUS_OF[kind].title, content: mediaTypes([mediaType], schema) }] as const;
}

/** The failures that follow from an endpoint's description, and those it adds. */
function refusalsOf(endpoint: Endpoint): readonly ErrorKind[] {
  return [
    "malformed",
    "unavailable",
    // The host name, also where everyone may call.
    "forbidden",
    ...(endpoint.access === "anyone" ? [] : (["unauthenticated"] as const)),
    ...(endpoint.path.includes("{") ? (["not-found"] as const) : []),
    ...(endpoint.uploads === undefined ? [] : (["unsupported-media-type", "invalid"] as const)),
    ...(endpoint.body === undefined ? [] : (["too-large", "unsupported-media-type", "invalid"] as const)),
    ...(endpoint.guarded ? (["stale", "precondition-required"] as const) : []),
    ...(endpoint.method === "get" ? [] : (["busy", "full"] as const)),
    ...(endpoint.refuses ?? []),
  ];
}
