import { isIP } from "node:net";
import { DirectoryError } from "../errors/directory-error.ts";

/**
 * Rejects requests for other host names. A page of another site can make its own name resolve to this service and read the
 * answers (DNS rebinding), but it cannot do so with an address or with `localhost`.
 * @param allowed further names, in lower case and without a port.
 * @throws `forbidden` with the setting that would allow the name.
 */
export function requireKnownHost(request: Request, allowed: ReadonlySet<string>): void {
  const { hostname } = new URL(request.url);
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isIP(name) !== 0 || name === "localhost" || allowed.has(name)) return;
  throw new DirectoryError("forbidden", `The host name ${name} is not allowed; BERTH_DIRECTORY_HOSTS would allow it.`);
}
