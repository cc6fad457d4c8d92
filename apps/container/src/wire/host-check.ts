import { EngineError } from "../errors.ts";

/** What the check needs of a listener. */
type Checked = { readonly kind: "unix" } | { readonly kind: "tcp"; readonly allowedHosts: readonly string[] };

/** The name part of a `Host` header: without port, brackets kept. */
const nameOf = (host: string): string => host.replace(/:\d+$/, "").toLowerCase();

/**
 * Keeps web pages out of a TCP listener: a page that rebinds its name to our address still sends its own `Host`, and every
 * page's request carries an `Origin`, which no Docker client sends. Throws `forbidden`. A unix socket is out of their reach.
 */
export const requireOwnHost = (listener: Checked, headers: Headers): void => {
  if (listener.kind === "unix") return;
  const origin = headers.get("origin");
  if (origin !== null) throw new EngineError("forbidden", `requests of web pages are refused (Origin: ${origin})`);
  const host = headers.get("host") ?? "";
  if (!listener.allowedHosts.map((name) => name.toLowerCase()).includes(nameOf(host))) {
    throw new EngineError("forbidden", `Host ${JSON.stringify(host)} is not a name of this service`);
  }
};
