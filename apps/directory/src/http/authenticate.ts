import type { PeerCertificate } from "@berth/service-kit";
import type { ActorCache } from "../accounts/actor-cache.ts";
import type { Actor } from "../accounts/records.ts";
import { DirectoryError } from "../errors/directory-error.ts";
import { sessionOf } from "./session-cookie.ts";

/**
 * Who makes a request: whoever its `Authorization` names where it has one, else its session cookie, else the active user
 * whose login is the name (CN) of its certificate. Throws `unauthenticated`, also where the first of them opens nothing and
 * another would; `forbidden` where a browser lent what it has to another site's page.
 */
export async function authenticate(
  actors: ActorCache,
  request: Request,
  certificate: PeerCertificate | undefined,
): Promise<Actor> {
  const authorization = request.headers.get("authorization");
  if (authorization !== null) return byHeader(actors, authorization);
  const session = sessionOf(request);
  if (session !== undefined) {
    if (!session.mayChange)
      throw new DirectoryError("forbidden", "A session cookie changes things for this service's own pages alone.");
    return byToken(actors, session.token);
  }
  const origin = request.headers.get("origin");
  // A browser shows its certificate to whatever any page asks for.
  if (certificate !== undefined && origin !== null && origin !== `https://${request.headers.get("host")}`)
    throw new DirectoryError("forbidden", "The pages of other sites can't use a certificate here.");
  if (certificate !== undefined) return byCertificate(actors, certificate);
  throw refused();
}

/** One `Bearer` header: two would come joined by a comma and match no token. */
function byHeader(actors: ActorCache, authorization: string): Promise<Actor> {
  return byToken(actors, /^Bearer +(\S{1,200})$/i.exec(authorization)?.[1]);
}

async function byToken(actors: ActorCache, token: string | undefined): Promise<Actor> {
  const actor = token === undefined ? undefined : await actors.actorOf(token);
  if (actor === undefined) throw refused();
  return actor;
}

async function byCertificate(actors: ActorCache, certificate: PeerCertificate): Promise<Actor> {
  if ("fault" in certificate)
    throw new DirectoryError("unauthenticated", `The client certificate is not accepted: ${certificate.fault}.`);
  const actor = await actors.actorByLogin(certificate.name);
  if (actor === undefined)
    throw new DirectoryError("unauthenticated", "The client certificate's name (CN) is the login of no active user.");
  return actor;
}

function refused(): DirectoryError {
  return new DirectoryError("unauthenticated", "Send a valid token as Authorization: Bearer bth_….");
}
