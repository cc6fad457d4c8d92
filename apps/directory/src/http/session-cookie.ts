import { parse, serialize } from "hono/utils/cookie";

/** The name of the session cookie. */
export const SESSION_COOKIE = "berth_session";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
// Not readable by scripts, not sent by pages of other sites, and only sent to this API.
const ATTRIBUTES = { path: "/api", httpOnly: true, sameSite: "Strict" } as const;

/**
 * The session in the request's cookie; undefined without one or with an `Authorization`, which takes precedence. Browsers
 * send cookies for pages of any site, so `mayChange` is true only for safe methods and pages of this origin. The origin is
 * checked by `Sec-Fetch-Site`, or by `Origin` where the browser omits that, as it does over plain HTTP.
 */
export function sessionOf(request: Request): { readonly token: string; readonly mayChange: boolean } | undefined {
  if (request.headers.has("authorization")) return undefined;
  const token = parse(request.headers.get("cookie") ?? "", SESSION_COOKIE)[SESSION_COOKIE];
  return token === undefined
    ? undefined
    : { token, mayChange: SAFE_METHODS.has(request.method) || isOfThisOrigin(request) };
}

/** `Set-Cookie` for a session that expires in `seconds`. */
export function sessionCookie(request: Request, token: string, seconds: number): string {
  return serialize(SESSION_COOKIE, token, { ...ATTRIBUTES, maxAge: seconds, secure: cameByTls(request) });
}

/** `Set-Cookie` that removes the session from the browser. */
export function noSessionCookie(request: Request): string {
  return sessionCookie(request, "", 0);
}

function isOfThisOrigin({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("origin") ?? "";
  return URL.canParse(origin) && new URL(origin).host === headers.get("host");
}

/** Behind a proxy that terminates TLS, only the page's origin reveals it. */
function cameByTls(request: Request): boolean {
  return new URL(request.url).protocol === "https:" || (request.headers.get("origin")?.startsWith("https://") ?? false);
}
