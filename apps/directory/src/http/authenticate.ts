import type { PeerCertificate } from "@berth/service-kit";
import type { Actor } from "../accounts/records.ts";
import type { ActorCache } from "../cache/actor-cache.ts";
import { DirectoryError } from "../errors/directory-error.ts";
import { sessionOf } from "./session-cookie.ts";

/**
 * Identifies the actor by the request's first credential: `Authorization`, then the session cookie, then the client
 * certificate, whose name (CN) is a login.
 * @throws `unauthenticated` when that credential is not valid, without trying the next; `forbidden` when a browser sent a
 * cookie or certificate for a page of another origin.
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
      throw new DirectoryError("forbidden", "Only pages of this origin may use a session cookie for changes.");
    return byToken(actors, session.token);
  }
  const origin = request.headers.get("origin");
  // A browser presents its certificate for requests of any page.
  if (certificate !== undefined && origin !== null && origin !== `https://${request.headers.get("host")}`)
    throw new DirectoryError("forbidden", "Pages of other origins may not use a client certificate.");
  if (certificate !== undefined) return byCertificate(actors, certificate);
  throw new DirectoryError("unauthenticated", "Send a token as Authorization: Bearer bth_….");
}

/** Accepts one `Bearer` header; two arrive joined by a comma and match no token. */
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
    throw new DirectoryError("unauthenticated", `The client certificate was rejected: ${certificate.fault}.`);
  const actor = await actors.actorByLogin(certificate.name);
  if (actor === undefined)
    throw new DirectoryError(
      "unauthenticated",
      "The client certificate's name (CN) is not the login of an active user.",
    );
  return actor;
}

/** For one that is unknown, revoked or expired, or whose user is disabled: who holds it learns no more. */
function refused(): DirectoryError {
  return new DirectoryError("unauthenticated", "The token is not valid: it may have expired or been revoked.");
}
