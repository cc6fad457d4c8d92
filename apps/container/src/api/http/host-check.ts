import { EngineError } from "../../engine/errors.ts";
import { asksForWebSocket } from "./web-socket.ts";

/** What the check needs of a listener. */
type Checked =
  | { readonly kind: "unix" | "user" | "tls" }
  | { readonly kind: "tcp"; readonly allowedHosts: readonly string[] };

/** The name part of a `Host` header: without port, brackets kept. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase();
}

/**
 * Whether it may be a page's request. WebSocket clients that are no browser (Python's) send the host that they call as the
 * origin; a page of that origin could only be ours, and there is none.
 */
function foreignOrigin(headers: Headers): boolean {
  const origin = headers.get("origin");
  const host = headers.get("host") ?? "";
  const own = asksForWebSocket(headers) && [`http://${host}`, `https://${host}`].includes(origin ?? "");
  return origin !== null && !own;
}

/**
 * Keeps web pages out of a TCP listener: a page that rebinds its name to our address still sends its own `Host`, and every
 * page's request carries an `Origin`, which no Docker client sends. Throws `forbidden`. Over TLS a rebound name is refused by the
 * browser itself, since our certificate is not for it. A unix socket is out of their reach,
 * but a WebSocket is refused to a page there, too: nothing else keeps it from reading what comes, where the socket is relayed.
 */
export function requireOwnHost(listener: Checked, headers: Headers): void {
  const inReach = listener.kind === "tcp" || listener.kind === "tls";
  if ((inReach || asksForWebSocket(headers)) && foreignOrigin(headers)) {
    throw new EngineError("forbidden", `requests of web pages are refused (Origin: ${headers.get("origin")})`);
  }
  if (listener.kind !== "tcp") return;
  const host = headers.get("host") ?? "";
  if (!listener.allowedHosts.map((name) => name.toLowerCase()).includes(nameOf(host))) {
    throw new EngineError("forbidden", `Host ${JSON.stringify(host)} is not a name of this service`);
  }
}
