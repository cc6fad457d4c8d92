import { parse, serialize } from "hono/utils/cookie";

/** The cookie that a browser keeps a session in. */
export const SESSION_COOKIE = "berth_session";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
// No script reads it, no other site's page sends it, and it goes to nothing but this interface.
const KEPT = { path: "/api", httpOnly: true, sameSite: "Strict" } as const;

/**
 * The session that a request brings in its cookie, or undefined where it brings none or an `Authorization`, which goes
 * first; `mayChange` tells whether it may change anything. A browser sends a cookie whoever made the page that asks, so only
 * pages of this very origin may: as `Sec-Fetch-Site` says, or `Origin` where a browser leaves that out, as it does over
 * plain HTTP.
 */
export function sessionOf(request: Request): { readonly token: string; readonly mayChange: boolean } | undefined {
  if (request.headers.has("authorization")) return undefined;
  const token = parse(request.headers.get("cookie") ?? "", SESSION_COOKIE)[SESSION_COOKIE];
  return token === undefined
    ? undefined
    : { token, mayChange: SAFE_METHODS.has(request.method) || isOfThisOrigin(request) };
}

/** `Set-Cookie` for a session that ends in `seconds`. */
export function sessionCookie(request: Request, token: string, seconds: number): string {
  return serialize(SESSION_COOKIE, token, { ...KEPT, maxAge: seconds, secure: cameByTls(request) });
}

/** `Set-Cookie` that makes the browser forget its session. */
export function noSessionCookie(request: Request): string {
  return sessionCookie(request, "", 0);
}

function isOfThisOrigin({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = headers.get("origin") ?? "";
  return URL.canParse(origin) && new URL(origin).host === headers.get("host");
}

/** Where a proxy ends TLS in front of this service, only the page's own origin still tells of it. */
function cameByTls(request: Request): boolean {
  return new URL(request.url).protocol === "https:" || (request.headers.get("origin")?.startsWith("https://") ?? false);
}
