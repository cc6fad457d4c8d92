/** A transport protocol that Docker can publish, in lower case. */
export type Protocol = "tcp" | "udp" | "sctp";

/** Every protocol, in Docker's order of preference. */
export const PROTOCOLS: readonly Protocol[] = ["tcp", "udp", "sctp"];

/**
 * Parses a protocol in any letter case; empty text means tcp, as after the slash of `80/`.
 *
 * @returns the protocol, or `undefined` if it is unknown.
 */
export function parseProtocol(text: string): Protocol | undefined {
  if (text === "tcp" || text === "") return "tcp";
  const folded = text.toLowerCase();
  return PROTOCOLS.find((protocol) => protocol === folded);
}
