import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** A client certificate: its subject's name (CN) if the configured CA signed it and it is valid now, else why it is not. */
export type PeerCertificate = { readonly name: string } | { readonly fault: string };

/**
 * Reads the certificate that the client presented in the handshake; undefined if it presented none, or without TLS. The listener must
 * request certificates (`requestCert`).
 */
export function peerCertificateOf(socket: Socket): PeerCertificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  // Unlike its declaration: empty if there is no certificate, and an array if a name occurs twice.
  const { subject } = socket.getPeerCertificate() as {
    readonly subject?: { readonly CN?: string | readonly string[] };
  };
  if (subject === undefined) return undefined;
  if (!socket.authorized) return { fault: String(socket.authorizationError) };
  return typeof subject.CN === "string" ? { name: subject.CN } : { fault: "its subject needs exactly one CN" };
}
