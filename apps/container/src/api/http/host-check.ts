import { isIP } from "node:net";
import { EngineError } from "../../engine/errors.ts";
import { asksForWebSocket } from "./web-socket.ts";

/** The properties of a listener that the check needs. */
type Checked =
  | { readonly kind: "unix" | "user" | "tls" }
  | { readonly kind: "tcp"; readonly allowedHosts: readonly string[] };

/** The name or address in a `Host` header. */
function nameOf(host: string): string {
  return host
    .replace(/:\d+$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
}

/**
 * Whether a web page may have sent the request. WebSocket clients outside browsers send the called host as the origin (Python's); Berth
 * serves no pages, so no page has that origin. On a Unix socket some send no host at all (Go's `x/net/websocket`), which a browser always
 * does (RFC 9110, 7.2).
 */
function foreignOrigin(headers: Headers, reach: "network" | "socket"): boolean {
  const origin = headers.get("origin");
  if (origin === null) return false;
  const host = headers.get("host") ?? "";
  const own = (host === "" && reach === "socket") || [`http://${host}`, `https://${host}`].includes(origin);
  return !(asksForWebSocket(headers) && own);
}

/**
 * Keeps web pages out of a TCP listener: a page that rebinds its name to this address still sends its own `Host`, and every request of a
 * page has an `Origin`, which Docker clients do not send. Throws `forbidden`. Over TLS the browser rejects a rebound name, since the
 * certificate does not match. Pages cannot reach a unix socket, but WebSockets of pages are rejected there, too: if the socket is
 * relayed, nothing else stops a page from reading.
 */
export function requireOwnHost(listener: Checked, headers: Headers): void {
  const reach = listener.kind === "tcp" || listener.kind === "tls" ? "network" : "socket";
  if ((reach === "network" || asksForWebSocket(headers)) && foreignOrigin(headers, reach)) {
    throw new EngineError("forbidden", `requests of web pages are refused (Origin: ${headers.get("origin")})`);
  }
  if (listener.kind !== "tcp") return;
  const host = headers.get("host") ?? "";
  const name = nameOf(host);
  // Only names are rebound.
  if (isIP(name) !== 0 || listener.allowedHosts.some((one) => one.toLowerCase() === name)) return;
  const advice = "use its address, or listen on its name, as in BERTH_LISTEN=host.example.test:2375";
  throw new EngineError("forbidden", `Host ${JSON.stringify(host)} is not a name of this service; ${advice}`);
}
