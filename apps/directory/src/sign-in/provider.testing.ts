import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** What the provider tells of somebody. */
export interface Person {
  readonly preferred_username?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: unknown;
}

/** A provider of OpenID Connect that signs in whoever is `current`, without asking. */
export interface TestProvider {
  readonly issuer: URL;
  readonly people: Map<string, Person>;
  /** The subject that signs in; undefined refuses. */
  current: string | undefined;
  /** Serves the directory with this origin, to which it sends browsers back. */
  serve(origin: string): void;
  /** Goes where the directory sends a browser, and returns where that ends up: an address of the directory. */
  visit(url: string): Promise<URL>;
  close(): Promise<void>;
}

export const CLIENT = { clientId: "berth", clientSecret: "a secret of the client" } as const;
/** A client without a secret. */
export const PUBLIC_CLIENT = "berth-public";

export async function startTestProvider(): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const people = new Map<string, Person>();
  const test: TestProvider = {
    issuer,
    people,
    current: undefined,
    serve(origin) {
      server.on("request", handlerOf(providerFor(test, origin), test));
    },
    visit: (url) => visit(url, issuer.origin),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return test;
}

function providerFor({ issuer, people }: TestProvider, origin: string): Provider {
  const client = { redirect_uris: [`${origin}/api/sso/callback`], post_logout_redirect_uris: [`${origin}/`] };
  return new Provider(issuer.origin, {
    clients: [
      { ...client, client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret },
      { ...client, client_id: PUBLIC_CLIENT, token_endpoint_auth_method: "none" },
    ],
    claims: {
      openid: ["sub"],
      profile: ["name", "preferred_username"],
      email: ["email", "email_verified"],
      groups: ["groups"],
    },
    scopes: ["openid", "profile", "email", "groups"],
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    cookies: { keys: ["a key of the test"] },
    pkce: { required: () => true },
  });
}

/** The provider's pages, which ask nobody anything. */
function handlerOf(provider: Provider, test: TestProvider) {
  const respond = provider.callback();
  const interact = async (request: IncomingMessage, response: ServerResponse) => {
    const { prompt, params, grantId } = await provider.interactionDetails(request, response);
    const accountId = test.current;
    if (accountId === undefined)
      return await provider.interactionFinished(request, response, { error: "access_denied" });
    if (prompt.name === "login")
      return await provider.interactionFinished(request, response, { login: { accountId, remember: false } });
    const made = new provider.Grant({ accountId, clientId: String(params.client_id) });
    const grant = grantId === undefined ? made : ((await provider.Grant.find(grantId)) ?? made);
    grant.addOIDCScope(String(params.scope));
    const consent = { grantId: await grant.save() };
    return await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
  };
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (!request.url?.startsWith("/interaction/")) return void respond(request, response);
    interact(request, response).catch((fault: unknown) => response.writeHead(500).end(String(fault)));
  };
}

/** As a browser does, with the provider's cookies. */
async function visit(from: string, origin: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(from);
  while (url.origin === origin) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`${url.href} answers ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
  }
  return url;
}
