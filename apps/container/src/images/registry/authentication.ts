import { z } from "zod";
import type { RegistryAuth } from "../images.ts";
import { parseChallenges } from "./challenge.ts";
import type { Http, HttpRequest } from "./http.ts";
import { expectStatus, readBody } from "./http.ts";
import type { NetworkScope } from "./network-scope.ts";
import { RegistryError } from "./registry-error.ts";

export interface AuthenticationOptions {
  readonly auth: RegistryAuth | undefined;
  /** Whether to skip certificate verification. */
  readonly insecure: boolean;
  /** How far a request to a token server's URL may reach. */
  readonly scopeOf: (url: string) => NetworkScope;
  /** Whether the registry uses HTTPS, so that its token server must use it, too. */
  readonly https: boolean;
}

const tokenBody = z.object({ token: z.string().optional(), access_token: z.string().optional() });
const MAX_TOKEN_BYTES = 1 << 20;

/**
 * Builds the `Authorization` header that answers a registry's challenge: a token (distribution spec), anonymous or with the client's
 * credentials, or Basic. Throws a RegistryError if no challenge can be answered.
 */
export async function authorize(
  http: Http,
  challenge: string,
  options: AuthenticationOptions & { readonly scope: string | undefined; readonly signal: AbortSignal | undefined },
): Promise<string> {
  const challenges = parseChallenges(challenge);
  const bearer = challenges.find(({ scheme }) => scheme === "bearer");
  if (bearer !== undefined) {
    const { registrytoken } = options.auth ?? {};
    return `Bearer ${registrytoken || (await fetchToken(http, bearer.parameters, options))}`;
  }
  if (!challenges.some(({ scheme }) => scheme === "basic")) {
    throw new RegistryError("unauthorized: authentication required", { status: 401, code: "UNAUTHORIZED" });
  }
  const basic = basicOf(options.auth);
  if (basic === undefined) {
    throw new RegistryError("no basic auth credentials", { status: 401, code: "NO_CREDENTIALS" });
  }
  return basic;
}

function basicOf(auth: RegistryAuth | undefined): string | undefined {
  return auth?.username === undefined || auth.username === "" || auth.password === undefined
    ? undefined
    : `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString("base64")}`;
}

async function fetchToken(
  http: Http,
  { realm = "", service, scope: named }: Readonly<Record<string, string>>,
  { auth, insecure, scopeOf, https, scope = named, signal }: Parameters<typeof authorize>[2],
): Promise<string> {
  const url = URL.canParse(realm) ? new URL(realm) : undefined;
  if (url === undefined || !(url.protocol === "https:" || (url.protocol === "http:" && !https))) {
    throw new RegistryError("the registry names no usable token server", { status: 401, code: "UNAUTHORIZED" });
  }
  const query = new URLSearchParams();
  if (service !== undefined) query.set("service", service);
  const common = { insecure, networkScope: scopeOf(url.href), signal };
  if (auth?.identitytoken) {
    if (scope !== undefined) query.set("scope", scope);
    query.set("grant_type", "refresh_token");
    query.set("refresh_token", auth.identitytoken);
    query.set("client_id", "berth");
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return await tokenFrom(http, url, { ...common, method: "POST", headers, body: Buffer.from(query.toString()) });
  }
  for (const part of scope?.split(" ") ?? []) query.append("scope", part);
  const basic = basicOf(auth);
  if (basic !== undefined) query.set("account", auth?.username ?? "");
  for (const [key, value] of query) url.searchParams.append(key, value);
  const headers = basic === undefined ? {} : { authorization: basic };
  return await tokenFrom(http, url, { ...common, method: "GET", headers });
}

async function tokenFrom(http: Http, url: URL, request: HttpRequest): Promise<string> {
  const response = await expectStatus(await http.send(url.href, request), 200);
  const body = (await readBody(response, MAX_TOKEN_BYTES)).toString("utf8");
  const parsed = tokenBody.safeParse(tryJson(body));
  const token = parsed.success ? (parsed.data.token ?? parsed.data.access_token) : undefined;
  if (token === undefined || token === "") {
    throw new RegistryError("authorization server did not include a token in the response", { status: 401 });
  }
  return token;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
