import type { PeerCertificate } from "@berth/service-kit";
import { DirectoryError } from "../accounts/directory-error.ts";
import type { KnownCallers } from "../accounts/known-callers.ts";
import type { Caller } from "../accounts/records.ts";
import { sessionOf } from "./session-cookie.ts";

/**
 * Who makes a request: whoever its `Authorization` names where it has one, else its session cookie, else the active user
 * whose login is the name (CN) of its certificate. Throws `unauthenticated`, also where the first of them opens nothing and
 * another would; `forbidden` where a browser lent what it has to another site's page.
 */
export async function authenticate(
  callers: KnownCallers,
  request: Request,
  certificate: PeerCertificate | undefined,
): Promise<Caller> {
  const authorization = request.headers.get("authorization");
  if (authorization !== null) return byHeader(callers, authorization);
  const session = sessionOf(request);
  if (session !== undefined) {
    if (!session.mayChange)
      throw new DirectoryError("forbidden", "A session cookie changes things for this service's own pages alone.");
    return byToken(callers, session.token);
  }
  const origin = request.headers.get("origin");
  // A browser shows its certificate to whatever any page asks for.
  if (certificate !== undefined && origin !== null && origin !== `https://${request.headers.get("host")}`)
    throw new DirectoryError("forbidden", "The pages of other sites can't use a certificate here.");
  if (certificate !== undefined) return byCertificate(callers, certificate);
  throw refused();
}

/** One `Bearer` header: two would come joined by a comma and match no token. */
function byHeader(callers: KnownCallers, authorization: string): Promise<Caller> {
  return byToken(callers, /^Bearer +(\S{1,200})$/i.exec(authorization)?.[1]);
}

async function byToken(callers: KnownCallers, token: string | undefined): Promise<Caller> {
  const caller = token === undefined ? undefined : await callers.callerOf(token);
  if (caller === undefined) throw refused();
  return caller;
}

async function byCertificate(callers: KnownCallers, certificate: PeerCertificate): Promise<Caller> {
  if ("fault" in certificate)
    throw new DirectoryError("unauthenticated", `The client certificate is not accepted: ${certificate.fault}.`);
  const caller = await callers.callerByLogin(certificate.name);
  if (caller === undefined)
    throw new DirectoryError("unauthenticated", "The client certificate's name (CN) is the login of no active user.");
  return caller;
}

function refused(): DirectoryError {
  return new DirectoryError("unauthenticated", "Send a valid token as Authorization: Bearer bth_….");
}
