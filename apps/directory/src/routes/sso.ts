import { z } from "@hono/zod-openapi";
import { parse, serialize } from "hono/utils/cookie";
import { notFound } from "../errors/directory-error.ts";
import { jsonAnswer, noContent } from "../http/answer.ts";
import type { Call, Endpoints } from "../http/endpoint.ts";
import { identitySchema, signInWaysSchema } from "../http/schemas/sign-in.ts";
import type { Sealer } from "../http/sealed.ts";
import { sessionCookie } from "../http/session-cookie.ts";
import { SESSION_SECONDS } from "../sign-in/sign-in.ts";
import { type PendingSignIn, type SingleSignOn, SsoError, type SsoFault, signInByIdentity } from "../sign-in/sso.ts";
import type { Services } from "./services.ts";

const TAG = "Sessions";
const START = "/api/sso/start";
const CALLBACK = "/api/sso/callback";
/** Holds what has to come back with the provider's answer. The provider's page sends the browser here, so that it cannot be `Strict`. */
const PENDING_COOKIE = "berth_sso";
const PENDING_SECONDS = 10 * 60;
const PENDING = { path: "/api/sso", httpOnly: true, sameSite: "Lax" } as const;

/** A page of this site: nobody is sent elsewhere after a sign-in. */
const returnTo = z
  .string()
  .max(500)
  .regex(/^\/(?![/\\])[^\p{Cc}\\]*$/u, "must be a path of this site, such as /ports")
  .default("/")
  .openapi({ description: "Where to go once signed in.", example: "/ports" });

/** What single sign-on needs beside the services. */
export interface SsoDeps {
  readonly sso: SingleSignOn | undefined;
  readonly sealer: Sealer;
  readonly onFault: (fault: unknown, request: Request) => void;
}

export function ssoRoutes(endpoints: Endpoints, services: Services, { sso, sealer, onFault }: SsoDeps): void {
  endpoints.open(
    {
      method: "get",
      path: "/api/sign-in",
      operationId: "listWaysToSignIn",
      tag: TAG,
      summary: "Tell how people sign in beside a password",
      access: "anyone",
      answers: { 200: { description: "The ways", schema: signInWaysSchema } },
    },
    async ({ url }) => {
      if (sso === undefined) return jsonAnswer({ sso: null });
      // A provider that is away has no page to sign out on; its button tells what is wrong.
      const signOutUrl = await sso.provider.signOutUrl(`${url.origin}/`).catch(() => undefined);
      return jsonAnswer({ sso: { name: sso.name, path: START, signOutUrl: signOutUrl ?? null } });
    },
  );

  endpoints.open(
    {
      method: "get",
      path: START,
      operationId: "startSso",
      tag: TAG,
      summary: "Go to the provider of OpenID Connect to sign in; a browser then comes back with a session cookie",
      access: "anyone",
      query: z.strictObject({ returnTo }),
      answers: { 302: { description: "To the provider, or to the console, which says what is wrong" } },
    },
    async (call) => {
      if (sso === undefined) return failed(call, "off");
      try {
        const { url, pending } = await sso.provider.begin(`${call.url.origin}${CALLBACK}`);
        const until = new Date(services.now().getTime() + PENDING_SECONDS * 1_000);
        const sealed = sealer.seal({ ...pending, returnTo: call.query.returnTo }, until);
        return redirect(url.href, [pendingCookie(call.url, sealed, PENDING_SECONDS)]);
      } catch (fault) {
        return await reported(services, call, fault, onFault);
      }
    },
  );

  endpoints.open(
    {
      method: "get",
      path: CALLBACK,
      operationId: "finishSso",
      tag: TAG,
      summary: "Where the provider sends the browser back to",
      access: "anyone",
      // Providers add parameters of their own.
      query: z.looseObject({}),
      answers: { 302: { description: "To the console, with a session cookie, or with what is wrong" } },
    },
    async (call) => {
      if (sso === undefined) return failed(call, "off");
      try {
        const cookie = parse(call.request.headers.get("cookie") ?? "", PENDING_COOKIE)[PENDING_COOKIE] ?? "";
        const pending = sealer.open(cookie) as (PendingSignIn & { readonly returnTo: string }) | undefined;
        if (pending === undefined) throw new SsoError("expired", "no sign-in is under way in this browser");
        const identity = await sso.provider.finish(call.url.searchParams, pending);
        const { token } = await signInByIdentity(services, identity, sso.newPeople);
        return redirect(pending.returnTo, [
          sessionCookie(call.request, token, SESSION_SECONDS),
          pendingCookie(call.url, "", 0),
        ]);
      } catch (fault) {
        return await reported(services, call, fault, onFault);
      }
    },
  );

  identityRoutes(endpoints, services);
}

function identityRoutes(endpoints: Endpoints, { records }: Services): void {
  endpoints.add(
    {
      method: "get",
      path: "/api/users/{id}/identities",
      tag: TAG,
      summary: "List the people of providers as which a user signs in",
      access: "self-or-reader",
      answers: { 200: { description: "The identities", schema: z.array(identitySchema) } },
      refuses: ["not-found"],
    },
    async ({ id }) => jsonAnswer(await records.identities.ofUser(id)),
  );

  endpoints.add(
    {
      method: "delete",
      path: "/api/users/{id}/identities",
      operationId: "unlinkIdentities",
      tag: TAG,
      summary: "Let the next person of the provider with the user's verified address sign in as it",
      access: "admin",
      answers: { 204: { description: "Unlinked" } },
      refuses: ["not-found"],
    },
    async ({ id, actor }) => {
      await records.change(actor.userId, async (stores) => {
        if ((await stores.users.lock(id)) === undefined) throw notFound("user", id);
        await stores.identities.unlink(id);
        await stores.audit.note("identity.unlink", `user/${id}`, {});
      });
      return noContent();
    },
  );
}

type AnyCall = Pick<Call<unknown, unknown>, "url" | "address" | "request">;

function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location, "cache-control": "no-store", "referrer-policy": "no-referrer" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 302, headers });
}

/** Sends the browser to the console, which has a text for each fault. */
function failed({ url }: AnyCall, fault: SsoFault | "off"): Response {
  return redirect(`/?sign-in=${fault}`, [pendingCookie(url, "", 0)]);
}

/** The same, once the audit has it. @throws what is no fault of the sign-in */
async function reported(
  { records }: Services,
  call: AnyCall,
  fault: unknown,
  onFault: SsoDeps["onFault"],
): Promise<Response> {
  if (!(fault instanceof SsoError)) throw fault;
  // The provider's own words are for the log.
  if (fault.cause !== undefined) onFault(fault, call.request);
  const after = { address: call.address, via: "sso", reason: fault.message.slice(0, 300) };
  // Anyone can make a browser come here with nothing: that alone is not worth an entry.
  if (fault.fault !== "expired")
    await records.change(null, (stores) => stores.audit.note("signin.fail", "signin", after, "refused"));
  return failed(call, fault.fault);
}

function pendingCookie(url: URL, sealed: string, seconds: number): string {
  return serialize(PENDING_COOKIE, sealed, { ...PENDING, maxAge: seconds, secure: url.protocol === "https:" });
}
