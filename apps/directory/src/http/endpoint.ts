import { z } from "@hono/zod-openapi";
import type { Access } from "../accounts/access.ts";
import type { Idempotency } from "../accounts/idempotency.ts";
import type { Precondition } from "../accounts/precondition.ts";
import type { Actor, Scope } from "../accounts/records.ts";
import type { ErrorKind } from "../errors/directory-error.ts";

export interface Answer {
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly mediaType?: string;
}

/** What an endpoint takes, who may use it and what it answers: checks, documents and tests are all made from this. */
export interface Endpoint<Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType> {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** Ids stand in it as `{id}` and `{userId}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  /** Scopes of which the token needs one; `read` for GET and `write` for the rest when left out. */
  readonly scopes?: readonly Scope[];
  readonly query?: Query;
  readonly body?: Body;
  readonly accepts?: readonly string[];
  /** Media types of a body that the handler reads itself, of any length. */
  readonly uploads?: readonly string[];
  /** Whether an `Idempotency-Key` is honoured. */
  readonly repeatable?: true;
  /** Whether `If-Match` is honoured. */
  readonly guarded?: true;
  readonly answers: Readonly<Record<number, Answer>>;
  /** What it may refuse with beyond what every endpoint may. */
  readonly refuses?: readonly ErrorKind[];
}

/** A request that passed all checks of its endpoint. */
export interface Call<Query, Body> {
  /** The id in the path: of the user, group, constraint or token that it names. */
  readonly id: number;
  /** The second id of a path that has two. */
  readonly userId: number;
  readonly query: Query;
  readonly body: Body;
  readonly precondition: Precondition;
  readonly ifNoneMatch: string | undefined;
  readonly idempotency: Idempotency | undefined;
  /** Where the request came from, as far as the service trusts it. */
  readonly address: string;
  readonly url: URL;
  readonly request: Request;
  /** Takes a fault that no status tells of any more. */
  readonly onFault: (fault: unknown) => void;
  /** Ends the connection of an answer that can't be finished. */
  readonly cutOff: () => void;
}

export type OpenHandler<Q, B> = (call: Call<Q, B>) => Promise<Response>;
export type Handler<Q, B> = (call: Call<Q, B> & { readonly actor: Actor }) => Promise<Response>;

/** Where routes put their endpoints. */
export interface Endpoints {
  /** An endpoint that needs no token. */
  open<Q extends z.ZodType, B extends z.ZodType>(
    endpoint: Endpoint<Q, B> & { readonly access: "anyone" },
    handler: OpenHandler<z.output<Q>, z.output<B>>,
  ): void;
  add<Q extends z.ZodType, B extends z.ZodType>(
    endpoint: Endpoint<Q, B> & { readonly access: Exclude<Access, "anyone"> },
    handler: Handler<z.output<Q>, z.output<B>>,
  ): void;
}

export const JSON_TYPE = "application/json";
/** RFC 7396; plain JSON is taken for it, since that is what most clients send. */
export const PATCH_TYPES = ["application/merge-patch+json", JSON_TYPE];

export function scopesOf(endpoint: Pick<Endpoint, "method" | "scopes">): readonly Scope[] {
  return endpoint.scopes ?? (endpoint.method === "get" ? ["read"] : ["write"]);
}

const PARAMETER_ID = z
  .string()
  .openapi({ type: "integer", format: "int64", minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as object);

/** The endpoint's path parameters for the document. */
export function pathParameters(path: string): z.ZodObject | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return names.length === 0 ? undefined : z.object(Object.fromEntries(names.map((name) => [name, PARAMETER_ID])));
}
