import type { PeerCertificate } from "@berth/service-kit";
import { DirectoryError } from "../accounts/directory-error.ts";
import type { KnownCallers } from "../accounts/known-callers.ts";
import type { Caller } from "../accounts/records.ts";

/** What a request brings to say who makes it. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly certificate: PeerCertificate | undefined;
  /** Of the page that a browser sends the request for. */
  readonly origin: string | undefined;
  readonly host: string | undefined;
}

/**
 * Who makes a request: whoever its `Authorization` names where it has one, else the active user whose login is the name (CN) of its
 * certificate. Throws `unauthenticated`, also where a header opens nothing and a certificate would.
 */
export async function authenticate(callers: KnownCallers, credentials: Credentials): Promise<Caller> {
  const { authorization, certificate, origin, host } = credentials;
  if (authorization !== undefined) return byToken(callers, authorization);
  // A browser shows its certificate to whatever any page asks for.
  if (certificate !== undefined && origin !== undefined && origin !== `https://${host}`)
    throw new DirectoryError("forbidden", "The pages of other sites can't use a certificate here.");
  if (certificate !== undefined) return byCertificate(callers, certificate);
  throw refused();
}

/** One `Bearer` header: two would come joined by a comma and match no token. */
async function byToken(callers: KnownCallers, authorization: string): Promise<Caller> {
  const token = /^Bearer +(\S{1,200})$/i.exec(authorization)?.[1];
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
