import type { z } from "@hono/zod-openapi";
import type { Access } from "../accounts/access.ts";
import type { Idempotency } from "../accounts/idempotency.ts";
import type { Precondition } from "../accounts/precondition.ts";
import type { Actor, Scope } from "../accounts/records.ts";
import type { ErrorKind } from "../errors/directory-error.ts";

export interface Answer {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** One or more; JSON by default. */
  readonly mediaType?: string | readonly string[];
  /** Further media types whose bodies are texts. */
  readonly alsoAs?: readonly string[];
}

/** How a protocol of its own answers with errors. */
export interface Refusals {
  readonly mediaType: string;
  readonly schema: z.ZodType;
  readonly statusOf: (kind: ErrorKind) => number;
}

/** An endpoint's input, access and answers, as data from which checks, documentation and tests are derived. */
export interface Endpoint<Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType> {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** With ids as `{id}`, `{userId}` and `{subgroupId}`, and a name as `{name}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** The operation's name in generated clients; by default derived from method and path. */
  readonly operationId?: string;
  readonly access: Access;
  /** The token needs one of these; by default `read` for GET and `write` for other methods. */
  readonly scopes?: readonly Scope[];
  readonly query?: Query;
  readonly body?: Body;
  readonly accepts?: readonly string[];
  /** The longest body in bytes; 64 KiB when omitted. */
  readonly maxBodyBytes?: number;
  /** Media types of a body of any length, which the handler reads. */
  readonly uploads?: readonly string[];
  /** Whether an `Idempotency-Key` is honoured. */
  readonly repeatable?: true;
  /** Whether `If-Match` is honoured. */
  readonly guarded?: true;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Failures beyond those that follow from the other fields. */
  readonly refuses?: readonly ErrorKind[];
  /** The form of its refusals; problem details when left out. */
  readonly refusals?: Refusals;
}

/** A request that passed its endpoint's checks. */
export interface Call<Query, Body> {
  /** The id in the path: of the user, group, constraint or token that it names. */
  readonly id: number;
  /** The second id of a path with two. */
  readonly userId: number;
  readonly subgroupId: number;
  /** The name in a path that has one. */
  readonly name: string;
  readonly query: Query;
  readonly body: Body;
  readonly precondition: Precondition;
  readonly ifNoneMatch: string | undefined;
  readonly idempotency: Idempotency | undefined;
  /** The connection's remote address. */
  readonly address: string;
  readonly url: URL;
  readonly request: Request;
  /** Reports an error raised after the status was sent. */
  readonly onFault: (fault: unknown) => void;
  /** Cuts the connection of an answer that cannot be finished. */
  readonly cutOff: () => void;
}

export type OpenHandler<Q, B> = (call: Call<Q, B>) => Promise<Response>;
export type Handler<Q, B> = (call: Call<Q, B> & { readonly actor: Actor }) => Promise<Response>;

/** Registers endpoints with their handlers. */
export interface Endpoints {
  /** Registers an endpoint that needs no authentication. */
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
/** RFC 7396; plain JSON is accepted as well, since most clients send that. */
export const PATCH_TYPES = ["application/merge-patch+json", JSON_TYPE];

export function scopesOf(endpoint: Pick<Endpoint, "method" | "scopes">): readonly Scope[] {
  return endpoint.scopes ?? (endpoint.method === "get" ? ["read"] : ["write"]);
}
