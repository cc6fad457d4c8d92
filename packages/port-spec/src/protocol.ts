/** A transport protocol Docker can publish. Always lower case. */
export type Protocol = "tcp" | "udp" | "sctp";

/** Every protocol, in Docker's order of preference. */
export const PROTOCOLS: readonly Protocol[] = ["tcp", "udp", "sctp"];

/**
 * Reads a protocol in any letter case; empty text means tcp, as after the slash of `80/`.
 *
 * @returns the protocol, or `undefined` where the text names none.
 */
export function parseProtocol(text: string): Protocol | undefined {
  if (text === "tcp" || text === "") return "tcp";
  const folded = text.toLowerCase();
  return PROTOCOLS.find((protocol) => protocol === folded);
}
