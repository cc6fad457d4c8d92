import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** A client's certificate: the name (CN) of its subject where our CA signed it and it holds now, else why it does not. */
export type PeerCertificate = { readonly name: string } | { readonly fault: string };

/**
 * Reads the certificate that the client showed in the handshake; undefined where it showed none, or where there was no handshake.
 * The listener has to have asked for it (`requestCert`).
 */
export function peerCertificateOf(socket: Socket): PeerCertificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  // Not as declared: empty where there is none, and a name that stands there twice is an array.
  const { subject } = socket.getPeerCertificate() as {
    readonly subject?: { readonly CN?: string | readonly string[] };
  };
  if (subject === undefined) return undefined;
  if (!socket.authorized) return { fault: String(socket.authorizationError) };
  return typeof subject.CN === "string" ? { name: subject.CN } : { fault: "its subject needs exactly one CN" };
}
