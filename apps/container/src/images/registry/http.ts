import { Agent, type buildConnector, type Dispatcher, EnvHttpProxyAgent, request } from "undici";
import { isHostOnly } from "../../engine/host-addresses.ts";
import { hostOnlyRegistry } from "../../policy/images.ts";
import type { RegistryConfig } from "./endpoints.ts";
import { lookUpBeyondHost, type NetworkScope, OUT_OF_REACH } from "./network-scope.ts";
import { errorOfResponse, RegistryError } from "./registry-error.ts";

export type Response = Dispatcher.ResponseData;

export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PATCH" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | AsyncIterable<Uint8Array> | undefined;
  readonly insecure: boolean;
  readonly networkScope: NetworkScope;
  readonly signal?: AbortSignal | undefined;
}

/** Plain HTTP requests without authentication and redirects. */
export interface Http {
  /** Throws a RegistryError without a status if there is no response. */
  send(url: string, request: HttpRequest): Promise<Response>;
  close(): Promise<void>;
}

/** A connection counts as broken after this long without data. */
const SILENCE_MS = 60_000;
const CONNECT_MS = 15_000;

export function openHttp({ proxy }: Pick<RegistryConfig, "proxy">): Http {
  const agents = (connect: buildConnector.BuildOptions) => {
    const options = {
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
      connect: { ...connect, timeout: CONNECT_MS },
    };
    const lax = { ...options, connect: { ...options.connect, rejectUnauthorized: false } };
    const { http = "", https = "", no = "" } = proxy ?? {};
    const secure =
      proxy === undefined
        ? new Agent(options)
        : new EnvHttpProxyAgent({ ...options, httpProxy: http, httpsProxy: https, noProxy: no });
    return { secure, lax: new Agent(lax) };
  };
  const byScope = { everywhere: agents({}), "beyond-host": agents({ lookup: lookUpBeyondHost }) } as const;

  return {
    send: async (url, { method, headers = {}, body, insecure, networkScope, signal }) => {
      if (networkScope === "beyond-host" && isHostOnly(new URL(url).hostname)) throw refused(url);
      const { secure, lax } = byScope[networkScope];
      try {
        return await request(url, {
          method,
          headers: { "user-agent": "berth", ...headers },
          body: (body ?? null) as Dispatcher.DispatchOptions["body"] & Buffer,
          dispatcher: insecure ? lax : secure,
          ...(signal === undefined ? {} : { signal }),
        });
      } catch (thrown) {
        signal?.throwIfAborted();
        if (codeOf(thrown) === OUT_OF_REACH) throw refused(url);
        throw unanswered(method, url, thrown);
      }
    },
    close: async () => {
      await Promise.all(Object.values(byScope).flatMap(({ secure, lax }) => [secure.close(), lax.close()]));
    },
  };
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
}

function refused(url: string): RegistryError {
  return new RegistryError(hostOnlyRegistry(new URL(url).host), { status: 403, code: "OUT_OF_REACH" });
}

/** `Get "http://127.0.0.1:5000/v2/": …`, in the form of Go's client. Omits the query, which may hold a signature. */
export function prefixed(method: string, url: string, message: string): string {
  const { origin, pathname } = new URL(url);
  return `${method.charAt(0)}${method.slice(1).toLowerCase()} "${origin}${pathname}": ${message}`;
}

/** Describes a request without a complete response. */
export function unanswered(method: string, url: string, cause: unknown): RegistryError {
  return new RegistryError(prefixed(method, url, wordsOf(cause)), { cause });
}

function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = codeOf(cause);
  const first = cause instanceof AggregateError ? cause.errors[0] : undefined;
  switch (code) {
    case "ECONNREFUSED":
      return "connect: connection refused";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      // The first three words are Docker's.
      return "no such host; behind a proxy, set HTTPS_PROXY or BERTH_REGISTRY_MIRROR; docker load needs no registry";
    case "UND_ERR_CONNECT_TIMEOUT":
      return "dial: i/o timeout";
    case "UND_ERR_HEADERS_TIMEOUT":
    case "UND_ERR_BODY_TIMEOUT":
      return "net/http: timeout awaiting response";
    case "UND_ERR_SOCKET":
    case "ECONNRESET":
      return "connection reset by peer";
    default:
      return first instanceof Error ? wordsOf(first) : cause.message;
  }
}

/** Throws the registry's error unless the status is in `expected`; always consumes or cancels the body. */
export async function expectStatus(response: Response, ...expected: readonly number[]): Promise<Response> {
  if (expected.includes(response.statusCode)) return response;
  const retryAfter = response.headers["retry-after"];
  throw errorOfResponse(
    response.statusCode,
    await readBody(response, 64 << 10).catch(() => Buffer.alloc(0)),
    typeof retryAfter === "string" ? retryAfter : undefined,
  );
}

/** Reads at most `limit` bytes of the body. Throws for more. */
export async function readBody(response: Response, limit: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response.body as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > limit) throw new RegistryError(`the registry's answer is larger than ${limit} bytes`, { status: 200 });
    parts.push(part);
  }
  return Buffer.concat(parts);
}

export function headerOf({ headers }: Response, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
