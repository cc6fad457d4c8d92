import type { RegistryAuth } from "../images.ts";
import { authorize } from "./authentication.ts";
import type { Endpoint } from "./endpoints.ts";
import type { Http, HttpRequest, Response } from "./http.ts";
import { headerOf, prefixed } from "./http.ts";
import type { NetworkScope } from "./network-scope.ts";
import { RegistryError } from "./registry-error.ts";

/** Sends requests to one registry with one client's credentials; authenticates on demand and follows redirects. */
export interface Session {
  readonly endpoint: Endpoint;
  /** `path` starts with a slash, or is a whole URL from the registry. */
  send(path: string, request: SessionRequest): Promise<Response>;
}

export type SessionRequest = Omit<HttpRequest, "insecure" | "networkScope"> & {
  /** `repository:NAME:pull`: the token scope to request unless the registry's challenge has one. */
  readonly scope?: string | undefined;
};

/** Docker's message for a request without credentials. */
function about(method: string, url: string, { message }: RegistryError): RegistryError {
  return new RegistryError(prefixed(method, url, message), { status: 401, code: "NO_CREDENTIALS" });
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/**
 * Redirects and token servers have the actor's network scope: that an administrator lists a registry lets users reach the registry, and
 * nothing that it points to. `isListed` tells of a `host:port` whether it is listed itself.
 */
export function openSession(
  http: Http,
  endpoint: Endpoint,
  {
    auth,
    networkScope,
    isListed = () => false,
  }: {
    readonly auth: RegistryAuth | undefined;
    readonly networkScope: NetworkScope;
    readonly isListed?: (host: string) => boolean;
  },
): Session {
  const { origin, host, protocol } = new URL(endpoint.url);
  const { insecure } = endpoint;
  const scopeOf = (url: string): NetworkScope => {
    const target = new URL(url).host;
    return isListed(target) || (endpoint.listed && target === host) ? "everywhere" : networkScope;
  };
  const authorizations = new Map<string, string>();

  /** Only the registry itself gets the credential: a redirect may lead to a third party's blob store. */
  const headersFor = (url: string, { headers, scope = "" }: SessionRequest): Readonly<Record<string, string>> => {
    const authorization = new URL(url).origin === origin ? authorizations.get(scope) : undefined;
    return { ...headers, ...(authorization === undefined ? {} : { authorization }) };
  };

  const authorizeFor = async (
    method: string,
    url: string,
    challenge: string,
    options: Parameters<typeof authorize>[2],
  ): Promise<string> => {
    try {
      return await authorize(http, challenge, options);
    } catch (thrown) {
      throw thrown instanceof RegistryError && thrown.code === "NO_CREDENTIALS" ? about(method, url, thrown) : thrown;
    }
  };

  const follow = async (response: Response, from: string, request: SessionRequest): Promise<Response> => {
    let current = response;
    let url = from;
    for (let hop = 0; REDIRECTS.has(current.statusCode); hop++) {
      const location = headerOf(current, "location");
      await current.body.dump();
      if (location === undefined || hop === MAX_REDIRECTS)
        throw new RegistryError("the registry redirects without end", { status: 502 });
      url = new URL(location, url).href;
      const { method, signal } = request;
      const headers = headersFor(url, request);
      current = await http.send(url, { method, headers, insecure, networkScope: scopeOf(url), signal });
    }
    return current;
  };

  return {
    endpoint,
    send: async (path, request) => {
      const url = new URL(path, `${endpoint.url}/`).href;
      const own = new URL(url).origin === origin;
      const { scope = "", signal } = request;
      const attempt = (): Promise<Response> =>
        http.send(url, { ...request, headers: headersFor(url, request), insecure, networkScope: scopeOf(url) });
      let response = await attempt();
      // A streamed body is consumed, so only the caller can retry.
      const repeatable = request.body === undefined || Buffer.isBuffer(request.body);
      const challenge = headerOf(response, "www-authenticate");
      if (response.statusCode === 401 && own && challenge !== undefined && repeatable) {
        await response.body.dump();
        const options = {
          auth,
          insecure,
          scopeOf,
          https: protocol === "https:",
          scope: scope || undefined,
          signal,
        };
        authorizations.set(scope, await authorizeFor(request.method, url, challenge, options));
        response = await attempt();
      }
      if (request.method !== "GET" && request.method !== "HEAD") return response;
      return await follow(response, url, request);
    },
  };
}
